//! The current wait of a model's requests.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use super::locked;

/// A wait before a request is sent or repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// A wait for the limit on requests per minute, ours or the server's.
    RateLimit {
        /// The end of the wait.
        until: Instant,
    },
    /// A wait for a server that loads its model.
    Loading {
        /// The time of the next request.
        until: Instant,
    },
    /// A wait before a failed attempt is repeated.
    Retry {
        /// The number of the repetition, starting at 1.
        attempt: usize,
        /// Maximum number of repetitions.
        of: usize,
        /// The end of the wait.
        until: Instant,
        /// The endpoint's message or the failure. Untrusted text; never contains a key.
        why: String,
    },
}

impl Wait {
    /// Returns the time left.
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
        // Rounded up, one second is left until the end.
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
pub struct Waits(Arc<Mutex<BTreeMap<u64, Wait>>>);

impl Waits {
    /// Returns the wait that ends first; `None` if nothing delays a request, for example while the model answers.
    pub fn now(&self) -> Option<Wait> {
        locked(&self.0).values().min_by_key(|wait| wait.until()).cloned()
    }

    /// Returns the waits of one request.
    pub(super) fn of_request(&self) -> RequestWait {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        RequestWait { waits: self.clone(), id: NEXT.fetch_add(1, Ordering::Relaxed) }
    }
}

/// The waits of one request. They end when this is dropped, even if the request is cancelled.
pub(super) struct RequestWait {
    waits: Waits,
    id: u64,
}

impl RequestWait {
    pub(super) fn begin(&self, wait: Wait) {
        locked(&self.waits.0).insert(self.id, wait);
    }

    pub(super) fn end(&self) {
        locked(&self.waits.0).remove(&self.id);
    }
}

impl Drop for RequestWait {
    fn drop(&mut self) {
        self.end();
    }
}
