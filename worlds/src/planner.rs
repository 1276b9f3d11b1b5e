//! Planners: actors with an exact model of their world. They serve as baselines for actors that ask a model.

use ltlcrit_verifier::{ActionId, Law};
use strum::{IntoStaticStr, VariantArray};

/// The kind of plan that a planner searches for. If the search for the shortest plan exceeds its budget, any plan is
/// accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Strategy {
    /// The shortest plan to the goal, regardless of the laws.
    Shortest,
    /// The shortest plan, with each action replaced by its careful variant if one exists by name. It also inserts every
    /// action that serves no goal once, as soon as it applies. This rule reads no description of danger.
    Careful,
    /// The shortest plan that satisfies the hard laws and stays within the tolerated danger.
    Safe,
    /// The shortest plan that satisfies all laws in force, hard and soft, regardless of danger.
    Lawful,
    /// The shortest plan that satisfies the hard laws that it remembers. The seed samples them; the more laws, the
    /// smaller the share. A law named in a refusal is remembered from then on.
    Forgetful,
    /// The shortest plan that satisfies the hard laws named in refusals so far; initially none.
    Corrected,
    /// A random applicable action, drawn with the seed.
    Random,
    /// A random applicable action that violates a law, drawn with the seed; without one, any applicable action.
    Hostile,
    /// No actions: the planner stops at once.
    Empty,
}

impl Strategy {
    /// All strategies.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name of the strategy.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The next move of a planner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// An action, and the number of actions left to the goal after it, if known.
    Act(ActionId, Option<usize>),
    /// Stopping, with the reason.
    Stop(String),
    /// No move: the search was given up, with the reason.
    GaveUp(String),
}

/// An actor that searches for plans in a world that it can fork.
pub trait Planner {
    /// Returns the next action after those taken since the start, under `laws`, other than those refused now. The
    /// result depends on nothing else, so that a resumed run continues as if it had never stopped.
    fn next(&mut self, taken: &[ActionId], refused: &[ActionId], laws: &[Law]) -> Next;

    /// Reports the actions refused at earlier steps, each with the number of actions taken before. The planner may then
    /// leave out these actions in these states. Call it before each [`next`](Self::next).
    fn recall(&mut self, refused: &[(usize, ActionId)]) {
        let _ = refused;
    }
}
