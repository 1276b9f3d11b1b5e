//! The worlds of this program.

use super::household::HOUSEHOLD;
use super::made::MADE;
use super::minecraft::{EMBEDDED, SERVER};
use super::pddl::PDDL;
use super::spec::WorldSpec;

/// All of them.
pub static WORLDS: [&WorldSpec; 5] = [&SERVER, &EMBEDDED, &PDDL, &HOUSEHOLD, &MADE];

/// The world of a [kind](ltlcrit_worlds::WorldInfo::kind).
pub fn of_kind(kind: &str) -> Option<&'static WorldSpec> {
    WORLDS.into_iter().find(|spec| spec.name == kind)
}

/// How each world is written: `embedded`, `pddl:DIR`.
pub(super) fn forms() -> Vec<String> {
    let form = |spec: &WorldSpec| match spec.argument {
        Some(argument) => format!("`{}:{argument}`", spec.name),
        None => format!("`{}`", spec.name),
    };
    WORLDS.into_iter().map(form).collect()
}
