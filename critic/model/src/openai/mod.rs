//! Models behind OpenAI's chat-completions protocol: OpenAI, Ollama, vLLM, llama.cpp and others.
//!
//! `async-openai` speaks the protocol. [`transport`] replaces its retries by ours, with back-off, seeded jitter and
//! `Retry-After`. Features that an endpoint does not support (strict schemas, token limits, temperatures, system messages)
//! are detected once and remembered ([`dialect`]).

mod clients;
mod dialect;
mod endpoint;
mod explain;
mod scrub;
mod transport;

use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_openai::Client;
use async_openai::error::OpenAIError;
use backon::{ExponentialBuilder, Retryable};
use serde_json::Value;
use tokio::time::Instant;

use self::dialect::{Dialect, InOrder};
use self::endpoint::Endpoint;
pub use self::endpoint::{OPENAI_BASE_URL, OpenAiError, OpenAiOptions, Recipient, Unconfirmed};
use self::transport::{Failure, LONGEST_WAIT, Transport};
use super::{ChatModel, ChatReply, ChatRequest, ModelError, ModelInfo, Role, Usage, Wait, Waits, locked};

/// The factor by which the limit of tokens is raised, once, for an answer that was cut off.
const MORE_TOKENS: u32 = 4;

/// A model behind an OpenAI-compatible endpoint.
pub struct OpenAi {
    name: String,
    options: OpenAiOptions,
    client: Client<Endpoint>,
    dialect: Mutex<Dialect>,
    /// Whether the server has answered before, so that a refused connection is worth a retry.
    reached: AtomicBool,
    waits: Waits,
    #[cfg(test)]
    delays: std::sync::Arc<Mutex<Vec<Duration>>>,
    /// The delays before each retry.
    #[cfg(test)]
    waited: std::sync::Arc<Mutex<Vec<Wait>>>,
}

impl std::fmt::Debug for OpenAi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAi").field("model", &self.name).field("base_url", &self.options.base_url).finish()
    }
}

impl OpenAi {
    /// A model with the key from the environment. Sends nothing yet.
    ///
    /// # Errors
    /// A bad base URL, or a key that is missing, malformed or not confirmed.
    pub fn from_environment(model: &str, options: OpenAiOptions) -> Result<Self, OpenAiError> {
        let key = std::env::var_os(&options.key_variable);
        Self::new(model, options, key)
    }

    fn new(model: &str, options: OpenAiOptions, key: Option<std::ffi::OsString>) -> Result<Self, OpenAiError> {
        let endpoint = Endpoint::new(&options, key)?;
        let transport = Transport::new(&endpoint, options.timeout)?;
        let dialect = Dialect::first(endpoint.is_openai());
        let client = Client::build(transport.client(), endpoint).with_http_service(transport.service());
        Ok(Self {
            name: model.to_owned(),
            options,
            client,
            dialect: Mutex::new(dialect),
            reached: AtomicBool::new(false),
            waits: Waits::default(),
            #[cfg(test)]
            delays: std::sync::Arc::default(),
            #[cfg(test)]
            waited: std::sync::Arc::default(),
        })
    }

    /// The model's name as the endpoint knows it.
    pub fn model_name(&self) -> &str {
        &self.name
    }

    /// The endpoint of the requests, and the variable of the key.
    pub fn recipient(&self) -> Recipient {
        self.client.config().recipient()
    }

    /// One question in the dialect of the endpoint, which is found out on the way.
    async fn ask_once(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let unavailable = |why: String| ModelError::Unavailable { model: self.info().name, why };
        let mut dialect = *locked(&self.dialect);
        let mut first_refusal = None;
        loop {
            match self.send(request, dialect).await {
                Ok(answer) => {
                    *locked(&self.dialect) = dialect;
                    return read(&answer, request).map_err(unavailable);
                }
                Err(failure) => match dialect.instead(&failure, request.answer.is_some()) {
                    Some(next) => {
                        tracing::debug!(model = %self.name, ?next, "the endpoint refuses what was asked; trying a plainer form");
                        dialect = next;
                        first_refusal.get_or_insert(failure);
                    }
                    None => {
                        let failure = match (failure, first_refusal) {
                            (Failure::Status { status: 400 | 422, .. }, Some(first)) => first,
                            (failure, _) => failure,
                        };
                        return Err(unavailable(explain::explain(
                            &failure,
                            &self.name,
                            self.client.config(),
                            &self.options,
                        )));
                    }
                },
            }
        }
    }

    /// One question in one dialect, with retries.
    async fn send(&self, request: &ChatRequest, dialect: Dialect) -> Result<Value, Failure> {
        let body = dialect.body(&self.name, request);
        let backoff = ExponentialBuilder::default()
            .with_factor(2.0)
            .with_min_delay(self.options.first_delay)
            .with_max_delay(Duration::from_secs(30))
            .with_max_times(self.options.retries)
            .with_jitter()
            .with_jitter_seed(jitter_seed(self.options.seed, request.episode.as_deref()));
        let wait = self.waits.of_request(request);
        let mut retries = 0;
        let attempt = || async {
            wait.end();
            let (chat, embeddings) = (self.client.chat(), self.client.embeddings());
            // As a trait object, so that the HTTP client's code is generated here and not in every crate that asks.
            let asked: Pin<Box<dyn Future<Output = Result<Value, OpenAIError>> + Send + '_>> = match request.role {
                Role::Embedder => Box::pin(embeddings.create_byot(InOrder(&body))),
                _ => Box::pin(chat.create_byot(InOrder(&body))),
            };
            let answer = asked.await;
            answer
                .inspect(|_| self.reached.store(true, Ordering::Relaxed))
                .map_err(Failure::of)
        };
        #[cfg(test)]
        let (delays, waited, waits) = (self.delays.clone(), self.waited.clone(), self.waits.clone());
        attempt
            .retry(backoff)
            .sleep(move |delay| {
                #[cfg(test)]
                locked(&delays).push(delay);
                #[cfg(test)]
                locked(&waited).extend(waits.now());
                #[cfg(test)]
                let delay = delay.min(Duration::from_millis(1));
                tokio::time::sleep(delay)
            })
            .when(|failure| failure.worth_a_retry(self.reached.load(Ordering::Relaxed)))
            .adjust(|failure, delay| match failure.retry_after() {
                Some(wait) if wait > LONGEST_WAIT => None,
                Some(wait) => delay.map(|_| wait),
                None => delay,
            })
            .notify(|failure, delay| {
                retries += 1;
                let (attempt, of, pause_ms) = (retries, self.options.retries, delay.as_millis() as u64);
                tracing::warn!(model = %self.name, %failure, attempt, of, pause_ms, "asking again after a pause");
                let until = Instant::now() + delay;
                wait.begin(Wait::Retry { attempt, of, until, why: failure.to_string() });
            })
            .await
    }
}

