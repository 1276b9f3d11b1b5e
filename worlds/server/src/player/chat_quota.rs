//! A token bucket that limits the chat lines of a player.

use std::time::Instant;

/// The maximum number of lines that a player may send at once.
const BURST: f64 = 20.0;
/// The number of lines per second that it may send in the long run.
const LINES_PER_SECOND: f64 = 2.0;

/// The number of lines that a player may still send.
#[derive(Debug)]
pub(crate) struct ChatQuota {
    left: f64,
    at: Instant,
}

impl ChatQuota {
    pub(crate) fn new(now: Instant) -> Self {
        Self { left: BURST, at: now }
    }

    /// Counts one more line. Returns `false` if the quota is exceeded.
    pub(crate) fn spend(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * LINES_PER_SECOND).min(BURST) - 1.0;
        self.at = now;
        self.left >= 0.0
    }
}
