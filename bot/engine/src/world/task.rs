//! Reads the planning task of a world.

use ltlcrit_pddl::Task;

use super::error::OpenWorldError;
use super::name::WorldName;
use crate::task::task_of_world;
use crate::user_error::UserError;

/// Reads the planning task of a world.
///
/// # Errors
/// The world is not a planning task, or its task cannot be read.
pub fn task(world: &WorldName) -> Result<Task, OpenWorldError> {
    let folder = || world.argument().unwrap_or_default().to_owned();
    match task_of_world(&world.to_string()) {
        Some(task) => task.map_err(|error| OpenWorldError::Task { folder: folder(), error }),
        None => {
            let message = format!(
                "the world `{world}` is no planning task with danger; examinations are of `pddl:DIR` and \
                 `made:SEED-NUMBER`"
            );
            let help = "leave out `run.exam`, or name a planning task: --world pddl:DIR";
            Err(OpenWorldError::Config(UserError::new(message).help(help)))
        }
    }
}
