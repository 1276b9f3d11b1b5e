//! One HTTP attempt, with a bounded body and no redirects.
//!
//! The key is removed here, from the raw text of the server, before anything is parsed. No output of this module
//! contains the key, for any role or route. See [`Scrubber`] for the encodings that are found.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Once};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use jiff::SignedDuration;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use serde_json::Value;
use thiserror::Error;

use super::super::ModelError;
use super::super::answer::cut;
use super::clients::Clients;
use super::endpoint::{Endpoint, OpenAiError};
use super::scrub::Scrubber;

/// Maximum size of a body, in bytes.
const MAX_BODY: usize = 4 * 1024 * 1024;

/// Maximum size of an error's body that is kept, in bytes.
const MAX_ERROR: usize = 2000;

/// Maximum size of an error's message that is shown, in bytes.
pub(super) const MAX_SAID: usize = 300;

/// Maximum length of a duration in words, in bytes.
const MAX_DURATION: usize = 40;
/// OpenAI's error code for an account without credit; a retry does not help.
pub(super) const NO_CREDIT: &str = "insufficient_quota";

/// The reason why one attempt failed. Its texts have no key.
#[derive(Debug, Error)]
pub(super) enum Failure {
    /// No connection.
    #[error("no connection: {0}")]
    Connect(String),
    /// No encrypted connection to the server.
    #[error("no encrypted connection: {why}")]
    Tls {
        /// True if the certificate is the reason.
        certificate: bool,
        why: String,
    },
    /// No complete answer within the deadline.
    #[error("no complete answer within {0:?}")]
    Timeout(Duration),
    /// The connection was interrupted.
    #[error("the connection broke off: {0}")]
    Cut(String),
    /// A redirect.
    #[error("redirected to {0}")]
    Moved(String),
    /// A body longer than [`MAX_BODY`].
    #[error("an answer of more than {MAX_BODY} bytes")]
    TooLarge,
    /// An answer that is not JSON.
    #[error("an answer that is not JSON: {}", cut(.0, 120))]
    NotJson(String),
    /// An HTTP error.
    #[error("HTTP status {status}: {said}")]
    Status {
        status: u16,
        retry_after: Option<Duration>,
        /// The message in the body.
        said: String,
        /// The beginning of the body.
        body: String,
    },
    /// The request could not be built.
    #[error("{0}")]
    Request(String),
    /// The request was not sent, because a cap is reached.
    #[error("{0}")]
    NotSent(ModelError),
}

impl From<Failure> for OpenAIError {
    fn from(failure: Failure) -> Self {
        Self::Boxed(Box::new(failure))
    }
}

impl Failure {
    /// Returns the transport's failure inside an error of the library, or the library's own error.
    pub(super) fn of(error: OpenAIError) -> Self {
        let other = match error {
            OpenAIError::Boxed(error) => match error.downcast::<Self>() {
                Ok(failure) => return *failure,
                Err(error) => error.to_string(),
            },
            other => other.to_string(),
        };
        Self::Request(cut(&other, MAX_SAID))
    }

    /// Returns the failure of an HTTP error with this body.
    pub(super) fn status(status: u16, retry_after: Option<Duration>, body: &str) -> Self {
        Self::Status { status, retry_after, said: cut(&message(body), MAX_SAID), body: cut(body, MAX_ERROR) }
    }

    /// Returns whether the body of an HTTP error contains this word.
    pub(super) fn says(&self, word: &str) -> bool {
        matches!(self, Self::Status { body, .. } if body.contains(word))
    }

    /// Returns whether a retry may succeed. A server that refuses connections and never answered counts as down.
    pub(super) fn worth_a_retry(&self, reached: bool) -> bool {
        match self {
            Self::Timeout(_) | Self::Cut(_) | Self::NotJson(_) => true,
            Self::Connect(_) => reached,
            Self::Status { status: 429, .. } => !self.says(NO_CREDIT),
            Self::Status { status, .. } => matches!(status, 408 | 409 | 500..=599) && *status != 501,
            Self::Tls { .. } | Self::Moved(_) | Self::TooLarge | Self::Request(_) | Self::NotSent(_) => false,
        }
    }

