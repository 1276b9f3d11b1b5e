//! Worlds that can be copied and searched.

use ltlcrit_verifier::{ActionId, Law, LawId};

use crate::outcome::Outcome;
use crate::planner::{Planner, Strategy};

/// The distance to the goal of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The smallest number of actions to the goal, and the first of them; `None` at the goal.
    Steps(u64, Option<ActionId>),
    /// No sequence of actions reaches the goal.
    NoWay,
    /// The search exceeded its budget.
    Unknown,
}

/// A world that can be copied and searched. All copies share the results of searches.
pub trait ForkableWorld {
    /// A copy that continues independently.
    fn copy(&self) -> Box<dyn ForkableWorld>;

    /// A fresh world with a seed.
    fn fresh(&self, seed: u64) -> Box<dyn ForkableWorld>;

    /// Executes an action; `None` if no more actions are possible.
    fn act(&mut self, action: ActionId) -> Option<Outcome>;

    /// The distance to the goal.
    fn left(&mut self) -> Left;

    /// The number of steps that this world's planner takes to the goal in the fresh world of a seed, exploration
    /// included. `None` if it finds no plan, or if the number is known only for another goal.
    fn reference(&mut self, seed: u64) -> Option<u64> {
        match self.fresh(seed).left() {
            Left::Steps(steps, _) => Some(steps),
            Left::NoWay | Left::Unknown => None,
        }
    }

    /// Returns a minimal subset of the laws that is proved to exclude the goal after the actions taken since the start.
    /// `None` if the goal can be reached, if no law is the cause, or if a search of `most_states` states does not decide it.
    fn forbidden(&self, taken: &[ActionId], laws: &[Law], most_states: usize) -> Option<Vec<LawId>> {
        let _ = (taken, laws, most_states);
        None
    }

    /// Returns whether no run of this world can violate a law, so that the law never blocks here; `None` if unknown.
    fn never_breaks(&self, law: &Law) -> Option<bool> {
        let _ = law;
        None
    }

    /// An actor that searches this world from its initial state; `None` if it cannot be searched under laws.
    fn planner(&self, strategy: Strategy, seed: u64) -> Option<Box<dyn Planner>> {
        let _ = (strategy, seed);
        None
    }
}
