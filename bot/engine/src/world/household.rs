//! The household.

use ltlcrit_household::{HouseholdTask, task};
use ltlcrit_pddl::PddlWorld;

use super::error::OpenWorldError;
use super::pddl::{Source, of_task, registered};
use super::spec::{Fresh, WorldSpec};
use crate::books::lexicon;

/// A task of the household, whose own constraints are in force unless books are named.
pub static HOUSEHOLD: WorldSpec = WorldSpec {
    laws: |task| task.map(|task| format!("household:{task}")).into_iter().collect(),
    lexicon: |fresh| Ok(lexicon::of_household(of_household(fresh)?.english())),
    ..registered::<Household>(
        "household",
        "TASK",
        "a task of a household robot with its constraints, such as `household:four-room-1`",
    )
};

struct Household;

impl Source for Household {
    fn world(fresh: &Fresh<'_>) -> Result<PddlWorld, OpenWorldError> {
        let task = of_household(fresh)?.task;
        of_task(Ok::<_, OpenWorldError>(task), &format!("household:{}", fresh.argument.unwrap_or_default()), fresh)
    }
}

fn of_household(fresh: &Fresh<'_>) -> Result<HouseholdTask, OpenWorldError> {
    task(fresh.argument.unwrap_or_default()).map_err(|error| OpenWorldError::Household(error.to_string()))
}