    /// Returns whether the server may have produced an answer that was not received.
    pub(super) fn lost_an_answer(&self) -> bool {
        match self {
            Self::Timeout(_) | Self::Cut(_) | Self::TooLarge | Self::NotJson(_) => true,
            // These are the statuses of gateways that waited too long.
            Self::Status { status, .. } => matches!(status, 408 | 504 | 524),
            Self::Connect(_) | Self::Tls { .. } | Self::Moved(_) | Self::Request(_) | Self::NotSent(_) => false,
        }
    }

    /// Returns whether the server limits the rate of requests.
    pub(super) fn is_rate_limit(&self) -> bool {
        matches!(self, Self::Status { status: 429, .. })
    }

    /// Returns the failure of a request without a response.
    pub(super) fn unanswered(error: &reqwest::Error, why: String) -> Self {
        match tls_error(error) {
            Some(tls) => Self::Tls { certificate: matches!(tls, rustls::Error::InvalidCertificate(_)), why },
            None if error.is_connect() => Self::Connect(why),
            None => Self::Cut(why),
        }
    }

    /// Returns the pause that the server requests, in a header or in words.
    pub(super) fn asks_to_wait(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, body, .. } => retry_after.or_else(|| wait_in_words(body)),
            _ => None,
        }
    }
}

/// Returns the message in an error's body, or the body.
fn message(body: &str) -> String {
    let found = serde_json::from_str::<Value>(body).ok().and_then(|value| {
        ["/error/message", "/error", "/message", "/detail"]
            .iter()
            .find_map(|pointer| value.pointer(pointer).and_then(Value::as_str).map(str::to_owned))
    });
    let text = found.unwrap_or_else(|| body.to_owned());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sends single requests.
#[derive(Clone)]
pub(super) struct Transport {
    clients: Arc<Clients>,
    scrubber: Scrubber,
}

impl Transport {
    pub(super) fn new(endpoint: &Endpoint) -> Result<Self, OpenAiError> {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| {
            // This fails only if the program has already installed a provider, which is then used.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let clients = Clients::new(endpoint).map_err(|error| OpenAiError::Client(root_cause(&error)))?;
        Ok(Self { clients: Arc::new(clients), scrubber: endpoint.scrubber() })
    }

    pub(super) fn client(&self) -> reqwest::Client {
        self.clients.unconnected()
    }

    async fn attempt(self, factory: HttpRequestFactory) -> Result<reqwest::Response, Failure> {
        let request =
            factory.build().await.map_err(|error| Failure::Request(self.scrubber.scrub(&error.to_string())))?;
        self.exchange(request).await
    }

    async fn exchange(&self, request: reqwest::Request) -> Result<reqwest::Response, Failure> {
        let why = |error: &reqwest::Error| self.scrubber.scrub(&root_cause(error));
        let http = self.clients.current().map_err(|error| Failure::Request(why(&error)))?;
        let mut response = match http.execute(request).await {
            Ok(response) => response,
            Err(error) => return Err(Failure::unanswered(&error, why(&error))),
        };
        let status = response.status();
        if status.is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).unwrap_or("nowhere");
            return Err(Failure::Moved(cut(&self.scrubber.scrub(to), 200)));
        }
        let retry_after = retry_after(response.headers(), SystemTime::now());
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if body.len() + chunk.len() > MAX_BODY => return Err(Failure::TooLarge),
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => break,
                Err(error) => return Err(Failure::Cut(why(&error))),
            }
        }
        let answer = self.received(status, retry_after, &body)?;
        http::Response::builder()
            .status(200)
            .body(answer)
            .map(reqwest::Response::from)
            .map_err(|error| Failure::Request(error.to_string()))
    }

    /// Returns the JSON text of a whole answer, or its failure, both without the key.
    pub(super) fn received(
        &self,
        status: StatusCode,
        retry_after: Option<Duration>,
        body: &[u8],
    ) -> Result<String, Failure> {
        let text = self.scrubber.scrub(&String::from_utf8_lossy(body));
        if !status.is_success() {
            return Err(Failure::status(status.as_u16(), retry_after, &text));
        }
        // The check happens here, because the library logs answers that it cannot read.
        match serde_json::from_str::<Value>(&text) {
            Ok(_) => Ok(text),
            Err(_) => Err(Failure::NotJson(cut(&text, MAX_ERROR))),
        }
    }
}

