//! The registry of the worlds of this program.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_minecraft::EmbeddedOptions;
use ltlcrit_verifier::Vocabulary;

use super::minecraft::{EMBEDDED, SERVER};
use super::pddl::Tasks;
use super::spec::{Fresh, WorldKind};

/// All kinds of worlds.
pub static WORLDS: [&dyn WorldKind; 5] = [&SERVER, &EMBEDDED, &Tasks::Folder, &Tasks::Household, &Tasks::Made];

/// Returns the kind of world with this [name](ltlcrit_worlds::WorldInfo::kind).
pub fn of_kind(kind: &str) -> Option<&'static dyn WorldKind> {
    WORLDS.into_iter().find(|known| known.name() == kind)
}

/// Returns the worlds without an argument, whose vocabularies are always the same, with these vocabularies, each once.
pub fn fixed_vocabularies() -> Vec<(&'static dyn WorldKind, Arc<Vocabulary>)> {
    let fresh = || Fresh {
        argument: None,
        seed: 0,
        minecraft: EmbeddedOptions::default(),
        mentioned: Box::new(|_| BTreeSet::new()),
        fatal_danger: false,
    };
    let mut known: Vec<(&'static dyn WorldKind, Arc<Vocabulary>)> = Vec::new();
    for kind in WORLDS.into_iter().filter(|kind| kind.argument().is_none()) {
        if let Ok(vocabulary) = kind.vocabulary(&fresh())
            && !known.iter().any(|(_, other)| other.name() == vocabulary.name())
        {
            known.push((kind, vocabulary));
        }
    }
    known
}

/// Lists the form of each world's name: `embedded`, `pddl:DIR`.
pub(super) fn forms() -> Vec<String> {
    let form = |kind: &dyn WorldKind| match kind.argument() {
        Some(argument) => format!("`{}:{argument}`", kind.name()),
        None => format!("`{}`", kind.name()),
    };
    WORLDS.into_iter().map(form).collect()
}
