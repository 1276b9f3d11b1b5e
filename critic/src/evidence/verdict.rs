//! Trials of actions and the verdicts on them.

use ltlcrit_store::LawId;
use ltlcrit_verifier::{ActionId, PropSet};

use crate::graph::Citation;

/// A proposed action that laws blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The observations that held.
    pub state: PropSet,
    /// The action.
    pub action: ActionId,
    /// The step at which it was blocked.
    pub step: Citation,
    /// The laws that blocked it.
    pub laws: Vec<LawId>,
    /// True if one of them is hard. Then the block tells nothing of the learned laws.
    pub hard: bool,
    /// The action that was executed instead; `None` if the run ended.
    pub taken: Option<ActionId>,
}

/// The use of an executed or blocked action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It failed, and its run would have ended as well without it.
    Failed,
    /// It changed nothing.
    NoEffect,
    /// It did what it says, and its run would have ended as well without it.
    Needless,
    /// It brought nothing more that is had, in a trap: [`super::traps`].
    Trapped,
    /// It was blocked, and its run gained something soon afterwards.
    Spared,
    /// It came after the last gain of its run, and nothing is known of its use.
    Open,
    /// Without it its run, which missed its goal, would have missed a gain.
    Gained,
    /// Without it its run would have missed its goal, as far as runs show.
    Needed,
}

/// An action that was executed, or blocked, and its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The observations before it.
    pub state: PropSet,
    /// The action.
    pub action: ActionId,
    /// Its use.
    pub verdict: Verdict,
    /// The step.
    pub step: Citation,
}

impl Verdict {
    /// Returns whether the action was executed, and its run would have ended as well without it, or got no further by it.
    pub fn is_bad(self) -> bool {
        matches!(self, Self::Failed | Self::NoEffect | Self::Needless | Self::Trapped)
    }
}

impl Trial {
    /// See [`Verdict::is_bad`].
    pub fn is_bad(&self) -> bool {
        self.verdict.is_bad()
    }

    /// Returns whether it was executed, and brought its run to the goal or to a gain.
    pub fn brought_something(&self) -> bool {
        matches!(self.verdict, Verdict::Needed | Verdict::Gained)
    }
}
