//! The naive actor: state and actions in, an action out.

use ltlcrit_model::{ChatModel, ModelError, Waits};

use super::{Actor, Proposal, Situation, ask_for_action, prompts};

/// Chooses from what it sees now, without memory.
#[derive(Debug)]
pub struct Naive<M> {
    model: M,
}

impl<M: ChatModel> Naive<M> {
    /// An actor that asks this model.
    pub fn new(model: M) -> Self {
        Self { model }
    }
}

impl<M: ChatModel> Actor for Naive<M> {
    fn name(&self) -> &str {
        "naive"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposal, ModelError> {
        ask_for_action(&self.model, prompts::naive::question(situation), situation).await
    }

    fn waits(&self) -> Waits {
        self.model.waits()
    }
}
