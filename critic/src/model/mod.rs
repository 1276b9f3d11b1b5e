//! The language-model boundary: one trait, [`ChatModel`], whichever model stands behind it.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Who asks; usage is accounted per role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Chooses actions, online.
    Actor,
    /// Proposes laws, offline.
    Critic,
    /// Turns English into formulas.
    Translator,
    /// Explains violations.
    Explainer,
}

/// Who a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// Standing instructions.
    System,
    /// The situation or question.
    User,
    /// What the model answered before.
    Assistant,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub speaker: Speaker,
    /// What is said.
    pub text: String,
}

/// The JSON schema an answer must follow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerSchema {
    /// A short identifier, such as `action_choice`.
    pub name: String,
    /// The JSON schema, in the subset strict structured output accepts.
    pub schema: serde_json::Value,
}

/// One question to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// Who asks.
    pub role: Role,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The form the answer must have; `None` for free text.
    pub answer: Option<AnswerSchema>,
    /// Sampling temperature (LTLCrit uses 0.1).
    pub temperature: f32,
    /// The most tokens the answer may have.
    pub max_tokens: u32,
}

/// Tokens one exchange used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the question, cached ones included.
    pub prompt: u64,
    /// Tokens of the answer, reasoning included.
    pub completion: u64,
    /// Tokens of the question served from the provider's cache.
    pub cached: u64,
    /// Tokens spent on hidden reasoning.
    pub reasoning: u64,
}

impl Usage {
    /// Prompt and completion tokens.
    pub fn total(&self) -> u64 {
        self.prompt + self.completion
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt += other.prompt;
        self.completion += other.completion;
        self.cached += other.cached;
        self.reasoning += other.reasoning;
    }
}

/// A model's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatReply {
    /// What it said, untouched and untrusted.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
}

/// What stands behind a [`ChatModel`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// As the user names it: `openai:gpt-4.1`, `simulated:inner-monologue`, …
    pub name: String,
    /// True for personas: results show that the machinery works and say nothing about language models.
    pub simulated: bool,
}

impl fmt::Display for ModelInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Why a model gave no answer.
#[derive(Debug, Error)]
pub enum ModelError {
    /// A cap of this run is reached; the run stops cleanly.
    #[error("{cap} cap reached: {used} of {limit}")]
    Cap {
        /// `request`, `token` or `money`.
        cap: &'static str,
        /// What was used.
        used: String,
        /// What was allowed.
        limit: String,
    },
    /// Every retry failed, or the failure is not worth a retry.
    #[error("the model `{model}` did not answer: {why}")]
    Unavailable {
        /// Which model.
        model: String,
        /// What happened, with what to do about it. Never contains a key.
        why: String,
    },
    /// A cassette has no answer to this question.
    #[error("{0}")]
    Cassette(String),
}

/// A model one can ask. Futures need not be `Send`.
#[allow(async_fn_in_trait)]
pub trait ChatModel {
    /// What stands behind it.
    fn info(&self) -> ModelInfo;

    /// Asks one question.
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError>;
}
