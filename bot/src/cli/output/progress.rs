//! Progress bars.

use std::borrow::Cow;
use std::io::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use console::measure_text_width;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::output::Context;
use crate::cli::output::terminal::{foreign, terminal_width};

/// The width of the bar, in columns.
const BAR: usize = 20;

/// The time between two lines where no bar is shown.
const EACH: Duration = Duration::from_secs(30);

/// A progress bar on standard error; if that is not a terminal, a line now and then.
pub struct Progress {
    bar: ProgressBar,
    /// The time of the last line, where lines are written.
    lines: Option<Mutex<Instant>>,
}

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
        let has_lines = bar.is_hidden() && !context.quiet() && !context.json();
        Self { bar, lines: has_lines.then(|| Mutex::new(Instant::now())) }
    }

    /// Adds steps to be done.
    pub fn more(&self, count: u64) {
        self.bar.inc_length(count);
    }

    /// Sets the text of the bar.
    pub fn say(&self, what: impl Into<Cow<'static, str>>) {
        self.bar.set_prefix(what);
        self.bar.set_message("");
    }

    /// Shows the current activity after the bar.
    pub fn now(&self, what: &str) {
        self.bar.set_message(foreign(what));
    }

    /// The columns left for the current activity.
    pub fn room(&self) -> usize {
        let (position, length) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let before = format!("{} {position}/{length}", self.bar.prefix());
        terminal_width().saturating_sub(measure_text_width(&before) + 1 + BAR + 2)
    }

    /// Marks one more step as done.
    pub fn step(&self) {
        self.bar.set_message("");
        self.bar.inc(1);
        let Some(Ok(mut last)) = self.lines.as_ref().map(Mutex::lock) else { return };
        if last.elapsed() >= EACH {
            *last = Instant::now();
            let (what, done, all) = (self.bar.prefix(), self.bar.position(), self.bar.length().unwrap_or(0));
            // A closed standard error does not end the work.
            let _ = writeln!(std::io::stderr(), "{what} {done}/{all}");
        }
    }

    /// Removes the bar.
    pub fn end(self) {
        self.bar.finish_and_clear();
    }
}
