//! Finds laws that can block nothing in a world, by what its actions may lead to.

use std::fmt;
use std::str::FromStr;

use ltlcrit_engine::books::watched::{self, Watched};
use ltlcrit_engine::config::{Config, RunConfig};
use ltlcrit_engine::world::{self, WorldKind, WorldName};
use ltlcrit_laws::{Book, Code, Diagnostic, Entry, Law, Reading, Severity, Strength};

use crate::cli::output::CliError;

/// Maximum number of states that are searched for a way to the goal under laws.
const MAX_STATES: usize = 200_000;

/// A world that laws are for: one that is registered, or all those of a vocabulary by its name, such as `minecraft`.
#[derive(Clone, Debug)]
pub struct LawWorld {
    world: WorldName,
    /// The name of the vocabulary if it is known by that alone, otherwise that of the world.
    name: String,
}

impl FromStr for LawWorld {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = world::fixed_vocabularies();
        let of_vocabulary = |name: &str| {
            let (kind, _) = known.iter().find(|(_, vocabulary)| vocabulary.name() == name)?;
            Some(Self { world: kind.name().parse().ok()?, name: name.to_owned() })
        };
        if let Some(world) = of_vocabulary(text) {
            return Ok(world);
        }
        let named = Self { world: text.parse()?, name: text.to_owned() };
        let is_alone = named.argument().is_none();
        let vocabulary = is_alone.then(|| world::vocabulary(&named.config(Vec::new())).ok()).flatten();
        Ok(vocabulary.and_then(|vocabulary| of_vocabulary(vocabulary.name())).unwrap_or(named))
    }
}

impl fmt::Display for LawWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl LawWorld {
    /// The registry entry of the world.
    pub fn kind(&self) -> &'static dyn WorldKind {
        self.world.kind()
    }

    /// Returns the text after the colon.
    pub fn argument(&self) -> Option<&str> {
        self.world.argument()
    }

    /// The world, if it is not known by its vocabulary alone.
    pub fn named(&self) -> Option<&WorldName> {
        self.argument().map(|_| &self.world)
    }

    /// Returns whether this is the given world, or one with the same vocabulary as all of its kind.
    pub fn is(&self, world: &WorldName) -> bool {
        self.world == *world || world.to_string().parse().is_ok_and(|other: Self| other.world == self.world)
    }

    /// The configuration of this world with some books.
    pub fn config(&self, books: Vec<String>) -> Config {
        let run = RunConfig { world: self.world.clone(), laws: Some(books), ..RunConfig::default() };
        Config { run, ..Config::default() }
    }

    /// Returns whether every action has one outcome here, which is known beforehand.
    pub fn has_one_outcome(&self) -> bool {
        self.kind().surroundings().is_none()
    }

    /// The laws under check that, each alone, can keep no action from running.
    ///
    /// # Errors
    /// A book over another vocabulary than the world's.
    pub fn blocking_nothing(&self, readings: &[Reading], proposed: bool) -> Result<Vec<Diagnostic>, CliError> {
        if self.has_one_outcome() {
            return self.unbreakable(readings, proposed);
        }
        let (mut findings, vocabulary) = (Vec::new(), world::vocabulary(&self.config(Vec::new()))?);
        for reading in readings {
            let (book, name) = (&reading.book, reading.book.vocabulary().name());
            if name != vocabulary.name() {
                let message =
                    format!("{} is over the vocabulary `{name}`, not over `{}`", book.name(), vocabulary.name());
                return Err(CliError::input(message).help("leave out `--world`"));
            }
            for entry in checked(book, proposed) {
                let defined = |name: &str| book.derived().iter().find(|entry| *entry.name == *name);
                let changes = |name: &str| {
                    let definition = defined(name).map(|entry| &entry.definition);
                    watched::changes_always(self.kind(), &vocabulary, name, definition)
                };
                let found = watched::watched_only(&entry.formula, entry.strength, &vocabulary, changes);
                let Some(Watched { why, help }) = found else { continue };
                findings.push(finding(book, entry, Severity::Warning, Code::BlocksNothing, why).help(help));
            }
        }
        Ok(findings)
    }

    /// The hard laws under check that leave no way to the goal, as one finding, if that is proved.
    ///
    /// # Errors
    /// The world cannot be opened.
    pub fn excluding_the_goal(&self, readings: &[Reading], proposed: bool) -> Result<Option<Diagnostic>, CliError> {
        let books: Vec<&Book> = readings.iter().map(|reading| &reading.book).collect();
        let entries = books.iter().flat_map(|book| checked(book, proposed).map(move |entry| (*book, entry)));
        let hard: Vec<(&Book, &Entry)> = entries.filter(|(_, entry)| entry.strength == Strength::Hard).collect();
        let laws: Vec<Law> = hard.iter().map(|(_, entry)| hard_law(entry)).collect();
        let world = world::open_for(&self.config(Vec::new()), &books)?;
        let guilty = world.fork(None).and_then(|fork| fork.forbidden(&[], &laws, MAX_STATES)).unwrap_or_default();
        let Some((book, entry)) = hard.iter().find(|(_, entry)| guilty.contains(&entry.id)) else { return Ok(None) };
        let others: Vec<String> = guilty.iter().filter(|law| **law != entry.id).map(|law| format!("`{law}`")).collect();
        let together = if others.is_empty() { String::new() } else { format!("with {}, ", others.join(", ")) };
        let message = format!("{together}it leaves no way to the goal of `{self}`: {}", world.task());
        let found = finding(book, entry, Severity::Warning, Code::NoWayToGoal, message);
        Ok(Some(found.help("a run under it ends without the goal; change the law, or make it soft")))
    }

    /// The hard laws that no run can break, whatever is done, and those of which that was not decided. Where it is known what each
    /// action leads to, a hard law that something can break blocks it.
    fn unbreakable(&self, readings: &[Reading], proposed: bool) -> Result<Vec<Diagnostic>, CliError> {
        let books: Vec<&Book> = readings.iter().map(|reading| &reading.book).collect();
        let (world, opened) = (&self.world, world::open_for(&self.config(Vec::new()), &books)?);
        let (known, mut findings) = (opened.vocabulary(), Vec::new());
        for book in readings.iter().map(|reading| &reading.book) {
            for entry in checked(book, proposed).filter(|entry| entry.strength == Strength::Hard) {
                let unknown = entry.formula.atoms().into_iter().find(|atom| known.id(atom).is_none());
                if let Some(name) = unknown {
                    let message = format!("`{world}` has no `{name}`, so nothing there can break or keep the law");
                    let help = known.nearest(&name).map(|nearest| format!("did you mean `{nearest}`?"));
                    let found = finding(book, entry, Severity::Error, Code::BlocksNothing, message);
                    findings.push(Diagnostic { help, ..found });
                    continue;
                }
                let never = opened.fork(None).and_then(|world| world.never_breaks(&hard_law(entry)));
                let (severity, code, message) = match never {
                    Some(false) => continue,
                    Some(true) => {
                        let message =
                            format!("no run of `{world}` breaks it, whatever is done: it blocks nothing there");
                        (Severity::Error, Code::BlocksNothing, message)
                    }
                    None => {
                        let message = format!("whether a run of `{world}` can break it was not decided");
                        (Severity::Warning, Code::Undecided, message)
                    }
                };
                findings.push(finding(book, entry, severity, code, message));
            }
        }
        Ok(findings)
    }
}

