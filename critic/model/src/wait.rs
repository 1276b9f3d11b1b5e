//! The current wait of a model before it can be asked.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::{ChatRequest, locked};

/// A wait before a question is sent, or sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// For the limit on requests per minute, ours or the server's.
    RateLimit {
        /// When it is over.
        until: Instant,
    },
    /// For a server that loads its model.
    Loading {
        /// When it is asked again.
        until: Instant,
    },
    /// Before a failed attempt is repeated.
    Retry {
        /// The number of the repetition, from 1.
        attempt: usize,
        /// The most repetitions.
        of: usize,
        /// When it is over.
        until: Instant,
        /// What the endpoint said, or what went wrong. Untrusted text; never contains a key.
        why: String,
    },
}

impl Wait {
    /// The time left.
    pub fn left(&self) -> Duration {
        self.until().saturating_duration_since(Instant::now())
    }

    pub(super) fn until(&self) -> Instant {
        let (Self::RateLimit { until } | Self::Loading { until } | Self::Retry { until, .. }) = self;
        *until
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded up: a second before the end there is one second left.
        let seconds = self.left().as_secs_f64().ceil();
        match self {
            Self::RateLimit { .. } => write!(f, "rate limit, next request in {seconds} s"),
            Self::Loading { .. } => write!(f, "the server loads its model, next request in {seconds} s"),
            Self::Retry { attempt, of, .. } => write!(f, "retry {attempt} of {of} in {seconds} s"),
        }
    }
}

/// The current waits of a model's requests, shared with its observers.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    shared: Arc<Mutex<Shared>>,
    /// The episode whose waits are shown; `None` shows all.
    episode: Option<String>,
}

#[derive(Debug, Default)]
struct Shared {
    next: u64,
    waiting: BTreeMap<u64, (Option<String>, Wait)>,
}

impl Waits {
    /// The current wait, the one that is over first if several requests wait; `None` when nothing delays a request, for
    /// example while the model answers.
    pub fn now(&self) -> Option<Wait> {
        let shared = locked(&self.shared);
        let shown = shared.waiting.values().filter(|(episode, _)| self.episode.is_none() || *episode == self.episode);
        shown.map(|(_, wait)| wait).min_by_key(|wait| wait.until()).cloned()
    }

    pub(super) fn of_episode(&self, name: &str) -> Self {
        Self { shared: self.shared.clone(), episode: Some(name.to_owned()) }
    }

    /// The waits of one request.
    pub(super) fn of_request(&self, request: &ChatRequest) -> RequestWait {
        let mut shared = locked(&self.shared);
        let id = shared.next;
        shared.next += 1;
        RequestWait { shared: self.shared.clone(), id, episode: request.episode.clone() }
    }
}

/// The waits of one request, which end when this is dropped, also if the request is cancelled.
pub(super) struct RequestWait {
    shared: Arc<Mutex<Shared>>,
    id: u64,
    episode: Option<String>,
}

impl RequestWait {
    pub(super) fn begin(&self, wait: Wait) {
        locked(&self.shared).waiting.insert(self.id, (self.episode.clone(), wait));
    }

    pub(super) fn end(&self) {
        locked(&self.shared).waiting.remove(&self.id);
    }
}

impl Drop for RequestWait {
    fn drop(&mut self) {
        self.end();
    }
}
