//! The reasons why a proof about every state may not cover all laws.

use thiserror::Error;

/// Maximum number of propositions of a law that is explored.
pub(super) const MAX_PROPOSITIONS: usize = 12;

/// The reason why the question was not decided for all laws.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Open {
    /// A law mentions more propositions than can be combined.
    #[error("it mentions more than {MAX_PROPOSITIONS} propositions")]
    TooManyPropositions,
    /// A law, or all laws together, have too many memories.
    #[error("its memory has too many states, alone or together with other laws")]
    TooManyMemories,
    /// A law is too complex to be monitored.
    #[error("it is too intricate to be watched")]
    TooIntricate,
    /// The budget ran out.
    #[error("the budget ran out")]
    OutOfBudget,
    /// The laws leave no action in a state, and it is not known whether a run reaches that state.
    #[error("with other laws it leaves no action in a state that perhaps no run reaches")]
    NotReached,
}
