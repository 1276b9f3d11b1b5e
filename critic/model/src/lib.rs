//! The language-model boundary: one trait, [`ChatModel`], for all models.
//!
//! Implementations are OpenAI-compatible endpoints (`openai`, with the feature of that name) and recorded answers
//! ([`cassette`]). [`Metered`] puts any model behind a [`Door`], which every request passes before it is sent. The door
//! applies the caps, the rate limit and the ledger of a [`Meter`].
//!
//! All of them can be shared between threads, each with its own tokio runtime. Caps and rate limits apply to all users
//! of a meter together.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod answer;
pub mod cassette;
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
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use ledger::LEDGER_FILE;
pub use meter::{Caps, Door, Meter, Metered, UnknownPrice};
pub use price::{NanoUsd, Price, PriceError, PriceTable};
pub use role_usage::{RoleUsage, UsageByRole};
use serde::{Deserialize, Serialize};
use thiserror::Error;
pub use usage::Usage;
pub use wait::{Wait, Waits};

/// The part of the program that uses a model; usage is counted by role.
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

/// The JSON schema of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerSchema {
    /// A short identifier, such as `action_choice`.
    pub name: String,
    /// The JSON schema, in the subset that strict structured output accepts.
    pub schema: serde_json::Value,
}

/// One question to a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The role of the request.
    pub role: Role,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// The required form of the answer; `None` for free text.
    pub answer: Option<AnswerSchema>,
    /// The sampling temperature (LTLCrit uses 0.1).
    pub temperature: f32,
    /// Maximum number of tokens of the answer.
    pub max_tokens: u32,
    /// Further fields of the request body, set by [`Metered::with_body`]. They override the fields above.
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
    /// The token limit that cut it off; `None` for a complete reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_at: Option<u32>,
    /// The reasoning that the endpoint reports separately from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
}

/// Maximum size of the reasoning shown in place of a missing answer, in bytes.
const MAX_SHOWN: usize = 120;

impl ChatReply {
    /// Creates a complete reply.
    pub fn new(text: impl Into<String>, usage: Usage) -> Self {
        Self { text: text.into(), usage, cut_at: None, reasoning: None }
    }

    /// Returns the whole text, including reasoning. It is untrusted, of any length, and unchanged except for the
    /// removed key.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether it has reasoning, in the text or separately.
    pub fn reasons(&self) -> bool {
        self.reasoning.is_some() || reasoning::answer_of(&self.text) != Some(&self.text)
    }

    /// Returns the answer: the text without its reasoning. Untrusted, of any length ([`answer::object`] rejects longer
    /// ones).
    ///
    /// # Errors
    /// A reply without an answer: it was cut off, ends inside its reasoning, or is empty. The error text is written for
    /// models and people; `setting` is the key that raises the token limit, if there is one.
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
    /// The name that users give it: `openai:gpt-4.1`, `simulated:inner-monologue`, …
    pub name: String,
    /// True for a simulated actor, whose results say nothing about language models.
    pub simulated: bool,
    /// The model whose answers a cassette holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_from: Option<String>,
}

impl ModelInfo {
    /// Describes a language model.
    pub fn real(name: impl Into<String>) -> Self {
        Self { name: name.into(), simulated: false, recorded_from: None }
    }

    /// Describes a simulated actor.
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

/// The reason why a model gave no answer.
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
    /// Every retry failed, or a retry could not succeed.
    #[error("the model `{model}` did not answer: {why}")]
    Unavailable {
        /// The model.
        model: String,
        /// The failure with its remedy. Never contains a key.
        why: String,
    },
    /// A cassette has no answer to this question, or cannot record one.
    #[error("{0}")]
    Cassette(String),
    /// A computed substitute of a model used up its search budget without a result.
    #[error("{0}")]
    GaveUp(String),
}

/// A chat model. Its futures need not be `Send`; those of this crate's models are.
#[allow(async_fn_in_trait)]
pub trait ChatModel {
    /// Returns the identity of the model.
    fn info(&self) -> ModelInfo;

    /// Asks one question.
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError>;

    /// Asks one question and passes the door with each of its requests. Models in this process make one request.
    async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
        let passage = door.pass(request, request.max_tokens, false).await?;
        let reply = self.ask(request).await;
        match &reply {
            Ok(reply) => passage.answered(reply.usage),
            Err(_) => passage.failed(),
        }
        reply
    }

    /// Returns the current waits of its requests.
    fn waits(&self) -> Waits {
        Waits::default()
    }
}

/// Locks a mutex. The state behind this crate's mutexes is valid at every point where its holder may panic.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Deref<Target: ChatModel>> ChatModel for P {
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
