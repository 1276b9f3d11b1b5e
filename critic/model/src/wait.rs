//! The current wait of a model before it can be asked.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use tokio::time::Instant;

/// A wait before a question is sent, or sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// For the limit on requests per minute.
    RateLimit {
        /// When it is over.
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
        let (Self::RateLimit { until } | Self::Retry { until, .. }) = self;
        until.saturating_duration_since(Instant::now())
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded up: a second before the end there is one second left.
        let seconds = self.left().as_secs_f64().ceil();
        match self {
            Self::RateLimit { .. } => write!(f, "rate limit, next request in {seconds} s"),
            Self::Retry { attempt, of, .. } => write!(f, "retry {attempt} of {of} in {seconds} s"),
        }
    }
}

/// The current wait of a model, shared with its observers.
#[derive(Clone, Debug, Default)]
pub struct Waits(Rc<RefCell<Option<Wait>>>);

impl Waits {
    /// The current wait; `None` when nothing delays the request, for example while the model answers.
    pub fn now(&self) -> Option<Wait> {
        self.0.borrow().clone()
    }

    pub(super) fn begin(&self, wait: Wait) {
        *self.0.borrow_mut() = Some(wait);
    }

    pub(super) fn end(&self) {
        *self.0.borrow_mut() = None;
    }

    /// A guard that ends the current wait when dropped, also if the request is cancelled.
    pub(super) fn until_dropped(&self) -> impl Drop + use<> {
        struct End(Waits);
        impl Drop for End {
            fn drop(&mut self) {
                self.0.end();
            }
        }
        End(self.clone())
    }
}
