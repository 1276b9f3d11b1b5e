//! The embedded world with the planner of the symbolic task.

use std::cell::RefCell;
use std::rc::Rc;

use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::{ForkableWorld, Left, Outcome};

use super::EmbeddedWorld;
use crate::optima::Optima;
use crate::planner::{Goal, Planner, State, TaskRules};
use crate::vocabulary::vocabulary;

/// The embedded world with the planner of the symbolic task.
pub(super) struct ForkedWorld {
    world: EmbeddedWorld,
    planner: Rc<RefCell<Planner>>,
    /// The steps to a diamond, if that is the goal.
    optima: Option<Rc<RefCell<Optima>>>,
}

impl ForkedWorld {
    /// A world with the diamond or another milestone as its goal; `None` if there is no such milestone.
    pub fn new(world: EmbeddedWorld, goal: Option<&str>) -> Option<Self> {
        let is_named = |name: &str| goal.map_or(name == "diamond", |goal| goal == name);
        let place = EmbeddedWorld::milestones().iter().position(|milestone| is_named(&milestone.name))?;
        let goal = Goal::MILESTONES[place];
        let planner = Rc::new(RefCell::new(Planner::new(goal, TaskRules::default())));
        let optima = (goal == Goal::Diamond).then(|| Rc::new(RefCell::new(Optima::new(world.options))));
        Some(Self { world, planner, optima })
    }

    /// Another world with the same planner.
    fn with(&self, world: EmbeddedWorld) -> Self {
        Self { world, planner: self.planner.clone(), optima: self.optima.clone() }
    }
}

impl ForkableWorld for ForkedWorld {
    fn copy(&self) -> Box<dyn ForkableWorld> {
        Box::new(self.with(self.world.clone()))
    }

    fn fresh(&self, seed: u64) -> Box<dyn ForkableWorld> {
        Box::new(self.with(EmbeddedWorld::new(seed, self.world.options)))
    }

    fn act(&mut self, action: ActionId) -> Option<Outcome> {
        self.world.act(action).ok()
    }

    fn left(&mut self) -> Left {
        let (state, mut planner) = (State::of(&self.world.look()), self.planner.borrow_mut());
        match planner.distance(&state) {
            Some(steps) => {
                Left::Steps(steps.into(), planner.next_action(&state).and_then(|name| vocabulary().action(name)))
            }
            None => Left::NoWay,
        }
    }

    fn needs(&self, actions: &[ActionId]) -> bool {
        let is_left = |name: &str| vocabulary().action(name).is_none_or(|action| !actions.contains(&action));
        !self.planner.borrow().may_reach(&is_left)
    }

    fn reference(&mut self, seed: u64) -> Option<u64> {
        self.optima.as_ref()?.borrow_mut().of(seed)
    }
}
