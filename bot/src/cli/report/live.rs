//! The live line: the current activity of a run.

use std::collections::VecDeque;
use std::time::Duration;

use console::{measure_text_width, truncate_str};
use indicatif::HumanCount;
use ltlcrit_engine::agent::{Event, Metrics};
use ltlcrit_model::{NanoUsd, Wait};
use ltlcrit_store::RunManifest;
use ltlcrit_worlds::Activity;

use super::View;
use crate::cli::output::{clock, foreign};

/// The longest reason for a retry that is shown, in columns.
const REASON: usize = 60;

/// The current activity of a run, for the live line.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// The step being taken, and the limit on steps.
    step: u64,
    limit: u64,
    /// The action in flight, or `thinking`.
    what: String,
    /// The time it has taken so far.
    elapsed: Duration,
    /// The player's activity, or the wait of the model.
    doing: Option<String>,
    /// The step of the action that is under way.
    detail: Option<String>,
    /// The reason why the model waits.
    why: Option<String>,
    /// The player's position and speed.
    position: Option<[i32; 3]>,
    speed: Speed,
    /// The next milestone.
    next: Option<String>,
    blocked: u64,
    tokens: u64,
    /// The cost of the tokens; `None` where they are free.
    cost: Option<NanoUsd>,
    simulated: bool,
}

impl Live {
    /// The live line of a new run.
    pub fn new(manifest: &RunManifest) -> Self {
        Self { limit: manifest.limits.max_steps, simulated: manifest.model.simulated, ..Self::default() }
    }

    /// Updates the line by an event; returns whether the line changes.
    pub fn on(&mut self, event: &Event<'_>, view: &View) -> bool {
        match event {
            Event::Restored { record, of } => self.begin(record.step, format!("repeating {of} steps")),
            Event::Asking { step, attempt } => {
                let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
                self.begin(*step, format!("thinking{again}"));
            }
            Event::Thinking { elapsed, wait, .. } => self.think(*elapsed, *wait),
            Event::Executing { step, action } => self.begin(*step, view.action(*action).to_owned()),
            Event::Acting { elapsed, activity, .. } => self.act(*elapsed, activity.cloned().unwrap_or_default()),
            Event::Stored { metrics, .. } => self.count(metrics, view),
            _ => return false,
        }
        true
    }

    fn begin(&mut self, step: u64, what: String) {
        let Self { limit, blocked, tokens, cost, simulated, .. } = *self;
        let next = self.next.take();
        *self = Self { step, what, limit, next, blocked, tokens, cost, simulated, ..Self::default() };
    }

    fn think(&mut self, elapsed: Duration, wait: Option<&Wait>) {
        self.elapsed = elapsed;
        self.doing = wait.map(ToString::to_string);
        self.why = match wait {
            Some(Wait::Retry { why, .. }) => Some(truncate_str(&foreign(why), REASON, "…").into_owned()),
            _ => None,
        };
    }

    fn act(&mut self, elapsed: Duration, activity: Activity) {
        self.elapsed = elapsed;
        self.doing = activity.doing;
        self.detail = activity.detail.as_deref().map(foreign);
        self.position = activity.position;
        match activity.position.filter(|_| activity.moving) {
            Some(position) => self.speed.pass(elapsed, position),
            None => self.speed = Speed::default(),
        }
    }

    fn count(&mut self, metrics: &Metrics, view: &View) {
        self.next = view.next_subgoal().map(str::to_owned);
        self.blocked = metrics.blocked;
        self.tokens = metrics.usage.total();
        self.cost = metrics.cost.filter(|_| !self.simulated);
    }

