//! The household.

use ltlcrit_household::task;
use ltlcrit_pddl::{PddlWorld, TaskPlanner};
use ltlcrit_worlds::{BoxedWorld, World as _};

use super::error::OpenWorldError;
use super::pddl::{PDDL, of_task};
use super::spec::{Fresh, WorldSpec};

/// A task of the household, whose own constraints are in force unless books are named.
pub const HOUSEHOLD: WorldSpec = WorldSpec {
    name: "household",
    about: "a task of a household robot with its constraints, such as `household:four-room-1`",
    argument: Some("TASK"),
    laws: |task| task.map(|task| format!("household:{task}")).into_iter().collect(),
    vocabulary: |fresh| Ok(world(fresh)?.vocabulary()),
    open: |fresh| Ok(BoxedWorld::new(world(fresh)?)),
    planner: Some(|fresh, strategy| Ok(Box::new(TaskPlanner::new(world(fresh)?, strategy, fresh.seed)))),
    ..PDDL
};

fn world(fresh: &Fresh<'_>) -> Result<PddlWorld, OpenWorldError> {
    let name = fresh.argument.unwrap_or_default();
    let task = task(name).map_err(|error| OpenWorldError::Household(error.to_string()))?;
    of_task(Ok::<_, OpenWorldError>(task.task), &format!("{}:{name}", HOUSEHOLD.name), fresh)
}
