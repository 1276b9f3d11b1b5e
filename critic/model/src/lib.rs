//! The language-model boundary: one trait, [`ChatModel`], for all models.
//!
//! Implemented by OpenAI-compatible endpoints (`openai`, with the feature of that name) and by recorded answers
//! ([`cassette`]). [`Metered`] puts any model behind a [`Door`], which every request passes before it is sent: the caps, the
//! rate limit and the ledger of a [`Meter`].
//!
//! All of them can be shared between threads, each with its own tokio runtime: caps and rate limits hold for all that share
//! a meter together, and [`ChatModel::for_episode`] keeps the exchanges of concurrent episodes apart in one cassette.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod answer;
pub mod cassette;
pub mod embedding;
mod episode;
mod ledger;
mod meter;
#[cfg(feature = "openai")]
pub mod openai;
mod price;
mod rate_limit;
mod reasoning;
mod role_usage;
mod usage;
mod wait;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use episode::EpisodeModel;
pub use ledger::LEDGER_FILE;
pub use meter::{Caps, Door, Meter, Metered, UnknownPrice};
pub use price::{NanoUsd, Price, PriceError, PriceTable};
pub use role_usage::{RoleUsage, UsageByRole};
use serde::{Deserialize, Serialize};
use thiserror::Error;
pub use usage::Usage;
pub use wait::{Wait, Waits};

/// The part of the program that asks; usage is counted by role.
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
    /// Gives texts [vectors](embedding).
    Embedder,
}

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// Standing instructions.
    System,
    /// The situation or question.
    User,
    /// An earlier answer of the model.
    Assistant,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    /// The author.
    pub speaker: Speaker,
    /// The text.
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
    /// The episode that asks, which keeps concurrent episodes apart in a cassette; not sent to the model. Set by
    /// [`ChatModel::for_episode`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub episode: Option<String>,
    /// The role that asks.
    pub role: Role,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The form the answer must have; `None` for free text.
    pub answer: Option<AnswerSchema>,
    /// Sampling temperature (LTLCrit uses 0.1).
    pub temperature: f32,
    /// The most tokens the answer may have.
    pub max_tokens: u32,
    /// Further fields of the request, as the endpoint gets them; set by [`Metered::with_body`]. They come over those above.
    #[serde(default, skip_serializing_if = "Body::is_empty")]
    pub body: Body,
}

/// Further fields of a request, by name, such as `seed` or `reasoning_effort`.
pub type Body = serde_json::Map<String, serde_json::Value>;

/// A model's reply. Roles read its [answer](Self::answer).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatReply {
    text: String,
    /// The tokens it used.
    pub usage: Usage,
    /// The limit of tokens at which it was cut off; `None` for a complete reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_at: Option<u32>,
    /// The reasoning that the endpoint reports beside the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

/// The maximum number of bytes of reasoning that are shown where the answer is missing.
const MAX_SHOWN: usize = 120;

impl ChatReply {
    /// A complete reply.
    pub fn new(text: impl Into<String>, usage: Usage) -> Self {
        Self { text: text.into(), usage, cut_at: None, reasoning: None }
    }

    /// The whole text, reasoning included: untrusted, of any length, unchanged except that the user's key is removed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it has reasoning, in the text or beside it.
    pub fn reasons(&self) -> bool {
        self.reasoning.is_some() || reasoning::answer_of(&self.text) != Some(&self.text)
    }

