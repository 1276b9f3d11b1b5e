//! Worlds that can be copied and searched.

use ltlcrit_verifier::{ActionId, Law, LawId};

use crate::outcome::Outcome;
use crate::planner::{Planner, Strategy};

/// How far the goal of a world is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The least number of actions to it, and the first of them; none at the goal.
    Steps(u64, Option<ActionId>),
    /// No way leads there.
    NoWay,
    /// The search for a way gave up.
    Unknown,
}

/// A world that can be copied, and whose ways to the goal are searched. All copies share what was found.
pub trait ForkableWorld {
    /// A copy that goes on by itself.
    fn copy(&self) -> Box<dyn ForkableWorld>;

    /// The fresh world of a seed.
    fn fresh(&self, seed: u64) -> Box<dyn ForkableWorld>;

    /// Executes an action; `None` if nothing can be done any more.
    fn act(&mut self, action: ActionId) -> Option<Outcome>;

    /// How far the goal is.
    fn left(&mut self) -> Left;

    /// Whether no way leads to the goal without these actions: proved for all that the planner knows of.
    fn needs(&self, actions: &[ActionId]) -> bool {
        let _ = actions;
        false
    }

    /// The steps that a player with this world's planner needs to the goal in the fresh world of a seed, exploring included;
    /// `None` if it finds no way, or is known for another goal alone.
    fn reference(&mut self, seed: u64) -> Option<u64> {
        match self.fresh(seed).left() {
            Left::Steps(steps, _) => Some(steps),
            Left::NoWay | Left::Unknown => None,
        }
    }

    /// Of some laws those that leave no way to the goal after the actions taken since the world was fresh, none of which can be
    /// left out: proved. `None` where there is a way, where no law is to blame, and where it is not known.
    fn forbidden(&self, taken: &[ActionId], laws: &[Law]) -> Option<Vec<LawId>> {
        let _ = (taken, laws);
        None
    }

    /// Whether no run of this world breaks a law, whatever is done: it then blocks nothing here. `None` where it is not known.
    fn never_breaks(&self, law: &Law) -> Option<bool> {
        let _ = law;
        None
    }

    /// An actor that searches this world from its beginning; `None` where it cannot be searched under laws.
    fn planner(&self, strategy: Strategy, seed: u64) -> Option<Box<dyn Planner>> {
        let _ = (strategy, seed);
        None
    }
}
