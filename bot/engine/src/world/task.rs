//! The planning task that a world is.

use ltlcrit_pddl::Task;

use super::error::OpenWorldError;
use super::name::WorldName;
use crate::task::task_of_world;

/// The planning task that a world is.
///
/// # Errors
/// The world is none, or its task cannot be read.
pub fn task(world: &WorldName) -> Result<Task, OpenWorldError> {
    let folder = || world.argument().unwrap_or_default().to_owned();
    match task_of_world(&world.to_string()) {
        Some(task) => task.map_err(|error| OpenWorldError::Task { folder: folder(), error }),
        None => Err(OpenWorldError::NoTask { world: world.to_string() }),
    }
}
