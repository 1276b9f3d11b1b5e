//! Proposers: whoever looks at what runs did and wants laws changed. One interface for all of them; what they propose is
//! judged by the [gate](crate::admission), never believed.

pub mod graph_critic;
pub mod model_critic;

use std::sync::Arc;

pub use graph_critic::{GraphCritic, GraphCriticOptions};
use ltlcrit_model::ModelError;
use ltlcrit_verifier::Vocabulary;
pub use model_critic::{ModelCritic, ModelCriticOptions, Unread};
use thiserror::Error;

use crate::blocked::Blocked;
use crate::change::{Change, Refused};
use crate::graph::{Classes, TrajectoryGraph};
use crate::law::{KnownLaw, StateConflict};

/// What a proposer is given.
#[derive(Clone, Copy, Debug)]
pub struct Brief<'a> {
    /// The task as actors are told it.
    pub task: &'a str,
    /// The propositions laws may speak of.
    pub vocabulary: &'a Arc<Vocabulary>,
    /// What runs did.
    pub graph: &'a TrajectoryGraph,
    /// What their choices were worth.
    pub classes: &'a Classes,
    /// The laws that count now.
    pub laws: &'a [KnownLaw],
    /// What came of what laws blocked.
    pub blocked: &'a Blocked,
    /// What has to be resolved before anything can be added.
    pub conflicts: &'a [StateConflict],
    /// What this proposer wanted in the round before and the gate refused.
    pub refused: &'a [Refused],
    /// The number of this round, from 1.
    pub round: usize,
}

/// Why a proposer proposes nothing.
#[derive(Debug, Error)]
pub enum ProposeError {
    /// The model behind it gave no answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model answered, and the answer cannot be read.
    #[error("the answer of {model} cannot be read: {why}")]
    Unreadable {
        /// The model.
        model: String,
        /// What is wrong with the answer.
        why: String,
    },
}

/// Looks at what runs did and proposes changes to the book.
#[allow(async_fn_in_trait)]
pub trait Proposer {
    /// Who it is, as proposals are signed: `graph`, or a model's name.
    fn name(&self) -> String;

    /// What should change. An empty answer: nothing more.
    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError>;

    /// What of its answers in this critique could not be read, put right since or not. Only models have any.
    fn unread(&self) -> &[Unread] {
        &[]
    }
}
