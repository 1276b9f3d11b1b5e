//! A rate limit for requests, on tokio's clock.

use std::num::NonZeroU32;
use std::ops::Add;
use std::time::Duration;

use governor::clock::{Clock, Reference};
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

use super::wait::{RequestWait, Wait};

/// Tokio's clock, so that limits follow a paused clock in tests.
#[derive(Clone, Copy, Debug)]
struct TokioClock(Instant);

/// The time since the limiter was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Elapsed(Duration);

impl Add<Nanos> for Elapsed {
    type Output = Self;
    fn add(self, nanos: Nanos) -> Self {
        Self(self.0.saturating_add(nanos.into()))
    }
}

impl Reference for Elapsed {
    fn duration_since(&self, earlier: Self) -> Nanos {
        self.0.saturating_sub(earlier.0).into()
    }
    fn saturating_sub(&self, duration: Nanos) -> Self {
        Self(self.0.checked_sub(duration.into()).unwrap_or(self.0))
    }
}

impl Clock for TokioClock {
    type Instant = Elapsed;
    fn now(&self) -> Elapsed {
        Elapsed(self.0.elapsed())
    }
}

/// Spaces requests evenly by a rate.
#[derive(Debug)]
pub(super) struct RateLimit {
    clock: TokioClock,
    limiter: RateLimiter<NotKeyed, InMemoryState, TokioClock, NoOpMiddleware<Elapsed>>,
}

impl RateLimit {
    /// Creates a limit of requests per minute. It has no bursts, because providers also count over short windows.
    pub(super) fn per_minute(requests: NonZeroU32) -> Self {
        let clock = TokioClock(Instant::now());
        let quota = Quota::per_minute(requests).allow_burst(NonZeroU32::MIN);
        Self { clock, limiter: RateLimiter::direct_with_clock(quota, clock) }
    }

    /// Waits until the next request is allowed and reports the wait.
    pub(super) async fn wait(&self, waits: RequestWait) {
        while let Err(early) = self.limiter.check() {
            let pause = early.wait_time_from(self.clock.now());
            tracing::info!(pause_ms = pause.as_millis() as u64, "waiting for the limit on requests per minute");
            let until = Instant::now() + pause;
            waits.begin(Wait::RateLimit { until });
            tokio::time::sleep_until(until).await;
        }
    }
}
