//! Trials of actions and the verdicts on them.

use ltlcrit_verifier::{ActionId, PropSet};

use crate::graph::Citation;

/// What an executed action was good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It failed, and its run would have ended as well without it.
    Failed,
    /// It did what it says, and its run would have ended as well without it.
    Needless,
    /// It repeated, in a dead end, what had changed no observation before: [`super::stalls`].
    Stalled,
    /// It was blocked, or would have been, and its run got on without it.
    Spared,
    /// It brought something that its run still had when it ended without its goal: that may be of use.
    Open,
    /// Without it its run, which missed its goal, would have missed something that it had for the first time, as far as runs show.
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
    /// What it was good for.
    pub verdict: Verdict,
    /// The step.
    pub step: Citation,
}

impl Trial {
    /// Whether it was executed, and its run would have ended as well without it, or got no further by it.
    pub fn is_bad(&self) -> bool {
        matches!(self.verdict, Verdict::Failed | Verdict::Needless | Verdict::Stalled)
    }

    /// Whether it was executed, and brought its run to the goal or to something that it had for the first time.
    pub(crate) fn brought_something(&self) -> bool {
        matches!(self.verdict, Verdict::Needed | Verdict::Gained)
    }
}
