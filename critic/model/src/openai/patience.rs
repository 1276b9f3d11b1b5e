//! Retry policy of an endpoint, shared by all its users in this process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::super::wait::RequestWait;
use super::super::{Wait, locked};
use super::dialect::Dialect;
use super::transport::Failure;

/// Maximum time for which one question waits for a loading server or a rate limit.
pub(super) const PATIENCE: Duration = Duration::from_secs(900);
/// The pause between two requests to a loading server.
const LOADING: Duration = Duration::from_secs(5);
/// The minimum requested pause that is respected.
const MIN_WAIT: Duration = Duration::from_secs(1);
/// The additional bytes of a question that must require more tokens.
const LONGER: usize = 100;
/// The number of consecutive longer questions with equal token counts that proves a truncating context window.
const ALIKE: u32 = 3;

/// The state of an endpoint, shared by all its users in this process.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The wait that holds back all requests.
    held: Mutex<Option<Wait>>,
    /// True if the server has answered before, so that a refused connection is worth a retry.
    reached: AtomicBool,
    /// The capabilities of each of its models.
    dialects: Mutex<BTreeMap<String, Dialect>>,
    /// The longest question to each of its models.
    longest: Mutex<BTreeMap<String, Longest>>,
}

/// The longest question to a model.
#[derive(Clone, Copy, Debug, Default)]
struct Longest {
    bytes: usize,
    tokens: u64,
    /// The number of previous longest questions with the same token count.
    alike: u32,
}

impl Shared {
    /// Returns the shared state of an endpoint.
    pub(super) fn of(base_url: &str) -> Arc<Self> {
        static ENDPOINTS: Mutex<BTreeMap<String, Arc<Shared>>> = Mutex::new(BTreeMap::new());
        locked(&ENDPOINTS).entry(base_url.to_owned()).or_default().clone()
    }

    pub(super) fn reached(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    pub(super) fn set_reached(&self) {
        self.reached.store(true, Ordering::Relaxed);
    }

    pub(super) fn dialect(&self, model: &str, first: Dialect) -> Dialect {
        locked(&self.dialects).get(model).copied().unwrap_or(first)
    }

    pub(super) fn learn(&self, model: &str, dialect: Dialect) {
        locked(&self.dialects).insert(model.to_owned(), dialect);
    }

    /// Holds back all requests, at least as long as this wait.
    pub(super) fn hold(&self, wait: Wait) {
        let mut held = locked(&self.held);
        if held.as_ref().is_none_or(|held| held.until() < wait.until()) {
            *held = Some(wait);
        }
    }

    /// Waits while requests are held back.
    pub(super) async fn admitted(&self, waits: &RequestWait) {
        loop {
            let held = locked(&self.held).clone().filter(|held| held.until() > Instant::now());
            let Some(held) = held else { break };
            let until = held.until();
            waits.begin(held);
            tokio::time::sleep_until(until).await;
        }
        waits.end();
    }

    /// Records the tokens of a question. Returns true for the first proof that the server truncates questions: longer
    /// and longer ones have the same number of tokens.
    pub(super) fn cuts_off(&self, model: &str, bytes: usize, tokens: u64) -> bool {
        let mut all = locked(&self.longest);
        let longest = all.entry(model.to_owned()).or_default();
        if bytes < longest.bytes + LONGER {
            return false;
        }
        let alike = if longest.bytes > 0 && tokens <= longest.tokens { longest.alike + 1 } else { 0 };
        *longest = Longest { bytes, tokens, alike };
        alike == ALIKE
    }
}

/// The reaction to a failed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The server loads its model, so all requests wait.
    Loading(Duration),
    /// The server limits the rate of requests and names a pause, so all requests wait.
    Limited(Duration),
    /// The request is repeated after a back-off, or after the pause that the server requests.
    Retry(Option<Duration>),
    /// The question fails.
    GiveUp,
}

