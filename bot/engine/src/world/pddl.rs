//! Planning tasks in PDDL as worlds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::rc::Rc;

use ltlcrit_pddl::{Number, PddlObservation, PddlWorld, PddlWorldError, State, Task, TaskPlanner};
use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::{BoxedWorld, Outcome, Way, World as _, WorldObservation as _};

use super::error::OpenWorldError;
use super::spec::{Fresh, Left, Trials, WorldSpec};
use crate::books::lexicon;

/// A task in a folder.
pub static PDDL: WorldSpec =
    registered::<InFolder>("pddl", "DIR", "a planning task in PDDL, which the shield predicts exactly");

/// Planning tasks of some source.
pub(super) trait Source {
    /// The world of a task, at its beginning.
    fn world(fresh: &Fresh<'_>) -> Result<PddlWorld, OpenWorldError>;
}

/// The registry entry of the tasks of a source.
pub(super) const fn registered<S: Source>(
    name: &'static str,
    argument: &'static str,
    about: &'static str,
) -> WorldSpec {
    WorldSpec {
        name,
        about,
        argument: Some(argument),
        live: false,
        has_terrain: false,
        laws: |_| Vec::new(),
        vocabulary: |fresh| Ok(S::world(fresh)?.vocabulary()),
        open: |fresh| Ok(BoxedWorld::new(S::world(fresh)?)),
        planner: Some(|fresh, strategy| Ok(Box::new(TaskPlanner::new(S::world(fresh)?, strategy, fresh.seed)))),
        trials: Some(|fresh| Ok(Box::new(TaskTrials { world: S::world(fresh)?, known: Rc::default() }))),
        predictor: |info| Some(Box::new(PddlWorld::described(&info.options).ok()?)),
        distances: None,
        shape: PddlObservation::shape,
        lexicon: |fresh| {
            let world = S::world(fresh)?;
            Ok(lexicon::of_task(world.ground(), world.vocabulary().name()))
        },
        place: |_| None,
        surroundings: None,
        kept: &[],
    }
}

struct InFolder;

impl Source for InFolder {
    fn world(fresh: &Fresh<'_>) -> Result<PddlWorld, OpenWorldError> {
        let folder = fresh.argument.unwrap_or_default();
        of_task(Task::read(Path::new(folder)).map_err(PddlWorldError::Task), folder, fresh)
    }
}

/// A task with what is known of its states.
struct TaskTrials {
    world: PddlWorld,
    known: Rc<RefCell<HashMap<(State, Number), Left>>>,
}

impl Trials for TaskTrials {
    fn copy(&self) -> Box<dyn Trials> {
        Box::new(Self { world: self.world.clone(), known: self.known.clone() })
    }

    fn fresh(&self, _: u64) -> Box<dyn Trials> {
        Box::new(Self { world: self.world.at_the_beginning(), known: self.known.clone() })
    }

    fn act(&mut self, action: ActionId) -> Option<Outcome> {
        self.world.act(action).ok()
    }

    fn left(&mut self) -> Left {
        let search = || match TaskPlanner::nearest(self.world.clone()) {
            Way::Plan(plan) => Left::Steps(plan.len() as u64, plan.first().map(|action| ActionId(*action as u16))),
            Way::None | Way::Forbidden(_) => Left::NoWay,
            Way::GaveUp => Left::Unknown,
        };
        let state = (self.world.state().clone(), self.world.danger());
        *self.known.borrow_mut().entry(state).or_insert_with(search)
    }
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