impl tower::Service<HttpRequestFactory> for Transport {
    type Response = reqwest::Response;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<reqwest::Response, Failure>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, factory: HttpRequestFactory) -> Self::Future {
        Box::pin(self.clone().attempt(factory))
    }
}

/// Parses `Retry-After`, in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match value.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => Some(httpdate::parse_http_date(value).ok()?.duration_since(now).unwrap_or_default()),
    }
}

/// Returns the innermost cause of an error, such as "Connection refused".
pub(super) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Returns the TLS error among the causes of an error.
fn tls_error<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a rustls::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(tls) = error.downcast_ref() {
            return Some(tls);
        }
        next = match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            // The source of such an error skips the wrapped error.
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    None
}

/// Parses a pause from a text: `try again in 6.2s`, `retry after 1 minute`, `"retryDelay": "34s"`.
fn wait_in_words(text: &str) -> Option<Duration> {
    const PHRASES: [&str; 7] = ["again in", "again after", "retry in", "retry after", "retrydelay", "reset in", "wait"];
    let text = text.to_lowercase();
    PHRASES
        .iter()
        .find_map(|phrase| text.match_indices(phrase).find_map(|(at, _)| duration(&text[at + phrase.len()..])))
}

/// Parses the duration at the beginning of a text; a number without a unit is in seconds.
fn duration(text: &str) -> Option<Duration> {
    let text = text.trim_start_matches([' ', ':', '"', '\\', '=', '~']);
    let ends = (1..=text.len().min(MAX_DURATION)).rev();
    if let Some(found) = ends.filter_map(|end| text.get(..end)?.parse::<SignedDuration>().ok()).next() {
        return found.try_into().ok();
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let has_unit = rest.trim_start().starts_with(char::is_alphabetic);
    let seconds = number.trim_end_matches('.').parse().ok().filter(|_| !has_unit)?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_from_words() {
        for (text, wait) in [
            ("Rate limit reached for gpt-4 on requests per min (RPM): Limit 3. Please try again in 20s.", Some(20.0)),
            ("Please try again in 6.2s. Visit the console.", Some(6.2)),
            ("Please try again in 350ms.", Some(0.35)),
            ("Please try again in 1m30.5s.", Some(90.5)),
            ("try again in 2h3m", Some(7380.0)),
            ("Retry after 12 seconds", Some(12.0)),
            ("Please retry after 1 minute, 5 seconds.", Some(65.0)),
            ("retry after 30", Some(30.0)),
            ("Please wait 45 seconds before the next request", Some(45.0)),
            ("{\"details\": [{\"retryDelay\": \"34.07s\"}]}", Some(34.07)),
            ("Please retry in 34.5s.", Some(34.5)),
            ("slow down", None),
            ("Please try again in a few seconds", None),
            ("try again in 3 weeks", None),
            ("try again in 99999999999999999999999999 days", None),
            ("Limit 3, used 3: try again later", None),
        ] {
            assert_eq!(wait_in_words(text), wait.map(Duration::from_secs_f64), "{text}");
        }
    }

    #[test]
    fn retry_after_reads_seconds_and_dates() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let read = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, reqwest::header::HeaderValue::from_static(value));
            retry_after(&headers, now)
        };
        assert_eq!(read("7"), Some(Duration::from_secs(7)));
        assert_eq!(read("0.25"), Some(Duration::from_millis(250)));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:57 GMT"), Some(Duration::from_secs(20)));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:07 GMT"), Some(Duration::ZERO), "a date gone by");
        for nonsense in ["soon", "-1", "nan", "inf", ""] {
            assert_eq!(read(nonsense), None, "{nonsense}");
        }
    }
}
