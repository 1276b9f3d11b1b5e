//! Planning tasks in PDDL as worlds.

use std::error::Error;
use std::path::Path;

use ltlcrit_household::HouseholdTask;
use ltlcrit_pddl::make::named;
use ltlcrit_pddl::{PddlObservation, PddlWorld, Task};
use ltlcrit_translate::Lexicon;
use ltlcrit_worlds::{Shape, World, WorldInfo, WorldObservation as _};

use super::error::OpenWorldError;
use super::spec::{Fresh, Predictor, WorldKind};
use crate::books::danger::CONSTRAINTS;
use crate::books::lexicon;

/// A source of planning tasks.
pub enum Tasks {
    /// A task in a folder, whose own constraints are in force unless books are named.
    Folder,
    /// A task of the household, whose own constraints are in force unless books are named.
    Household,
    /// A random, proved task with danger, by its seed and its number; `ltlcrit exam make` writes such tasks.
    Made,
}

impl Tasks {
    /// Opens the initial world of a task, for the laws that will be in force.
    fn world(&self, fresh: &Fresh<'_>) -> Result<PddlWorld, OpenWorldError> {
        let argument = fresh.argument.unwrap_or_default();
        let called = match self {
            Self::Folder => argument.to_owned(),
            Self::Household | Self::Made => format!("{}:{argument}", self.name()),
        };
        let wrong = |error: Box<dyn Error + Send + Sync>| OpenWorldError::Task { folder: called.clone(), error };
        let task = match self {
            Self::Folder => Task::read(Path::new(argument)).map_err(|error| wrong(error.into()))?,
            Self::Household => of_household(fresh)?.task,
            Self::Made => named(argument).map_err(|error| wrong(error.into()))?,
        };
        let world = PddlWorld::under(&task, Some(&fresh.mentioned)).map_err(|error| wrong(error.into()))?;
        if world.ground().actions().is_empty() {
            return Err(wrong(
                "no action ever applies, so there is nothing to do; check the preconditions and `:init`".into(),
            ));
        }
        Ok(if fresh.fatal_danger { world.with_fatal_danger() } else { world })
    }
}

impl WorldKind for Tasks {
    fn name(&self) -> &'static str {
        match self {
            Self::Folder => "pddl",
            Self::Household => "household",
            Self::Made => "made",
        }
    }

    fn about(&self) -> &'static str {
        match self {
            Self::Folder => "a planning task in PDDL, which the shield predicts exactly",
            Self::Household => "a task of a household robot with its constraints, such as `household:four-room-1`",
            Self::Made => "a random planning task with danger, such as `made:1-7`: the task 7 of the seed 1",
        }
    }

    fn argument(&self) -> Option<&'static str> {
        Some(match self {
            Self::Folder => "DIR",
            Self::Household => "TASK",
            Self::Made => "SEED-NUMBER",
        })
    }

    fn laws(&self, argument: Option<&str>) -> Vec<String> {
        match self {
            Self::Household => argument.map(|task| format!("household:{task}")).into_iter().collect(),
            // A task that cannot be read says so when it is opened.
            Self::Folder => {
                let constrained = |folder: &&str| {
                    Task::read(Path::new(folder)).is_ok_and(|task| task.basic.constraints().next().is_some())
                };
                argument.filter(constrained).map(|folder| format!("{CONSTRAINTS}pddl:{folder}")).into_iter().collect()
            }
            Self::Made => Vec::new(),
        }
    }

    fn open(&self, fresh: &Fresh<'_>) -> Result<Box<dyn World>, OpenWorldError> {
        Ok(Box::new(self.world(fresh)?))
    }

    fn predictor(&self, info: &WorldInfo) -> Option<Box<dyn Predictor>> {
        Some(Box::new(PddlWorld::described(&info.options).ok()?))
    }

    fn shape(&self) -> Shape {
        PddlObservation::shape()
    }

    fn lexicon(&self, fresh: &Fresh<'_>) -> Result<Lexicon, OpenWorldError> {
        if let Self::Household = self {
            return Ok(lexicon::of_household(of_household(fresh)?.english()));
        }
        let world = self.world(fresh)?;
        Ok(lexicon::of_task(world.ground(), world.vocabulary().name()))
    }
}

fn of_household(fresh: &Fresh<'_>) -> Result<HouseholdTask, OpenWorldError> {
    ltlcrit_household::task(fresh.argument.unwrap_or_default())
        .map_err(|error| OpenWorldError::Household(error.to_string()))
}
