//! The reasons why a question about laws has no answer.

use thiserror::Error;

use crate::sat::OutOfBudget;
use crate::vocabulary::UnknownProposition;

/// The reason why a question about laws has no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConsistencyError {
    /// The vocabulary has no action other than stopping.
    #[error("the vocabulary `{0}` has no action besides stopping: there is nothing to over-constrain")]
    NoActions(String),
    /// A guard is not a Boolean formula over observations, or a demand is not one over actions.
    #[error(
        "the {part} `{formula}` of law {law} is not a Boolean formula over {over} of the vocabulary `{vocabulary}`"
    )]
    BadPart {
        /// Index of the law.
        law: usize,
        /// `guard` or `demand`.
        part: &'static str,
        /// The formula.
        formula: String,
        /// `observations` or `actions`.
        over: &'static str,
        /// The vocabulary's name.
        vocabulary: String,
    },
    /// A law has a proposition that is not in the vocabulary.
    #[error("law {law} mentions `{}`, which is not in the vocabulary", .unknown.name)]
    UnknownProposition {
        /// Index of the law.
        law: usize,
        /// The proposition.
        unknown: UnknownProposition,
    },
    /// The solver's budget ran out: its conflicts, or the work they take.
    #[error("undecided: the question exceeds the solver's budget of {0} conflicts, or the work they take")]
    Budget(u64),
}

impl From<OutOfBudget> for ConsistencyError {
    fn from(OutOfBudget(limit): OutOfBudget) -> Self {
        Self::Budget(limit)
    }
}