    /// The line in at most `width` columns. Parts without room are left out, in this order: the step of the action, the limit on steps, blocked
    /// proposals, tokens, cost, the next milestone, the coordinates, why the model waits, the speed, the depth. Step,
    /// action, time and activity always stay, cut off if necessary.
    pub fn text(&self, width: usize) -> String {
        let mut parts = self.parts();
        let total = |parts: &[Part]| parts.iter().map(Part::width).sum::<usize>();
        while total(&parts) > width
            && let Some(least) = (0..parts.len()).filter(|at| parts[*at].rank > 0).max_by_key(|at| parts[*at].rank)
        {
            let part = parts.remove(least);
            let room = width.saturating_sub(total(&parts) + measure_text_width(part.before));
            if part.rank == WHY && room >= MIN_REASON {
                let text = truncate_str(&part.text, room, "…").into_owned();
                parts.insert(least, Part { text, ..part });
            }
        }
        let line: String = parts.iter().flat_map(|part| [part.before, &part.text]).collect();
        truncate_str(&line, width, "…").into_owned()
    }

    /// The parts of the line from left to right.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut add = |rank, before, text: Option<String>| {
            parts.extend(text.map(|text| Part { rank, before, text }));
        };
        let (step, limit) = (self.step, self.limit);
        add(0, "", Some(step.to_string()));
        add(9, "", (limit > 0).then(|| format!("/{limit}")));
        add(0, " ", Some(self.what.clone()));
        add(0, "  ", Some(clock(self.elapsed)));
        add(0, "  ", self.doing.clone());
        add(WHY, ": ", self.why.clone());
        add(1, if self.doing.is_some() { ", " } else { "  " }, self.position.map(|[_, y, _]| format!("y {y}")));
        add(4, " ", self.position.map(|[x, _, z]| format!("(x {x}, z {z})")));
        let speed = self.speed.blocks_a_minute();
        add(2, ", ", speed.map(|speed| format!("{speed} block{} a minute", if speed == 1 { "" } else { "s" })));
        add(10, SEPARATOR, self.detail.clone());
        add(5, SEPARATOR, self.next.as_ref().map(|next| format!("next: {next}")));
        add(8, SEPARATOR, (self.blocked > 0).then(|| format!("{} blocked", self.blocked)));
        add(7, SEPARATOR, (self.tokens > 0).then(|| format!("{} tokens", HumanCount(self.tokens))));
        add(6, SEPARATOR, self.cost.map(|cost| cost.to_string()));
        parts
    }
}

const SEPARATOR: &str = "  ·  ";
/// The rank of the reason why the model waits, and the fewest columns it is cut to before it is left out.
const WHY: u8 = 3;
const MIN_REASON: usize = 15;

/// A part of the line.
struct Part {
    /// Parts of higher rank are left out first; rank 0 always stays.
    rank: u8,
    /// The separator before this part.
    before: &'static str,
    text: String,
}

impl Part {
    fn width(&self) -> usize {
        measure_text_width(self.before) + measure_text_width(&self.text)
    }
}

/// The speed of a player, measured over the last minute.
#[derive(Clone, Debug, Default)]
struct Speed(VecDeque<(Duration, [i32; 3])>);

impl Speed {
    /// The time over which the speed is measured, and the shortest time that gives a result.
    const WINDOW: Duration = Duration::from_secs(60);
    const MIN_PAUSE: Duration = Duration::from_secs(5);

    fn pass(&mut self, at: Duration, position: [i32; 3]) {
        self.0.push_back((at, position));
        while self.0.front().is_some_and(|(then, _)| at.saturating_sub(*then) > Self::WINDOW) {
            self.0.pop_front();
        }
    }

    fn blocks_a_minute(&self) -> Option<u64> {
        let ((first, _), (last, _)) = self.0.front().zip(self.0.back())?;
        let took = last.saturating_sub(*first);
        let steps = |from: [i32; 3], to: [i32; 3]| (0..3).map(|axis| from[axis].abs_diff(to[axis])).max().unwrap_or(0);
        let pairs = self.0.iter().zip(self.0.iter().skip(1));
        let way: u64 = pairs.map(|((_, from), (_, to))| u64::from(steps(*from, *to))).sum();
        (took >= Self::MIN_PAUSE).then(|| (way as f64 * 60.0 / took.as_secs_f64()).round() as u64)
    }
}

#[cfg(test)]
mod tests;
