//! Models behind OpenAI's chat-completions protocol: OpenAI, Ollama, vLLM, llama.cpp and others.
//!
//! `async-openai` implements the protocol; [`transport`] makes one attempt. All users of an endpoint share its
//! back-off, its waits and its learned capabilities: [`patience`], [`dialect`].

mod clients;
mod dialect;
mod endpoint;
mod explain;
mod patience;
mod scrub;
mod transport;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_openai::Client;
use async_openai::config::Config as _;
use async_openai::error::OpenAIError;
use backon::{BackoffBuilder as _, ExponentialBuilder};
use serde_json::Value;
use tokio::time::Instant;

use self::dialect::{Dialect, Form, InOrder};
use self::endpoint::Endpoint;
pub use self::endpoint::{OPENAI_BASE_URL, OpenAiError, OpenAiOptions, Recipient, Unconfirmed};
use self::patience::{Next, PATIENCE, Shared, error_in};
pub use self::scrub::holds_key;
use self::transport::{Failure, Transport};
use super::{ChatModel, ChatReply, ChatRequest, Door, ModelError, ModelInfo, Usage, Wait, Waits};

/// The factor of the single increase of the token limit after a cut-off answer.
const MORE_TOKENS: u32 = 4;
/// The minimum speed of an answer, beyond the time-out.
const TOKENS_PER_SECOND: u32 = 20;

/// A model behind an OpenAI-compatible endpoint.
pub struct OpenAi {
    name: String,
    options: OpenAiOptions,
    client: Client<Endpoint>,
    shared: Arc<Shared>,
    waits: Waits,
}

impl std::fmt::Debug for OpenAi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAi").field("model", &self.name).field("base_url", &self.options.base_url).finish()
    }
}

impl OpenAi {
    /// Creates a model with the key from the environment. Sends nothing yet.
    ///
    /// # Errors
    /// A bad base URL, or a key that is missing, malformed or not confirmed.
    pub fn from_environment(model: &str, options: OpenAiOptions) -> Result<Self, OpenAiError> {
        let key = std::env::var_os(&options.key_variable);
        let model = Self::new(model, options, key)?;
        Ok(Self { shared: Shared::of(model.client.config().api_base()), ..model })
    }

    fn new(model: &str, options: OpenAiOptions, key: Option<std::ffi::OsString>) -> Result<Self, OpenAiError> {
        let endpoint = Endpoint::new(&options, key)?;
        let transport = Transport::new(&endpoint)?;
        let client = Client::build(transport.client(), endpoint).with_http_service(transport);
        Ok(Self { name: model.to_owned(), options, client, shared: Arc::default(), waits: Waits::default() })
    }

    /// Returns the model's name at the endpoint.
    pub fn model_name(&self) -> &str {
        &self.name
    }

    /// The endpoint of the requests, and the variable of the key.
    pub fn recipient(&self) -> Recipient {
        self.client.config().recipient()
    }