/// The laws of a book that are under check: those in force, and with `proposed` those that wait for review.
fn checked(book: &Book, proposed: bool) -> impl Iterator<Item = &Entry> {
    book.entries().iter().filter(move |entry| entry.in_force() || proposed && entry.status.is_waiting())
}

fn hard_law(entry: &Entry) -> Law {
    Law::hard(entry.id.clone(), entry.formula.clone(), entry.explanation.clone())
}

/// A finding about a law.
fn finding(book: &Book, entry: &Entry, severity: Severity, code: Code, message: String) -> Diagnostic {
    let finding = Diagnostic::new(severity, code, message).at(book.source(), entry.formula_place.clone());
    Diagnostic { law: Some(entry.id.to_string()), ..finding }
}

#[cfg(test)]
mod tests {
    use ltlcrit_laws::read_named;
    use ltlcrit_minecraft::vocabulary;

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
        let minecraft: LawWorld = "minecraft".parse().unwrap();
        let found = minecraft.blocking_nothing(&[reading], false).unwrap();
        let laws: Vec<&str> = found.iter().filter_map(|finding| finding.law.as_deref()).collect();
        assert_eq!(laws, ["weather", "wish"]);
    }

    /// The finding of laws by their formulas, about the goal of Minecraft.
    fn about_the_goal(formulas: &[&str]) -> Option<String> {
        let law = |(index, formula): (usize, &&str)| {
            format!(
                "[[law]]\nid = \"law-{index}\"\nformula = \"{formula}\"\nstrength = \"hard\"\nexplanation = \"A test.\"\n\
                 status = \"adopted\"\nprovenance = {{ origin = \"hand\" }}\n\n"
            )
        };
        let laws: String = formulas.iter().enumerate().map(law).collect();
        let text = format!("name = \"test\"\nvocabulary = \"minecraft\"\nrevision = 1\n\n{laws}");
        let reading = Reading::parse(&text, "test", &[vocabulary()]);
        let minecraft: LawWorld = "minecraft".parse().unwrap();
        minecraft.excluding_the_goal(&[reading], false).unwrap().map(|finding| finding.message)
    }

    #[test]
    fn laws_that_leave_no_way_to_the_goal_are_found() {
        assert_eq!(about_the_goal(&["G(obs_has_log -> X !action_mine_log)"]), None);
        assert_eq!(
            about_the_goal(&["G(obs_has_log -> X !action_mine_log)", "G !action_mine_log"]).unwrap(),
            "it leaves no way to the goal of `minecraft`: Mine a diamond."
        );
        // Each of the two alone leaves a way.
        let both = ["G(obs_has_log -> X !action_craft_planks)", "G(!obs_has_log -> X !action_craft_planks)"];
        assert!(both.iter().all(|law| about_the_goal(&[law]).is_none()));
        let found = about_the_goal(&both).unwrap();
        assert!(found.starts_with("with `law-1`, it leaves no way"), "{found}");
    }
}
