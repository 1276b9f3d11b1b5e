//! The planning task that a world is.

use std::path::Path;

use ltlcrit_pddl::Task;
use ltlcrit_pddl::make::named;

use super::error::OpenWorldError;
use super::made::MADE;
use super::name::WorldName;
use super::pddl::PDDL;

/// The planning task that a world is.
///
/// # Errors
/// The world is none, or its task cannot be read.
pub fn task(world: &WorldName) -> Result<Task, OpenWorldError> {
    let wrong = |error: Box<dyn std::error::Error + Send + Sync>| OpenWorldError::Task {
        folder: world.argument().unwrap_or_default().to_owned(),
        error,
    };
    match (world.spec().name, world.argument()) {
        (name, Some(folder)) if name == PDDL.name => Task::read(Path::new(folder)).map_err(|error| wrong(error.into())),
        (name, Some(task)) if name == MADE.name => named(task).map_err(|error| wrong(error.into())),
        _ => Err(OpenWorldError::NoTask { world: world.to_string() }),
    }
}
