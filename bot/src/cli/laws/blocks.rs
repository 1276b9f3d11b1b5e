//! Finds laws that can block nothing in a world, by what its actions may lead to.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use ltlcrit_engine::config::{Config, RunConfig};
use ltlcrit_engine::world::{self, WorldName};
use ltlcrit_laws::{Book, Code, Diagnostic, Entry, Law, Reading, Severity, Status, Strength};
use ltlcrit_minecraft::effects::surroundings;
use ltlcrit_minecraft::vocabulary;
use ltlcrit_verifier::Formula;
use ltlcrit_worlds::World as _;

use crate::cli::CliError;

/// The worlds whose effects are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LawWorld {
    /// Minecraft, embedded or on a server.
    Minecraft,
    /// A world that knows what each action leads to.
    Exact(WorldName),
}

impl FromStr for LawWorld {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "minecraft" => Ok(Self::Minecraft),
            _ => match text.parse::<WorldName>().map_err(|error| error.to_string())? {
                world if world == WorldName::EMBEDDED || world == WorldName::SERVER => Ok(Self::Minecraft),
                world => Ok(Self::Exact(world)),
            },
        }
    }
}

impl fmt::Display for LawWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Minecraft => f.write_str("minecraft"),
            Self::Exact(name) => name.fmt(f),
        }
    }
}

impl LawWorld {
    /// The laws under check that, each alone, can keep no action from running.
    ///
    /// # Errors
    /// A book over another vocabulary than the world's.
    pub fn blocking_nothing(&self, readings: &[Reading], proposed: bool) -> Result<Vec<Diagnostic>, CliError> {
        if let Self::Exact(world) = self {
            return unbreakable(world, readings, proposed);
        }
        let mut findings = Vec::new();
        for reading in readings {
            let (book, name) = (&reading.book, reading.book.vocabulary().name());
            if name != vocabulary().name() {
                let message = format!("{} is over the vocabulary `{name}`, not over that of Minecraft", book.name());
                return Err(CliError::input(message).help("leave out `--world`"));
            }
            let checked = |entry: &&Entry| entry.in_force() || proposed && entry.status == Status::Proposed;
            for entry in book.entries().iter().filter(checked) {
                let Some((message, help)) = blocks_nothing(entry, book) else { continue };
                let law = Some(entry.id.to_string());
                let finding = Diagnostic { law, ..Diagnostic::new(Severity::Warning, Code::BlocksNothing, message) };
                findings.push(finding.at(book.source(), entry.formula_place.clone()).help(help));
            }
        }
        Ok(findings)
    }
}

/// The hard laws that no run of a world can break, whatever is done, and those of which that was not decided. Where it is known what
/// each action leads to, a hard law that something can break blocks it.
fn unbreakable(world: &WorldName, readings: &[Reading], proposed: bool) -> Result<Vec<Diagnostic>, CliError> {
    let books: Vec<&Book> = readings.iter().map(|reading| &reading.book).collect();
    let run = RunConfig { world: world.clone(), laws: Some(Vec::new()), ..RunConfig::default() };
    let opened = world::open_for(&Config { run, ..Config::default() }, &books)?;
    let (known, mut findings) = (opened.vocabulary(), Vec::new());
    for book in readings.iter().map(|reading| &reading.book) {
        let checked = |entry: &&Entry| entry.in_force() || proposed && entry.status == Status::Proposed;
        let hard = book.entries().iter().filter(checked).filter(|entry| entry.strength == Strength::Hard);
        for entry in hard {
            let unknown = entry.formula.atoms().into_iter().find(|atom| known.id(atom).is_none());
            if let Some(name) = unknown {
                let message = format!("`{world}` has no `{name}`, so nothing there can break or keep the law");
                let help = known.nearest(&name).map(|nearest| format!("did you mean `{nearest}`?"));
                let finding = Diagnostic {
                    law: Some(entry.id.to_string()),
                    ..Diagnostic::new(Severity::Error, Code::BlocksNothing, message)
                };
                let finding = finding.at(book.source(), entry.formula_place.clone());
                findings.push(match help {
                    Some(help) => finding.help(help),
                    None => finding,
                });
                continue;
            }
            let law = Law::hard(entry.id.clone(), entry.formula.clone(), entry.explanation.clone());
            let (severity, message) = match opened.never_breaks(&law) {
                Some(false) => continue,
                Some(true) => (
                    Severity::Error,
                    format!("no run of `{world}` breaks it, whatever is done: it blocks nothing there"),
                ),
                None => (Severity::Warning, format!("whether a run of `{world}` can break it was not decided")),
            };
            let finding = Diagnostic {
                law: Some(entry.id.to_string()),
                ..Diagnostic::new(severity, Code::BlocksNothing, message)
            };
            findings.push(finding.at(book.source(), entry.formula_place.clone()));
        }
    }
    Ok(findings)
}