    /// Returns the form of requested answers, as far as the endpoint is known.
    pub fn form(&self) -> &'static str {
        match self.dialect().form {
            Form::Schema => "a strict JSON schema",
            Form::Object => "a JSON object, its schema in the prompt",
            Form::Plain => "a JSON schema in the prompt only",
        }
    }

    /// Returns the endpoint's dialect as far as it is known.
    fn dialect(&self) -> Dialect {
        self.shared.dialect(&self.name, Dialect::first(self.client.config().is_openai()))
    }

    /// Asks one question with this token limit, if the endpoint accepts it. Finds out the dialect of the endpoint on
    /// the way.
    async fn ask_once(&self, request: &ChatRequest, wanted: u32, door: &Door) -> Result<ChatReply, ModelError> {
        let unavailable = |why: String| ModelError::Unavailable { model: self.info().name, why };
        let known = self.dialect();
        let mut dialect = known;
        let mut first_refusal = None;
        loop {
            let (failure, attempts) = match self.send(request, dialect, wanted, door).await {
                Ok((answer, usage)) => {
                    if dialect != known {
                        self.shared.learn(&self.name, dialect);
                    }
                    let reply = read(&answer, usage, dialect.tokens(wanted)).map_err(unavailable)?;
                    self.notice_cut_questions(request, &reply.usage);
                    return Ok(reply);
                }
                Err((Failure::NotSent(error), _)) => return Err(error),
                Err(failed) => failed,
            };
            if let Some(next) = dialect.instead(&failure, request, wanted) {
                tracing::debug!(model = %self.name, ?next, "the endpoint refuses what was asked; trying a plainer form");
                dialect = next;
                first_refusal.get_or_insert(failure);
                continue;
            }
            let failure = match (failure, first_refusal) {
                (Failure::Status { status: 400 | 422, .. }, Some(first)) => first,
                (failure, _) => failure,
            };
            let why = explain::explain(&failure, attempts, &self.name, self.client.config(), &self.options);
            return Err(unavailable(why));
        }
    }

    /// Warns of a server that truncates questions.
    fn notice_cut_questions(&self, request: &ChatRequest, usage: &Usage) {
        let bytes = request.messages.iter().map(|message| message.text.len()).sum();
        if usage.estimated == 0 && self.shared.cuts_off(&self.name, bytes, usage.prompt) {
            tracing::warn!(
                model = %self.name, bytes, tokens = usage.prompt,
                "longer questions have no more tokens: the server seems to cut them off; give it a larger context window \
                 (Ollama: OLLAMA_CONTEXT_LENGTH, llama.cpp: -c, vLLM: --max-model-len)"
            );
        }
    }

    /// Asks one question in one dialect, and retries according to the failures. A failure comes with the number of
    /// attempts.
    async fn send(
        &self,
        request: &ChatRequest,
        dialect: Dialect,
        wanted: u32,
        door: &Door,
    ) -> Result<(Value, Usage), (Failure, usize)> {
        let body = dialect.body(&self.name, request, wanted);
        let limit = dialect.tokens(wanted);
        let time = self.options.timeout + Duration::from_secs(u64::from(limit / TOKENS_PER_SECOND));
        let mut delays = ExponentialBuilder::default()
            .with_factor(2.0)
            .with_min_delay(self.options.first_delay)
            .with_max_delay(Duration::from_secs(30))
            .with_max_times(self.options.retries)
            .with_jitter()
            .with_jitter_seed(self.options.seed)
            .build();
        let mut patience = if self.options.retries > 0 { PATIENCE } else { Duration::ZERO };
        let waits = self.waits.of_request();
        let (mut attempts, mut retries, mut repeated) = (0, 0, 0);
        loop {
            self.shared.admitted(&waits).await;
            attempts += 1;
            let failure = match self.attempt(request, &body, limit, time, door).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            // A server that was too slow twice stays slow. A second failure may be caused by the form of the answer.
            repeated += usize::from(match failure {
                Failure::Timeout(_) => true,
                Failure::Status { status: 500, .. } => dialect.instead(&failure, request, wanted).is_some(),
                _ => false,
            });
            let next = Next::after(&failure, patience, self.shared.reached());
            let (wait, pause) = match next {
                Next::GiveUp => return Err((failure, attempts)),
                Next::Loading(pause) => (Wait::Loading { until: Instant::now() + pause }, pause),
                Next::Limited(pause) => (Wait::RateLimit { until: Instant::now() + pause }, pause),
                Next::Retry(asked) => {
                    let Some(delay) = delays.next().filter(|_| repeated < 2) else { return Err((failure, attempts)) };
                    retries += 1;
                    let pause = asked.unwrap_or(delay);
                    let (until, why) = (Instant::now() + pause, failure.to_string());
                    (Wait::Retry { attempt: retries, of: self.options.retries, until, why }, pause)
                }
            };
            let pause_ms = pause.as_millis() as u64;
            if matches!(wait, Wait::Retry { .. }) || attempts == 1 {
                tracing::warn!(model = %self.name, %failure, attempts, pause_ms, "asking again after a pause");
            } else {
                tracing::info!(model = %self.name, %failure, attempts, pause_ms, "still waiting");
            }
            if let Wait::Retry { until, .. } = wait
                && !failure.is_rate_limit()
            {
                waits.begin(wait);
                tokio::time::sleep_until(until).await;
            } else {
                patience = patience.saturating_sub(pause);
                self.shared.hold(wait);
            }
        }
    }

    /// Sends one request through the door.
    async fn attempt(
        &self,
        request: &ChatRequest,
        body: &Value,
        limit: u32,
        time: Duration,
        door: &Door,
    ) -> Result<(Value, Usage), Failure> {
        let passage = door.pass(request, limit, true).await.map_err(Failure::NotSent)?;
        match self.exchange(body, time).await {
            Ok(answer) => {
                let usage = usage(&answer, request);
                passage.answered(usage);
                Ok((answer, usage))
            }
            Err(failure) => {
                // A request without an end counts with its maximum usage.
                if failure.lost_an_answer() {
                    drop(passage)
                } else {
                    passage.failed()
                }
                Err(failure)
            }
        }
    }

    /// Sends one request, within a time limit.
    async fn exchange(&self, body: &Value, time: Duration) -> Result<Value, Failure> {
        let chat = self.client.chat();
        // The trait object makes this crate generate the HTTP client's code once, instead of in every crate that uses
        // it.
        let asked: Pin<Box<dyn Future<Output = Result<Value, OpenAIError>> + Send + '_>> =
            Box::pin(chat.create_byot(InOrder(body)));
        let answer = tokio::time::timeout(time, asked).await.map_err(|_| Failure::Timeout(time))?;
        let answer = answer.map_err(Failure::of)?;
        self.shared.set_reached();
        error_in(&answer).map_or(Ok(answer), Err)
    }
}

