//! The process's patience with an endpoint: when it is asked again after a failure, and what all who ask it share.

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

/// The longest time that one question waits for a server that loads its model or limits the rate of requests.
pub(super) const PATIENCE: Duration = Duration::from_secs(900);
/// The pause between two requests to a server that loads its model.
const LOADING: Duration = Duration::from_secs(5);
/// The shortest pause that a server asks for.
const SHORTEST: Duration = Duration::from_secs(1);
/// How many bytes longer a question must be to count as one that needs more tokens.
const LONGER: usize = 100;
/// The number of longer questions in a row without more tokens that shows a context window that is too small.
const ALIKE: u32 = 3;

/// An endpoint as this process knows it, shared by all who ask it.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The wait that holds back every request.
    held: Mutex<Option<Wait>>,
    /// Whether the server has answered before, so that a refused connection is worth a retry.
    reached: AtomicBool,
    /// What each of its models supports.
    dialects: Mutex<BTreeMap<String, Dialect>>,
    /// The longest question to each of its models.
    longest: Mutex<BTreeMap<String, Longest>>,
}

/// The longest question to a model.
#[derive(Clone, Copy, Debug, Default)]
struct Longest {
    bytes: usize,
    tokens: u64,
    /// The number of longest questions before it with as many tokens.
    alike: u32,
}

impl Shared {
    /// The state of an endpoint in this process.
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

    /// Notes the tokens of a question. Returns whether it is the first one that shows that the server cuts questions off: longer
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

/// How a failed question goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The server loads its model: all wait.
    Loading(Duration),
    /// The server limits the rate of requests and says how long: all wait.
    Limited(Duration),
    /// It is asked again after a back-off, or the time that the server asks for.
    Retry(Option<Duration>),
    /// It is given up.
    GiveUp,
}

impl Next {
    /// After a failure; `left` is the patience that is left.
    pub(super) fn after(failure: &Failure, left: Duration, reached: bool) -> Self {
        // A shorter pause gives way to the growing back-off.
        let asked = failure.asks_to_wait().filter(|asked| *asked >= SHORTEST);
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

/// Whether a server is still loading its model.
pub(super) fn is_loading(failure: &Failure) -> bool {
    ["loading", "Loading"].iter().any(|word| failure.says(word))
}

/// The failure in an answer whose HTTP status is that of a success.
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
