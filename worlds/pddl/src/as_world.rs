//! A planning task in the shielded loop.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use ltlcrit_verifier::{ActionId, Law, LawId, Prediction, PropSet, Vocabulary};
use ltlcrit_worlds::planner::{Planner, Strategy};
use ltlcrit_worlds::{
    ForkableWorld, Left, Observation, Outcome, Outlook, Way, World, WorldError, WorldInfo, async_trait,
};

use crate::formula::State;
use crate::number::Number;
use crate::planner::TaskPlanner;
use crate::world::PddlWorld;

/// The exact outlook on the actions in the state of an observation.
struct TaskOutlook<'a> {
    world: &'a PddlWorld,
    /// The propositions that hold in the state.
    holds: PropSet,
    /// The state; `None` if the observation is not of this task.
    state: Option<State>,
}

impl Outlook for TaskOutlook<'_> {
    fn applicable(&self) -> Option<Vec<ActionId>> {
        let mut actions = Vec::new();
        self.world.applicable_in(self.state.as_ref()?, None, &mut actions);
        let actions = actions.into_iter().map(|action| ActionId(action as u16));
        Some(actions.chain(self.world.words().stop()).collect())
    }

    fn predict(&self, action: ActionId) -> Option<Prediction> {
        if self.world.words().stop() == Some(action) {
            return Some(Prediction::exactly(self.holds));
        }
        self.world.number(action)?;
        // An action that is not applicable changes nothing.
        let course = self.world.course(self.state.as_ref()?, action);
        if self.world.fatal && course.as_ref().is_some_and(|course| course.danger != Number::ZERO) {
            // It fails if the earlier danger leaves no room for it; the observation does not contain that danger.
            return None;
        }
        Some(Prediction::exactly(course.map_or(self.holds, |course| self.world.holds(&course.after))))
    }

    fn passes(&self, action: ActionId) -> Vec<PropSet> {
        self.state.as_ref().map_or_else(Vec::new, |state| self.world.passed(state, action))
    }
}

/// The distance to the goal, by state and danger met so far.
type Known = HashMap<(State, Number), Left>;

/// A task with the known distances of its states.
struct ForkedTask {
    world: PddlWorld,
    known: Rc<RefCell<Known>>,
}

impl ForkableWorld for ForkedTask {
    fn copy(&self) -> Box<dyn ForkableWorld> {
        Box::new(Self { world: self.world.clone(), known: self.known.clone() })
    }

    fn fresh(&self, _: u64) -> Box<dyn ForkableWorld> {
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

    fn forbidden(&self, taken: &[ActionId], laws: &[Law], most_states: usize) -> Option<Vec<LawId>> {
        TaskPlanner::forbidden(self.world.at_the_beginning(), taken, laws, most_states)
    }

    fn never_breaks(&self, law: &Law) -> Option<bool> {
        TaskPlanner::never_breaks(&self.world.at_the_beginning(), law)
    }

    fn planner(&self, strategy: Strategy, seed: u64) -> Option<Box<dyn Planner>> {
        Some(Box::new(TaskPlanner::new(self.world.at_the_beginning(), strategy, seed)))
    }
}

#[async_trait(?Send)]
impl World for PddlWorld {
    fn info(&self) -> WorldInfo {
        let mut options = self.ground().task().description();
        if let Some(seen) = &self.shared.alphabet.seen {
            options["seen"] = serde_json::json!(seen);
        }
        if self.fatal {
            options["fatal_danger"] = true.into();
        }
        WorldInfo { kind: "pddl".to_owned(), seed: None, options, deterministic: true }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.words().clone()
    }

    fn task(&self) -> &str {
        &self.shared.task
    }

    fn role(&self) -> String {
        let role = self.ground().task().metadata.formalized("robot_role").unwrap_or("agent").to_lowercase();
        let article = if role.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {role}")
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        Ok(self.observation(self.state()))
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.act(action)
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.state_of(observation).is_some_and(|state| self.ground().is_goal(&state))
    }

    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        Box::new(TaskOutlook { world: self, holds: observation.holds, state: self.state_of(observation) })
    }

    fn fork(&self, goal: Option<&str>) -> Option<Box<dyn ForkableWorld>> {
        goal.is_none().then(|| Box::new(ForkedTask { world: self.clone(), known: Rc::default() }) as _)
    }
}
