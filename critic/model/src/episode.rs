//! A handle that names the episode of every request.

use super::{ChatModel, ChatReply, ChatRequest, Door, ModelError, ModelInfo, Waits};

/// A model handle of one episode; see [`ChatModel::for_episode`].
#[derive(Clone, Debug)]
pub struct EpisodeModel<M> {
    model: M,
    name: String,
}

impl<M: ChatModel> EpisodeModel<M> {
    pub(super) fn new(model: M, name: String) -> Self {
        Self { model, name }
    }

    fn named(&self, request: &ChatRequest) -> ChatRequest {
        ChatRequest { episode: Some(self.name.clone()), ..request.clone() }
    }

    /// Returns the underlying model.
    pub fn model(&self) -> &M {
        &self.model
    }
}

impl<M: ChatModel> ChatModel for EpisodeModel<M> {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        self.model.ask(&self.named(request)).await
    }

    async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
        self.model.ask_through(&self.named(request), door).await
    }

    /// Returns the waits of this episode only.
    fn waits(&self) -> Waits {
        self.model.waits().of_episode(&self.name)
    }
}
