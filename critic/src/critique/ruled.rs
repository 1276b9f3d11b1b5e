//! Proposed changes with the gate's rulings, and the errors of critiques.

use ltlcrit_laws::JointVocabularyError;
use ltlcrit_store::StoreError;
use serde::Serialize;
use thiserror::Error;

use crate::admission::GateError;
use crate::change::{Change, GateRuling};
use crate::graph::GraphError;

/// The proposer of the retirements that the critic itself asks for.
pub const NAME: &str = "critic";

/// The reason why there is no critique.
#[derive(Debug, Error)]
pub enum CritiqueError {
    /// Runs cannot be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The gate cannot work.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A vocabulary cannot be extended.
    #[error(transparent)]
    Vocabulary(#[from] JointVocabularyError),
}

/// A proposed change and the gate's ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ruled {
    /// The round, from 1.
    pub round: usize,
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// The gate's ruling.
    pub ruling: GateRuling,
}
