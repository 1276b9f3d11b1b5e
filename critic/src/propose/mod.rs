//! Proposers of changes to laws. The [gate](crate::admission) judges every proposal.

pub mod model_critic;
mod resolution;
pub mod trial_critic;

use std::sync::Arc;

use ltlcrit_model::ModelError;
use ltlcrit_verifier::{Definition, Vocabulary};
use ltlcrit_worlds::async_trait;
pub use model_critic::{ModelCritic, ModelCriticOptions, Unread};
use thiserror::Error;
pub use trial_critic::TrialCritic;

use crate::change::{Change, Refused};
use crate::evidence::Trials;
use crate::graph::TrajectoryGraph;
use crate::law::{KnownLaw, StateConflict};
use crate::notes::RunNotes;

/// The input of a proposer.
#[derive(Clone, Copy, Debug)]
pub struct Brief<'a> {
    /// The task as actors are told it.
    pub task: &'a str,
    /// The propositions laws may speak of.
    pub vocabulary: &'a Arc<Vocabulary>,
    /// The graph of the runs.
    pub graph: &'a TrajectoryGraph,
    /// The labels and weights of the runs' actions.
    pub trials: &'a Trials,
    /// Notes on the runs: revisions, blocked proposals, laws given up.
    pub notes: &'a RunNotes,
    /// The laws that count now.
    pub laws: &'a [KnownLaw],
    /// The conflicts that must be resolved before a law can be added.
    pub conflicts: &'a [StateConflict],
    /// The changes of this proposer that the gate refused in the round before.
    pub refused: &'a [Refused],
    /// The number of this round, from 1.
    pub round: usize,
}

/// The reason why a proposer proposes nothing.
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
        /// The problem with the answer.
        why: String,
    },
}

/// Looks at what runs did and proposes changes to the book.
#[async_trait(?Send)]
pub trait Proposer {
    /// The name that proposals are signed with: `trials`, or a model's name.
    fn name(&self) -> String;

    /// Returns whether it may have more to propose in this round than it had in the rounds before. If not, it is not asked.
    fn has_more(&self, brief: &Brief<'_>) -> bool {
        let _ = brief;
        true
    }

    /// Proposes changes; none if it has nothing more to propose.
    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError>;

    /// The observations that it misses in the vocabulary. A later critique may derive them.
    fn missed(&self) -> &[Definition] {
        &[]
    }

    /// The parts of its answers in this critique that could not be read, whether corrected later or not. Only models have any.
    fn unread(&self) -> &[Unread] {
        &[]
    }
}
