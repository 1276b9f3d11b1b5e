//! Output of a run under way: a line for every step, and on a terminal a live line below them.

mod live;
pub mod summary;
mod view;

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
pub use live::Live;
pub use ltlcrit_engine::agent::readable;
use ltlcrit_engine::agent::{Event, Observer};
use ltlcrit_engine::books::waiting;
use ltlcrit_store::RunManifest;
pub use view::{View, shortened};

use crate::cli::output::{Context, DIM, HEAD, WARNING, foreign, terminal, terminal_width};

/// The columns before the live line: the spinner with a space, and two more.
const MARGIN: usize = 4;

/// Shows a run on standard error.
pub struct Reporter<'a> {
    /// The streams.
    pub context: &'a Context,
    /// The model with its endpoint and key variable, if it is not in this process.
    asked: Option<String>,
    bar: ProgressBar,
    view: Option<View>,
    live: Live,
}

impl<'a> Reporter<'a> {
    /// A reporter that shows nothing before the first event.
    pub fn new(context: &'a Context, asked: Option<String>) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Self { context, asked, bar, view: None, live: Live::default() }
    }

    fn say(&self, line: &str) {
        if self.context.quiet() {
            return;
        }
        let cut = match self.bar.is_hidden() {
            true => line.to_owned(),
            false => fitting(line, terminal_width(), self.view.as_ref().map_or(0, View::indent)),
        };
        self.context.note(cut);
    }

    fn begin(&mut self, manifest: &RunManifest, resumed_after: Option<u64>) {
        let mut lines = header(manifest, resumed_after);
        if let Some(asked) = &self.asked {
            lines.insert(1, format!("{DIM}model{DIM:#}  {}", foreign(asked)));
        }
        for line in lines {
            self.say(&line);
        }
        self.say("");
        self.live = Live::new(manifest);
        self.view = Some(View::new(manifest));
        if self.context.live() {
            self.bar = self.context.bars().add(ProgressBar::no_length());
            if let Ok(style) = ProgressStyle::with_template("  {spinner} {wide_msg}") {
                self.bar.set_style(style.tick_chars("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ "));
            }
            self.bar.enable_steady_tick(Duration::from_millis(120));
        }
    }
}

impl Observer for Reporter<'_> {
    fn on(&mut self, event: &Event<'_>) {
        if let Event::Started { manifest, resumed_after } = event {
            return self.begin(manifest, *resumed_after);
        }
        let Some(view) = &mut self.view else { return };
        for line in view.event(event) {
            self.say(&line);
        }
        if let Event::Ended { .. } = event {
            self.bar.finish_and_clear();
        }
        let Some(view) = &self.view else { return };
        if !self.bar.is_hidden() && self.live.on(event, view) {
            self.bar.set_message(foreign(&self.live.text(terminal_width().saturating_sub(MARGIN))));
        }
    }
}

impl Drop for Reporter<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The header of a run, in a few lines.
pub fn header(manifest: &RunManifest, resumed_after: Option<u64>) -> Vec<String> {
    let seed = manifest.world.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    let mut books: Vec<&str> = manifest.books.iter().map(|book| book.name.as_str()).collect();
    if books.is_empty() {
        books.push("none");
    }
    let hard = manifest.laws.iter().filter(|law| law.hard).count();
    let soft = manifest.laws.len() - hard;
    let mut lines = vec![
        format!(
            "{HEAD}run {}{HEAD:#}  {} with {}",
            manifest.run,
            foreign(&manifest.actor),
            foreign(&manifest.model.name)
        ),
        format!("{DIM}world{DIM:#}  {}{seed}: {}", foreign(&manifest.world.kind), foreign(&manifest.task)),
        format!("{DIM}laws{DIM:#}   {} ({hard} hard, {soft} soft)", foreign(&books.join(", "))),
    ];
    if manifest.laws.is_empty() {
        lines.push(no_law(waiting(&manifest.books)));
    }
    if !manifest.shielded {
        lines.push(format!("{WARNING}no shield{WARNING:#}: what it would have blocked is marked, and runs"));
    }
    if let Some(step) = resumed_after {
        lines.push(format!("{DIM}goes on after step {step}{DIM:#}"));
    }
    lines
}

/// The notice of a run without any law.
pub fn no_law(waiting: usize) -> String {
    let why = match waiting {
        0 => "nothing is blocked".to_owned(),
        1 => "1 proposed law waits for review (`ltlcrit laws pending`)".to_owned(),
        more => format!("{more} proposed laws wait for review (`ltlcrit laws pending`)"),
    };
    format!("{WARNING}no law is in force{WARNING:#}: {why}")
}

/// The notice that accompanies all results of simulated models.
pub fn simulated() -> String {
    format!("{WARNING}simulated{WARNING:#} model: it tests the machinery and is no evidence about language models")
}

/// The notice that accompanies all results of planners.
pub fn planner() -> String {
    format!("{WARNING}planner{WARNING:#}: it plans with the task itself and is no language model")
}

/// Breaks a line between words to fewer than `width` visible characters; continuation lines are indented by `indent`.
pub fn fitting(line: &str, width: usize, indent: usize) -> String {
    let visible = terminal::width;
    if visible(line) < width || width < indent + 20 {
        return line.to_owned();
    }
    let mut fitted = String::with_capacity(line.len() + indent);
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let length = visible(word.trim_end());
        if column > indent && column + length >= width {
            fitted.truncate(fitted.trim_end().len());
            fitted.push('\n');
            fitted.push_str(&" ".repeat(indent));
            column = indent;
        }
        fitted.push_str(word);
        column += visible(word);
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words_and_lose_nothing() {
        let line =
            format!("   1  mine stone  {WARNING}blocked{WARNING:#}     a-law: Stone yields nothing without a pickaxe");
        let fitted = fitting(&line, 50, 30);
        insta::assert_snapshot!(terminal::plain(&fitted));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&fitted), words(&line));
        assert_eq!(fitting(&line, 200, 30), line);
    }
}
