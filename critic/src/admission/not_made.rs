//! A law that was judged, and the reasons why a change is not made.

use ltlcrit_laws::{BookErrors, EditError};
use ltlcrit_store::{LawId, StoreError};
use ltlcrit_verifier::consistency::ConsistencyError;
use ltlcrit_verifier::{Formula, PropSet};
use thiserror::Error;

use crate::change::Refusal;
use crate::law::Restriction;

/// The reason why the gate cannot work.
#[derive(Debug, Error)]
pub enum GateError {
    /// The store cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The book cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The changed book cannot be read.
    #[error("the changed book cannot be read: {0}")]
    Book(#[from] BookErrors),
    /// A law reads otherwise in the book than it was judged.
    #[error("the law `{law}` reads otherwise in the book than it was judged; nothing was changed")]
    Changed {
        /// The law.
        law: LawId,
    },
    /// The vocabulary does not fit the laws.
    #[error(transparent)]
    Consistency(#[from] ConsistencyError),
}

/// A proposed formula and what it blocks.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub formula: Formula,
    pub restriction: Restriction,
    /// The literals that narrowed it, each with the refusal that it was added for.
    pub narrowed: Vec<String>,
}

/// The reason why a change is not made.
#[derive(Debug, Error)]
pub(super) enum NotMade {
    /// The gate refuses it, with a counterexample if a state shows why.
    #[error("{0}")]
    Refused(Refusal, Option<PropSet>),
    /// The gate cannot work.
    #[error(transparent)]
    Failed(#[from] GateError),
}

impl NotMade {
    /// Returns the state that shows why not.
    pub fn counterexample(&self) -> Option<PropSet> {
        if let Self::Refused(_, counterexample) = self { *counterexample } else { None }
    }
}

impl From<Refusal> for NotMade {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal, None)
    }
}

impl From<ConsistencyError> for NotMade {
    fn from(error: ConsistencyError) -> Self {
        Self::Failed(error.into())
    }
}
