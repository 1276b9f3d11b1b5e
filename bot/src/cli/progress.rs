//! A bar for what takes longer than a second.

use std::borrow::Cow;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Context;

/// A bar on standard error, if that is a terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for so many things to do.
    pub fn new(context: &Context, what: impl Into<Cow<'static, str>>, count: u64) -> Self {
        let target = if context.live() { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(count), target).with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Self(bar)
    }

    /// From here on the bar says this.
    pub fn say(&self, what: impl Into<Cow<'static, str>>) {
        self.0.set_message(what);
    }

    /// One more is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// All is done; the bar goes away.
    pub fn end(self) {
        self.0.finish_and_clear();
    }
}
