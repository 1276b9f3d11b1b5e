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
    /// It was proposed and blocked, and its run got on without it.
    Spared,
    /// It brought something that its run still had when it ended without its goal: that may be of use or not.
    Open,
    /// Its run reached its goal, and nothing shows that it would have without it.
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
    /// Whether its run would not have ended as well without it, and it brought something that the run had not had before: an
    /// observation that follows the counts, or any where nothing is counted.
    pub gain: bool,
    /// The step.
    pub step: Citation,
}