impl ChatModel for OpenAi {
    fn info(&self) -> ModelInfo {
        ModelInfo::real(format!("openai:{}", self.name))
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        self.ask_through(request, &Door::open()).await
    }

    async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
        let reply = self.ask_once(request, request.max_tokens, door).await?;
        let Some(limit) = reply.cut_at else { return Ok(reply) };
        // A reasoning model may use up the limit before its answer begins.
        let more = request.max_tokens.saturating_mul(MORE_TOKENS);
        if self.dialect().tokens(more) <= limit {
            return Ok(reply);
        }
        tracing::warn!(model = %self.name, limit, more, "the answer was cut off; asking again with a higher limit");
        match self.ask_once(request, more, door).await {
            Ok(mut again) => {
                let dialect = self.dialect();
                self.shared.learn(&self.name, dialect.needing(more));
                again.usage += reply.usage;
                Ok(again)
            }
            Err(error) => {
                tracing::warn!(model = %self.name, %error, "no answer with the higher limit");
                Ok(reply)
            }
        }
    }

    fn waits(&self) -> Waits {
        self.waits.clone()
    }
}

/// Returns the tokens of an exchange. Counts that the endpoint does not report, or reports as 0, are estimated from the
/// lengths of question and answer.
fn usage(answer: &Value, request: &ChatRequest) -> Usage {
    let count = |pointer: &str| answer.pointer(pointer).and_then(Value::as_u64).filter(|count| *count > 0);
    let asked = request.messages.iter().map(|message| message.text.len()).sum();
    let said = answer.pointer("/choices/0/message").and_then(Value::as_object);
    let said = said.into_iter().flatten().filter(|(name, _)| *name != "role").map(|(_, part)| length(part)).sum();
    let estimate = Usage::estimate(asked, said);
    let (prompt, completion) = (count("/usage/prompt_tokens"), count("/usage/completion_tokens"));
    let estimated = |count: Option<u64>, estimate: u64| if count.is_some() { 0 } else { estimate };
    Usage {
        prompt: prompt.unwrap_or(estimate.prompt),
        completion: completion.unwrap_or(estimate.completion),
        cached: count("/usage/prompt_tokens_details/cached_tokens").unwrap_or(0),
        reasoning: count("/usage/completion_tokens_details/reasoning_tokens").unwrap_or(0),
        estimated: estimated(prompt, estimate.prompt) + estimated(completion, estimate.completion),
    }
}

/// Returns the total size of the texts in a value, in bytes.
fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(length).sum(),
        Value::Object(fields) => fields.values().map(length).sum(),
        _ => 0,
    }
}

/// Reads the answer to a request with this token limit.
fn read(answer: &Value, usage: Usage, limit: u32) -> Result<ChatReply, String> {
    let message = answer.pointer("/choices/0/message").ok_or_else(|| {
        format!(
            "its answer is not a chat completion (`choices[0].message` is missing): {}; is the base URL that of \
             an OpenAI-compatible endpoint?",
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
    let finish = answer.pointer("/choices/0/finish_reason").and_then(Value::as_str);
    let cut = matches!(finish, Some("length" | "max_tokens"));
    Ok(ChatReply { text, usage, cut_at: cut.then_some(limit), reasoning })
}

/// Returns the text in a message's content: all of it, or the parts with this field, which may be nested.
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