/// The seed of an episode's jitter: episodes that fail together are not repeated together.
fn jitter_seed(seed: u64, episode: Option<&str>) -> u64 {
    // FNV-1a.
    let bytes = episode.into_iter().flat_map(str::bytes);
    bytes.fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl ChatModel for OpenAi {
    fn info(&self) -> ModelInfo {
        ModelInfo::real(format!("openai:{}", self.name))
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let reply = self.ask_once(request).await?;
        let Some(limit) = reply.cut_at else { return Ok(reply) };
        // A reasoning model may use up the limit before its answer begins.
        let longer = ChatRequest { max_tokens: limit.saturating_mul(MORE_TOKENS), ..request.clone() };
        tracing::warn!(model = %self.name, limit, "the answer was cut off; asking again with a higher limit");
        match self.ask_once(&longer).await {
            Ok(mut again) => {
                again.usage += reply.usage;
                Ok(again)
            }
            // The endpoint may refuse so high a limit. What was cut off can still be of use.
            Err(_) => Ok(reply),
        }
    }

    fn waits(&self) -> Waits {
        self.waits.clone()
    }
}

/// Reads the vectors of texts, which may come in any order.
fn read_vectors(answer: &Value, request: &ChatRequest) -> Result<ChatReply, String> {
    let data = answer.get("data").and_then(Value::as_array).ok_or_else(|| {
        format!(
            "its answer has no vectors (`data` is missing): {}; is it an embedding model?",
            super::answer::cut(&answer.to_string(), 200)
        )
    })?;
    let mut vectors: Vec<(u64, &Value)> = data
        .iter()
        .zip(0..)
        .map(|(one, at)| (one.get("index").and_then(Value::as_u64).unwrap_or(at), &one["embedding"]))
        .collect();
    vectors.sort_by_key(|(at, _)| *at);
    let text = Value::from_iter(vectors.into_iter().map(|(_, vector)| vector.clone())).to_string();
    let texts = request.messages.iter().map(|message| message.text.len()).sum();
    let usage = match answer.pointer("/usage/prompt_tokens").and_then(Value::as_u64) {
        Some(prompt) => Usage { prompt, ..Usage::default() },
        None => Usage::estimate(texts, 0),
    };
    Ok(ChatReply::new(text, usage))
}

/// Reads the answer to a request: a chat completion, or vectors.
fn read(answer: &Value, request: &ChatRequest) -> Result<ChatReply, String> {
    if request.role == Role::Embedder {
        return read_vectors(answer, request);
    }
    let message = answer.pointer("/choices/0/message").ok_or_else(|| {
        format!(
            "its answer is no chat completion (`choices[0].message` is missing): {}; is the base URL that of an \
             OpenAI-compatible endpoint?",
            super::answer::cut(&answer.to_string(), 200)
        )
    })?;
    let content = message.get("content").map(|content| (texts(content, "text"), texts(content, "thinking")));
    let (text, thinking) = content.unwrap_or_default();
    let refusal = || message.get("refusal").and_then(Value::as_str).unwrap_or_default().to_owned();
    let text = if text.is_empty() { refusal() } else { text };
    let beside = ["reasoning_content", "reasoning"].iter().filter_map(|field| message.get(*field)?.as_str());
    let reasoning = beside.chain([thinking.as_str()]).find(|text| !text.trim().is_empty());
    let reasoning = reasoning.map(str::to_owned);
    let count = |pointer: &str| answer.pointer(pointer).and_then(Value::as_u64);
    let usage = match (count("/usage/prompt_tokens"), count("/usage/completion_tokens")) {
        (Some(prompt), Some(completion)) => Usage {
            prompt,
            completion,
            cached: count("/usage/prompt_tokens_details/cached_tokens").unwrap_or(0),
            reasoning: count("/usage/completion_tokens_details/reasoning_tokens").unwrap_or(0),
            estimated: 0,
        },
        _ => Usage::estimate(request.messages.iter().map(|message| message.text.len()).sum(), text.len()),
    };
    let cut = answer.pointer("/choices/0/finish_reason").and_then(Value::as_str) == Some("length");
    Ok(ChatReply { text, usage, cut_at: cut.then_some(request.max_tokens), reasoning })
}

/// The text in a message's content: all of it, or that of the parts with this field, which may have parts themselves.
fn texts(content: &Value, field: &str) -> String {
    match content {
        Value::String(text) if field == "text" => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part.get(field))
            .map(|part| part.as_str().map_or_else(|| texts(part, "text"), str::to_owned))
            .collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
