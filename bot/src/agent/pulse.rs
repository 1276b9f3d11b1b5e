//! Waiting with a report every second.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// The interval between two reports.
const PULSE: Duration = Duration::from_secs(1);

/// Waits for `work` and calls `told` every second with the time it has taken so far.
pub async fn each_second<T>(work: impl Future<Output = T>, mut told: impl FnMut(Duration)) -> T {
    let mut work = pin!(work);
    let began = Instant::now();
    // What is done at once, as everything in the embedded world is, needs no timer.
    if let Poll::Ready(done) = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await {
        return done;
    }
    let mut pulse = interval_at(began + PULSE, PULSE);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            _ = pulse.tick() => told(began.elapsed()),
        }
    }
}
