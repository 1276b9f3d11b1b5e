//! The worlds of this program.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_minecraft::EmbeddedOptions;
use ltlcrit_verifier::Vocabulary;

use super::household::HOUSEHOLD;
use super::made::MADE;
use super::minecraft::{EMBEDDED, SERVER};
use super::pddl::PDDL;
use super::spec::{Fresh, WorldSpec};

/// All of them.
pub static WORLDS: [&WorldSpec; 5] = [&SERVER, &EMBEDDED, &PDDL, &HOUSEHOLD, &MADE];

/// The world of a [kind](ltlcrit_worlds::WorldInfo::kind).
pub fn of_kind(kind: &str) -> Option<&'static WorldSpec> {
    WORLDS.into_iter().find(|spec| spec.name == kind)
}

/// The worlds that need no argument, so that their vocabularies are always the same, with these; each vocabulary once.
pub fn fixed_vocabularies() -> Vec<(&'static WorldSpec, Arc<Vocabulary>)> {
    let fresh = || Fresh {
        argument: None,
        seed: 0,
        minecraft: EmbeddedOptions::default(),
        mentioned: Box::new(|_| BTreeSet::new()),
        fatal_danger: false,
        goal: None,
    };
    let mut known: Vec<(&'static WorldSpec, Arc<Vocabulary>)> = Vec::new();
    for spec in WORLDS.into_iter().filter(|spec| spec.argument.is_none()) {
        if let Ok(vocabulary) = (spec.vocabulary)(&fresh())
            && !known.iter().any(|(_, other)| other.name() == vocabulary.name())
        {
            known.push((spec, vocabulary));
        }
    }
    known
}

/// How each world is written: `embedded`, `pddl:DIR`.
pub(super) fn forms() -> Vec<String> {
    let form = |spec: &WorldSpec| match spec.argument {
        Some(argument) => format!("`{}:{argument}`", spec.name),
        None => format!("`{}`", spec.name),
    };
    WORLDS.into_iter().map(form).collect()
}
