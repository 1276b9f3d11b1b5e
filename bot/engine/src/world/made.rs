//! Tasks that are made.

use ltlcrit_pddl::make::named;
use ltlcrit_pddl::{PddlWorld, TaskPlanner};
use ltlcrit_worlds::{BoxedWorld, World as _};

use super::error::OpenWorldError;
use super::pddl::{PDDL, of_task};
use super::spec::{Fresh, WorldSpec};

/// A random task with danger, proved, by its seed and its number; what `ltlcrit exam make` writes.
pub const MADE: WorldSpec = WorldSpec {
    name: "made",
    about: "a random planning task with danger, such as `made:1-7`: the task 7 of the seed 1",
    argument: Some("SEED-NUMBER"),
    vocabulary: |fresh| Ok(world(fresh)?.vocabulary()),
    open: |fresh| Ok(BoxedWorld::new(world(fresh)?)),
    planner: Some(|fresh, strategy| Ok(Box::new(TaskPlanner::new(world(fresh)?, strategy, fresh.seed)))),
    ..PDDL
};

fn world(fresh: &Fresh<'_>) -> Result<PddlWorld, OpenWorldError> {
    let name = fresh.argument.unwrap_or_default();
    of_task(named(name), &format!("{}:{name}", MADE.name), fresh)
}
