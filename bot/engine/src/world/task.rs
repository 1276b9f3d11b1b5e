//! The planning task that a world is.

use std::path::Path;

use ltlcrit_pddl::Task;

use super::error::OpenWorldError;
use super::name::WorldName;
use super::pddl::PDDL;

/// The planning task that a world is.
///
/// # Errors
/// The world is none, or its task cannot be read.
pub fn task(world: &WorldName) -> Result<Task, OpenWorldError> {
    let folder = world.argument().filter(|_| world.spec().name == PDDL.name);
    let folder = folder.ok_or_else(|| OpenWorldError::NoTask { world: world.to_string() })?;
    Task::read(Path::new(folder))
        .map_err(|error| OpenWorldError::Task { folder: folder.to_owned(), error: error.into() })
}