/// Why a law can block nothing in Minecraft, and what to do about it.
fn blocks_nothing(entry: &Entry, book: &Book) -> Option<(&'static str, &'static str)> {
    let vocabulary = vocabulary();
    let atoms: Vec<Arc<str>> = entry.formula.atoms().into_iter().collect();
    if !owes_nothing(&entry.formula) || atoms.iter().any(|atom| vocabulary.action(atom).is_some()) {
        return None;
    }
    if entry.strength == Strength::Soft {
        return Some((
            "it speaks of no action, and a soft law blocks none for what it may lead to: alone it blocks nothing",
            "make it hard, or say which action it forbids, as in `G(phi_s -> X !action_…)`",
        ));
    }
    let open = surroundings();
    // Nothing is predicted of what is derived.
    let derived = |atom: &Arc<str>| book.derived().iter().any(|entry| entry.name == *atom);
    let changes_always = |atom: &Arc<str>| derived(atom) || vocabulary.id(atom).is_some_and(|id| open.contains(id));
    atoms.iter().all(changes_always).then_some((
        "any action may change all that it speaks of, and none is sure to keep it: it blocks nothing",
        "say which action it forbids, as in `G(phi_s -> X !action_…)`",
    ))
}

/// Whether a formula has the form of a law that never owes anything, and so never keeps a run from stopping.
fn owes_nothing(formula: &Formula) -> bool {
    use Formula::*;
    match formula {
        _ if is_boolean(formula) => true,
        Globally(a) | Next(a) => owes_nothing(a),
        And(a, b) | Or(a, b) | WeakUntil(a, b) | Release(a, b) => owes_nothing(a) && owes_nothing(b),
        Implies(a, b) => is_boolean(a) && owes_nothing(b),
        _ => false,
    }
}

fn is_boolean(formula: &Formula) -> bool {
    use Formula::*;
    match formula {
        True | False | Atom(_) => true,
        Not(a) => is_boolean(a),
        And(a, b) | Or(a, b) | Implies(a, b) | Iff(a, b) | Xor(a, b) => is_boolean(a) && is_boolean(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_laws::read_named;

    use super::*;

    #[test]
    fn laws_about_what_no_action_decides_are_found() {
        let directory = ltlcrit_store::scratch::directory().unwrap();
        let path = directory.path().join("states.toml");
        let law = |id: &str, strength: &str, formula: &str| {
            format!(
                "[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"{strength}\"\nexplanation = \"A test.\"\n\
                 status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n\n"
            )
        };
        let laws = [
            law("kept", "hard", "G !obs_has_furnace"),
            law("weather", "hard", "G !obs_lava_near"),
            law("wish", "soft", "G !obs_has_furnace"),
            law("owed", "soft", "G(obs_has_log -> F obs_has_plank)"),
            law("guarded", "soft", "G(obs_lava_near -> X !action_mine_log)"),
        ];
        let text = format!("name = \"states\"\nvocabulary = \"minecraft\"\nrevision = 1\n\n{}", laws.concat());
        std::fs::write(&path, text).unwrap();
        let reading = read_named(path.to_str().unwrap(), &[vocabulary()]).unwrap();
        let found = LawWorld::Minecraft.blocking_nothing(&[reading], false).unwrap();
        let laws: Vec<&str> = found.iter().filter_map(|finding| finding.law.as_deref()).collect();
        assert_eq!(laws, ["weather", "wish"]);
    }
}