    /// The answer: the text without the reasoning in it. Untrusted, of any length ([`answer::object`] refuses longer ones).
    ///
    /// # Errors
    /// The reply has no answer, because it was cut off, ends inside its reasoning, or is empty. The text says why, for the model
    /// and for people; `setting` is the key that raises the limit of tokens, if there is one.
    pub fn answer(&self, setting: Option<&str>) -> Result<&str, String> {
        if let Some(tokens) = self.cut_at {
            let raise = setting.map_or(String::new(), |setting| format!(", or raise `{setting}`"));
            return Err(format!(
                "the answer was cut off at {tokens} tokens, reasoning included; answer more briefly{raise}"
            ));
        }
        let Some(answer) = reasoning::answer_of(&self.text) else {
            return Err("the reply ends inside its reasoning; end the reasoning, then answer".to_owned());
        };
        if !answer.trim().is_empty() {
            return Ok(answer);
        }
        let beside = self.reasoning.as_deref().unwrap_or_default();
        let reasoning = [beside, &self.text].into_iter().map(str::trim).find(|text| !text.is_empty());
        Err(match reasoning {
            Some(reasoning) => format!(
                "the answer is empty, all of the reply is reasoning ({:?}); write the answer after it",
                answer::cut(reasoning, MAX_SHOWN)
            ),
            None if self.usage.completion > 0 && self.usage.estimated == 0 => {
                format!("the answer is empty, after {} tokens", self.usage.completion)
            }
            None => "the answer is empty".to_owned(),
        })
    }
}

/// The identity of a [`ChatModel`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// The name the user gives it: `openai:gpt-4.1`, `simulated:inner-monologue`, …
    pub name: String,
    /// Whether it is a persona, whose results are no evidence about language models.
    pub simulated: bool,
    /// For a cassette: the model whose answers it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_from: Option<String>,
}

impl ModelInfo {
    /// A language model.
    pub fn real(name: impl Into<String>) -> Self {
        Self { name: name.into(), simulated: false, recorded_from: None }
    }

    /// A persona.
    pub fn simulated(name: impl Into<String>) -> Self {
        Self { name: name.into(), simulated: true, recorded_from: None }
    }
}

impl fmt::Display for ModelInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.recorded_from {
            Some(model) => write!(f, " (recorded from {model})"),
            None => Ok(()),
        }
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
        /// The amount used.
        used: String,
        /// The amount allowed.
        limit: String,
    },
    /// Every retry failed, or the failure is not worth a retry.
    #[error("the model `{model}` did not answer: {why}")]
    Unavailable {
        /// Which model.
        model: String,
        /// What happened and what to do about it. Never contains a key.
        why: String,
    },
    /// A cassette has no answer to this question, or cannot record one.
    #[error("{0}")]
    Cassette(String),
    /// What acts in the place of a model used up its budget of search without a result.
    #[error("{0}")]
    GaveUp(String),
}

/// A chat model. Its futures need not be `Send`; those of this crate's models are.
#[allow(async_fn_in_trait)]
pub trait ChatModel {
    /// The identity of the model.
    fn info(&self) -> ModelInfo;

    /// Asks one question.
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError>;

    /// Asks one question, and passes the door with each request that it takes. Models in this process take one.
    async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
        let passage = door.pass(request, request.max_tokens, false).await?;
        let reply = self.ask(request).await;
        match &reply {
            Ok(reply) => passage.answered(reply.usage),
            Err(_) => passage.failed(),
        }
        reply
    }

    /// The current wait while it is asked.
    fn waits(&self) -> Waits {
        Waits::default()
    }

    /// A handle for one of several concurrent episodes. Names are unique among the episodes of one cassette.
    fn for_episode(self, name: impl Into<String>) -> EpisodeModel<Self>
    where
        Self: Sized,
    {
        EpisodeModel::new(self, name.into())
    }
}

/// Locks a mutex. The state behind this crate's mutexes is valid at every point where its holder may panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<M: ChatModel> ChatModel for &M {
    fn info(&self) -> ModelInfo {
        (**self).info()
    }
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        (**self).ask(request).await
    }
    async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
        (**self).ask_through(request, door).await
    }
    fn waits(&self) -> Waits {
        (**self).waits()
    }
}

impl<M: ChatModel> ChatModel for Arc<M> {
    fn info(&self) -> ModelInfo {
        (**self).info()
    }
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        (**self).ask(request).await
    }
    async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
        (**self).ask_through(request, door).await
    }
    fn waits(&self) -> Waits {
        (**self).waits()
    }
}

#[cfg(test)]
mod shared_tests;
