//! Progress bars.

use std::borrow::Cow;
use std::time::Duration;

use console::measure_text_width;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::output::Context;
use crate::cli::output::terminal::{foreign, terminal_width};

/// The width of the bar, in columns.
const BAR: usize = 20;

/// A progress bar on standard error; hidden if that is not a terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for `count` steps.
    pub fn new(context: &Context, what: impl Into<Cow<'static, str>>, count: u64) -> Self {
        let bar = context.bars().add(ProgressBar::new(count).with_prefix(what));
        if let Ok(style) =
            ProgressStyle::with_template(&format!("{{prefix}} {{bar:{BAR}}} {{pos}}/{{len}}  {{wide_msg}}"))
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Self(bar)
    }

    /// Adds steps to be done.
    pub fn more(&self, count: u64) {
        self.0.inc_length(count);
    }

    /// Sets the text of the bar.
    pub fn say(&self, what: impl Into<Cow<'static, str>>) {
        self.0.set_prefix(what);
        self.0.set_message("");
    }

    /// Shows the current activity after the bar.
    pub fn now(&self, what: &str) {
        self.0.set_message(foreign(what));
    }

    /// The columns left for the current activity.
    pub fn room(&self) -> usize {
        let (position, length) = (self.0.position(), self.0.length().unwrap_or(0));
        let before = format!("{} {position}/{length}", self.0.prefix());
        terminal_width().saturating_sub(measure_text_width(&before) + 1 + BAR + 2)
    }

    /// Marks one more step as done.
    pub fn step(&self) {
        self.0.set_message("");
        self.0.inc(1);
    }

    /// Removes the bar.
    pub fn end(self) {
        self.0.finish_and_clear();
    }
}
