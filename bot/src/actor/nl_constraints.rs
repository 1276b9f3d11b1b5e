//! The actor that is told the laws in English and runs without a shield, for comparison (Safety Chip's baseline).

use ltlcrit_model::{ChatModel, ModelError, Waits};

use super::{Actor, Proposal, Situation, ask_for_action, prompts};

/// Reads the laws and is trusted to keep them.
#[derive(Debug)]
pub struct NlConstraints<M> {
    model: M,
}

impl<M: ChatModel> NlConstraints<M> {
    /// An actor that asks this model.
    pub fn new(model: M) -> Self {
        Self { model }
    }
}

impl<M: ChatModel> Actor for NlConstraints<M> {
    fn name(&self) -> &str {
        "nl-constraints"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposal, ModelError> {
        ask_for_action(&self.model, prompts::nl_constraints::question(situation), situation).await
    }

    fn waits(&self) -> Waits {
        self.model.waits()
    }
}
