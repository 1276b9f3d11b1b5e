//! Tasks that are made.

use ltlcrit_pddl::PddlWorld;
use ltlcrit_pddl::make::named;

use super::error::OpenWorldError;
use super::pddl::{Source, of_task, registered};
use super::spec::{Fresh, WorldSpec};

/// A random task with danger, proved, by its seed and its number; what `ltlcrit exam make` writes.
pub static MADE: WorldSpec = registered::<Made>(
    "made",
    "SEED-NUMBER",
    "a random planning task with danger, such as `made:1-7`: the task 7 of the seed 1",
);

struct Made;

impl Source for Made {
    fn world(fresh: &Fresh<'_>) -> Result<PddlWorld, OpenWorldError> {
        let name = fresh.argument.unwrap_or_default();
        of_task(named(name), &format!("made:{name}"), fresh)
    }
}
