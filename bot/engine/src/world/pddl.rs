//! Planning tasks in PDDL as worlds.

use std::error::Error;
use std::path::Path;

use ltlcrit_pddl::{PddlObservation, PddlWorld, PddlWorldError, Task, TaskPlanner};
use ltlcrit_worlds::{BoxedWorld, World as _, WorldObservation as _};

use super::error::OpenWorldError;
use super::spec::{Fresh, WorldSpec};

/// A task in a folder.
pub const PDDL: WorldSpec = WorldSpec {
    name: "pddl",
    about: "a planning task in PDDL, which the shield predicts exactly",
    argument: Some("DIR"),
    live: false,
    has_terrain: false,
    laws: |_| Vec::new(),
    vocabulary: |fresh| Ok(world(fresh)?.vocabulary()),
    open: |fresh| Ok(BoxedWorld::new(world(fresh)?)),
    planner: Some(|fresh, strategy| Ok(Box::new(TaskPlanner::new(world(fresh)?, strategy, fresh.seed)))),
    predictor: |info| {
        let world = PddlWorld::described(&info.options).ok()?;
        Some(Box::new(world))
    },
    distances: None,
    shape: PddlObservation::shape,
};

fn world(fresh: &Fresh<'_>) -> Result<PddlWorld, OpenWorldError> {
    let folder = fresh.argument.unwrap_or_default();
    of_task(Task::read(Path::new(folder)).map_err(PddlWorldError::Task), folder, fresh)
}

/// The world of a task for the laws that will be in force; `name` is what errors call it.
pub(super) fn of_task(
    task: Result<Task, impl Into<Box<dyn Error + Send + Sync>>>,
    name: &str,
    fresh: &Fresh<'_>,
) -> Result<PddlWorld, OpenWorldError> {
    let wrong = |error| OpenWorldError::Task { folder: name.to_owned(), error };
    let task = task.map_err(|error| wrong(error.into()))?;
    let world = PddlWorld::under(&task, Some(&fresh.mentioned)).map_err(|error| wrong(error.into()))?;
    if world.ground().actions().is_empty() {
        return Err(wrong(
            "no action ever applies, so there is nothing to do; check the preconditions and `:init`".into(),
        ));
    }
    Ok(if fresh.fatal_danger { world.with_fatal_danger() } else { world })
}
