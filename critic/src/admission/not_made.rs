//! A law that was judged, and the reasons why a change is not made.

use ltlcrit_verifier::consistency::ConsistencyError;
use ltlcrit_verifier::{Formula, PropSet};

use super::{GateError, Refusal};
use crate::law::Restriction;

/// A proposed formula and what it blocks.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub formula: Formula,
    pub restriction: Restriction,
    /// How it was narrowed from what was proposed, and because of which steps or states.
    pub narrowed: Vec<String>,
}

/// Why a change is not made.
#[derive(Debug)]
pub(super) enum NotMade {
    /// The gate refuses it, with a counterexample if a state shows why.
    Refused(Refusal, Option<PropSet>),
    /// The gate cannot work.
    Failed(GateError),
}

impl NotMade {
    /// The state that shows why not.
    pub fn counterexample(&self) -> Option<PropSet> {
        match self {
            Self::Refused(_, counterexample) => *counterexample,
            Self::Failed(_) => None,
        }
    }

    /// Why not, in words.
    pub fn reason(&self) -> String {
        match self {
            Self::Refused(refusal, _) => refusal.to_string(),
            Self::Failed(error) => error.to_string(),
        }
    }
}

impl From<Refusal> for NotMade {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal, None)
    }
}

impl From<GateError> for NotMade {
    fn from(error: GateError) -> Self {
        Self::Failed(error)
    }
}

impl From<ConsistencyError> for NotMade {
    fn from(error: ConsistencyError) -> Self {
        Self::Failed(error.into())
    }
}
