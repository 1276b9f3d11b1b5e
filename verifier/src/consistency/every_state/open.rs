//! Why a proof about every state may not cover all laws.

use thiserror::Error;

/// Laws over more propositions are not explored.
pub(super) const MOST_PROPOSITIONS: usize = 12;

/// Why the question was not decided for all laws.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Open {
    /// A law speaks of more propositions than are tried in all combinations.
    #[error("it speaks of more than {MOST_PROPOSITIONS} propositions")]
    TooManyPropositions,
    /// A law, or all laws together, remember more than is looked at.
    #[error("what it remembers has too many states, alone or with other laws")]
    TooManyMemories,
    /// A law is too intricate to be watched.
    #[error("it is too intricate to be watched")]
    TooIntricate,
    /// The budget ran out.
    #[error("the budget ran out")]
    OutOfBudget,
    /// The laws leave nothing in a state of which it is not known whether a run comes there.
    #[error("with others it leaves nothing in a state that perhaps no run comes to")]
    NotReached,
}
