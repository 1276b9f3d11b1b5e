//! Planning tasks by the names of their worlds.

use std::error::Error;
use std::path::Path;

use ltlcrit_pddl::Task;
use ltlcrit_pddl::make::named;

/// Returns the planning task of a world, `pddl:DIR` or `made:SEED-NUMBER`; `None` for any other world.
pub(crate) fn task_of_world(world: &str) -> Option<Result<Task, Box<dyn Error + Send + Sync>>> {
    match world.split_once(':')? {
        ("pddl", folder) => Some(Task::read(Path::new(folder)).map_err(Into::into)),
        ("made", name) => Some(named(name).map_err(Into::into)),
        _ => None,
    }
}