impl Next {
    /// Decides the reaction to a failure; `left` is the remaining time for waits.
    pub(super) fn after(failure: &Failure, left: Duration, reached: bool) -> Self {
        // The growing back-off replaces a shorter pause.
        let asked = failure.asks_to_wait().filter(|asked| *asked >= MIN_WAIT);
        let loading = matches!(failure, Failure::Status { status: 503, .. }) && is_loading(failure);
        let asked = if loading { asked.or(Some(LOADING)) } else { asked };
        match asked {
            _ if !failure.worth_a_retry(reached) => Self::GiveUp,
            Some(wait) if wait > left => Self::GiveUp,
            Some(wait) if loading => Self::Loading(wait),
            Some(wait) if failure.is_rate_limit() => Self::Limited(wait),
            asked => Self::Retry(asked),
        }
    }
}

/// Returns whether a server is still loading its model.
pub(super) fn is_loading(failure: &Failure) -> bool {
    ["loading", "Loading"].iter().any(|word| failure.says(word))
}

/// Returns the failure in an answer with a successful HTTP status.
pub(super) fn error_in(answer: &Value) -> Option<Failure> {
    let errors = [answer.get("error"), answer.pointer("/choices/0/error")];
    let error = errors.into_iter().flatten().find(|error| !matches!(error, Value::Null | Value::Bool(false)))?;
    let code = error.get("code").or_else(|| error.get("status"));
    let code = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    let text = error.to_string().to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let status = match code.and_then(|code| u16::try_from(code).ok()) {
        Some(code @ 400..=599) => code,
        _ if says(&["rate limit", "rate-limit", "rate_limit", "too many requests", "try again in"]) => 429,
        _ if says(&["overloaded", "unavailable", "temporarily"]) => 503,
        _ => 400,
    };
    Some(Failure::status(status, None, &json!({ "error": error }).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_in_answers_with_a_good_status_are_found() {
        let status = |answer: Value| {
            error_in(&answer).map(|failure| match failure {
                Failure::Status { status, said, .. } => (status, said),
                other => panic!("{other}"),
            })
        };
        let found = |code: u16, said: &str| Some((code, said.to_owned()));
        let limited = "qwen is temporarily rate-limited upstream";
        for (answer, wanted) in [
            (json!({"choices": []}), None),
            (json!({"choices": [], "error": null}), None),
            (json!({"error": {"message": "rate limited upstream", "code": 429}}), found(429, "rate limited upstream")),
            (json!({"error": {"message": "slow", "code": "429"}, "choices": null}), found(429, "slow")),
            (json!({"error": {"message": limited, "code": "upstream"}}), found(429, limited)),
            (json!({"choices": [{"error": {"message": "cut", "code": 502}}]}), found(502, "cut")),
            (json!({"error": "Unexpected endpoint"}), found(400, "Unexpected endpoint")),
            (json!({"error": {"message": "the model is overloaded"}}), found(503, "the model is overloaded")),
        ] {
            assert_eq!(status(answer.clone()), wanted, "{answer}");
        }
    }

    #[test]
    fn longer_questions_with_the_same_tokens_are_cut_off() {
        let asked = |questions: &[(usize, u64)]| {
            let shared = Shared::default();
            questions.iter().filter(|(bytes, tokens)| shared.cuts_off("m", *bytes, *tokens)).count()
        };
        assert_eq!(asked(&[(8000, 2050), (8200, 2050), (8400, 2050)]), 0);
        assert_eq!(
            asked(&[(8000, 2050), (8200, 2050), (8400, 2050), (8600, 2050), (8800, 2050), (9000, 2050)]),
            1,
            "told once"
        );
        assert_eq!(asked(&[(8000, 2000), (8200, 2050), (8400, 2100), (8600, 2150), (8800, 2200), (9000, 2250)]), 0);
        assert_eq!(asked(&[(8000, 2050); 9]), 0, "no longer one");
    }
}
