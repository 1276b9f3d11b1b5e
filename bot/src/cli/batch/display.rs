//! The progress line of a batch.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ltlcrit_engine::agent::{Observer, Silent};
use ltlcrit_engine::batch::BatchProgress;
use ltlcrit_engine::learn::EpisodeProgress;

use crate::cli::output::{Context, Progress, clock, foreign};

/// Shows how many cells are done and failed, how fast, and how long the rest will take.
pub struct BatchDisplay(Mutex<Current>);

struct Current {
    bar: Progress,
    since: Instant,
    all: usize,
    done: usize,
    failed: usize,
}

impl BatchDisplay {
    /// Begins with this many cells to run.
    pub fn new(context: &Context, cells: usize) -> Self {
        let bar = Progress::new(context, "cells", cells as u64);
        Self(Mutex::new(Current { bar, since: Instant::now(), all: cells, done: 0, failed: 0 }))
    }

    fn now(&self) -> MutexGuard<'_, Current> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the line.
    pub fn clear(self) {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).bar.end();
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

impl EpisodeProgress for BatchDisplay {
    fn begins(&self) {}

    fn observer(&self) -> impl Observer {
        Silent
    }

    fn done(&self) {
        let mut now = self.now();
        now.bar.step();
        now.done += 1;
        now.show();
    }
}

impl BatchProgress for BatchDisplay {
    fn learns(&self, condition: &str) {
        self.now().bar.now(&format!("learning the laws of {}", foreign(condition)));
    }

    fn failed(&self, cells: usize) {
        let mut now = self.now();
        (0..cells).for_each(|_| now.bar.step());
        now.failed += cells;
        now.show();
    }
}
