//! Waits of a model before it can be asked, as they happen.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use tokio::time::Instant;

/// A wait before a question is sent, or sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// For the limit on requests per minute.
    Pace {
        /// When it is over.
        until: Instant,
    },
    /// For a failed attempt to be repeated.
    Retry {
        /// Which repetition this is, from 1.
        attempt: usize,
        /// How many there are at most.
        of: usize,
        /// When it is over.
        until: Instant,
        /// What the endpoint said, or what went wrong. Untrusted text; never contains a key.
        why: String,
    },
}

impl Wait {
    /// How long it takes yet.
    pub fn left(&self) -> Duration {
        let (Self::Pace { until } | Self::Retry { until, .. }) = self;
        until.saturating_duration_since(Instant::now())
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded up: a second before the end there is one second left.
        let seconds = self.left().as_secs_f64().ceil();
        match self {
            Self::Pace { .. } => write!(f, "rate limit, next request in {seconds} s"),
            Self::Retry { attempt, of, .. } => write!(f, "retry {attempt} of {of} in {seconds} s"),
        }
    }
}

/// What a model waits for at the moment, shared between the model and those who watch it.
#[derive(Clone, Debug, Default)]
pub struct Waits(Rc<RefCell<Option<Wait>>>);

impl Waits {
    /// The wait that goes on; `None` while there is none, as when the model thinks.
    pub fn now(&self) -> Option<Wait> {
        self.0.borrow().clone()
    }

    pub(super) fn begin(&self, wait: Wait) {
        *self.0.borrow_mut() = Some(wait);
    }

    pub(super) fn end(&self) {
        *self.0.borrow_mut() = None;
    }

    /// Ends whatever wait goes on when dropped, also when a question is given up half way.
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
