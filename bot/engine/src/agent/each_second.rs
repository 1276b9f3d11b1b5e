//! Waiting with a report every second.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// The time between two reports.
const INTERVAL: Duration = Duration::from_secs(1);

/// Waits for `work` and calls `report` every second with the time elapsed so far.
pub async fn each_second<T>(work: impl Future<Output = T>, mut report: impl FnMut(Duration)) -> T {
    let mut work = pin!(work);
    let began = Instant::now();
    // Work that is done at once, as in the embedded world, needs no timer.
    if let Poll::Ready(done) = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await {
        return done;
    }
    let mut ticks = interval_at(began + INTERVAL, INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            _ = ticks.tick() => report(began.elapsed()),
        }
    }
}
