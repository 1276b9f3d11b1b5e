//! The Inner Monologue actor: it thinks aloud and is told what it thought, did and got (LTLCrit section 4.2).

use ltlcrit_model::{ChatModel, ModelError, Waits};

use super::{Actor, Proposal, Situation, ask_for_action, prompts};

/// Remembers through its prompt alone.
#[derive(Debug)]
pub struct InnerMonologue<M> {
    model: M,
}

impl<M: ChatModel> InnerMonologue<M> {
    /// An actor that asks this model.
    pub fn new(model: M) -> Self {
        Self { model }
    }
}

impl<M: ChatModel> Actor for InnerMonologue<M> {
    fn name(&self) -> &str {
        "inner-monologue"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposal, ModelError> {
        ask_for_action(&self.model, prompts::inner_monologue::question(situation), situation).await
    }

    fn waits(&self) -> Waits {
        self.model.waits()
    }
}
