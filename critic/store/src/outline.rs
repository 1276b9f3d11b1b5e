//! The bare facts of steps, read without proposals and rulings: millions of steps are read so.

use ltlcrit_verifier::{ActionId, Letter, PropSet};
use ltlcrit_worlds::Reason;
use serde::Deserialize;

use super::{RunId, Store, StoreError};

/// What was done in a step and what held after it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StepOutline {
    /// Its number, which is its letter's position in the run's word.
    pub step: u64,
    /// What held after the step.
    pub observation: Seen,
    /// The letter of the word.
    pub letter: Letter,
    /// What was executed; `None` in step 0.
    pub executed: Option<ExecutedOutline>,
    /// What held right after the step, where the run was resumed here and found something else.
    #[serde(default)]
    pub first_seen: Option<Seen>,
}

/// The action of a step and whether it did what it says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ExecutedOutline {
    /// What was done.
    pub action: ActionId,
    /// What came of it.
    pub outcome: OutcomeOutline,
}

/// Whether an action did what it says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OutcomeOutline {
    /// `None` when it did; otherwise why it did not.
    pub failure: Option<Reason>,
}

/// The observations that held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Seen {
    /// Which.
    pub holds: PropSet,
}

impl Store {
    /// The bare facts of a run's steps, in order, from step 0; an unreadable one is an error in its place.
    pub fn outlines(&self, run: RunId) -> impl DoubleEndedIterator<Item = Result<StepOutline, StoreError>> + use<> {
        self.of_run("steps", &self.steps, run)
    }
}
