//! The progress line of a batch.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ltlcrit_engine::agent::{Observer, Silent};
use ltlcrit_engine::batch::BatchProgress;
use ltlcrit_engine::learn::EpisodeProgress;

use crate::cli::output::Context;
use crate::cli::output::clock;
use crate::cli::output::progress::Progress;
use crate::cli::output::terminal::foreign;

/// Shows how many cells are done and failed, how fast, and how long the rest will take.
pub struct BatchDisplay<'a> {
    context: &'a Context,
    now: Mutex<Option<Current>>,
}

struct Current {
    bar: Progress,
    since: Instant,
    all: usize,
    done: usize,
    failed: usize,
}

impl<'a> BatchDisplay<'a> {
    /// A display that shows nothing yet.
    pub fn new(context: &'a Context) -> Self {
        Self { context, now: Mutex::new(None) }
    }

    fn now(&self) -> MutexGuard<'_, Option<Current>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins with so many cells to run.
    pub fn begin(&self, cells: usize) {
        let bar = Progress::new(self.context, "cells", cells as u64);
        *self.now() = Some(Current { bar, since: Instant::now(), all: cells, done: 0, failed: 0 });
    }

    /// Removes the line.
    pub fn clear(&self) {
        if let Some(now) = self.now().take() {
            now.bar.end();
        }
    }
}

impl Current {
    fn show(&self) {
        let taken = self.since.elapsed().as_secs_f64();
        if self.done == 0 || taken <= 0.0 {
            return;
        }
        let rate = self.done as f64 / taken;
        let left = (self.all - self.done - self.failed) as f64 / rate;
        let failed = if self.failed > 0 { format!("{} failed, ", self.failed) } else { String::new() };
        self.bar.now(&format!("{failed}{rate:.1}/s, {} left", clock(Duration::from_secs_f64(left))));
    }
}

impl EpisodeProgress for BatchDisplay<'_> {
    fn begins(&self) {}

    fn observer(&self) -> impl Observer {
        Silent
    }

    fn done(&self) {
        if let Some(now) = &mut *self.now() {
            now.bar.step();
            now.done += 1;
            now.show();
        }
    }
}

impl BatchProgress for BatchDisplay<'_> {
    fn learns(&self, condition: &str) {
        if let Some(now) = &mut *self.now() {
            now.bar.now(&format!("learning the laws of {}", foreign(condition)));
        }
    }

    fn failed(&self, cells: usize) {
        if let Some(now) = &mut *self.now() {
            for _ in 0..cells {
                now.bar.step();
            }
            now.failed += cells;
            now.show();
        }
    }
}
