//! A rate limit for requests, on tokio's clock.

use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;

use super::locked;
use super::wait::{RequestWait, Wait};

/// Spaces requests evenly by a rate. It has no bursts, because providers also count over short windows.
#[derive(Debug)]
pub(super) struct RateLimit {
    interval: Duration,
    /// The time of the next request; `None` before the first.
    next: Mutex<Option<Instant>>,
}

impl RateLimit {
    /// Creates a limit of requests per minute.
    pub(super) fn per_minute(requests: NonZeroU32) -> Self {
        Self { interval: Duration::from_secs(60) / requests.get(), next: Mutex::default() }
    }

    /// Waits until the next request is allowed and reports the wait.
    pub(super) async fn wait(&self, waits: RequestWait) {
        while let Err(until) = self.take() {
            let pause = until.saturating_duration_since(Instant::now());
            tracing::info!(pause_ms = pause.as_millis() as u64, "waiting for the limit on requests per minute");
            waits.begin(Wait::RateLimit { until });
            tokio::time::sleep_until(until).await;
        }
    }

    /// Takes the turn of a request, or returns the time of the next turn.
    fn take(&self) -> Result<(), Instant> {
        let (now, mut next) = (Instant::now(), locked(&self.next));
        if let Some(next) = next.filter(|next| *next > now) {
            return Err(next);
        }
        *next = Some(now + self.interval);
        Ok(())
    }
}
