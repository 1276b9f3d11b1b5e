//! The trace of a primitive: its targets, plans and turns, for people.

use super::Executor;
use crate::body::Body;
use crate::observation::BlockPos;
use crate::path::Plan;
use crate::sight::distance;

/// The maximum number of lines kept for one action: the first and the last ones.
const MAX_LINES: usize = 60;

/// The events of an action, in order: the ticks since its start, and a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    began: u64,
    lines: Vec<(u64, String)>,
    left_out: usize,
}

impl Trace {
    /// Begins the trace of an action.
    pub fn begin(&mut self, tick: u64) {
        *self = Self { began: tick, ..Self::default() };
    }

    /// Adds a line.
    pub fn add(&mut self, tick: u64, line: String) {
        if self.lines.len() == MAX_LINES {
            self.lines.remove(MAX_LINES / 2);
            self.left_out += 1;
        }
        self.lines.push((tick.saturating_sub(self.began), line));
    }

    /// The lines, each with its time in seconds.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> =
            self.lines.iter().map(|(ticks, line)| format!("{:.1} s: {line}", *ticks as f64 / 20.0)).collect();
        if self.left_out > 0 {
            lines.insert(MAX_LINES / 2, format!("({} lines are left out.)", self.left_out));
        }
        lines
    }
}

impl<B: Body> Executor<'_, B> {
    /// Adds a line to the trace, and shows it on displays.
    pub(super) fn note(&mut self, line: impl Into<String>) {
        let (tick, line) = (self.body.tick(), line.into());
        self.body.tell(&line);
        self.state.trace.add(tick, line);
    }

    /// Adds a plan to the trace. Displays keep showing the last line that says what the action is at.
    pub(super) fn trace_plan(&mut self, plan: &Plan, toward: &[BlockPos]) {
        let eyes = self.eyes();
        let from = self.body.feet();
        let nearest = toward.iter().min_by(|a, b| distance(eyes, **a).total_cmp(&distance(eyes, **b)));
        let aim = nearest.map_or_else(String::new, |aim| format!(" to {aim}"));
        let others = if toward.len() > 1 { format!(" or {} others", toward.len() - 1) } else { String::new() };
        let steps = plan.way.len();
        let end = match (plan.arrives, plan.way.last()) {
            (true, _) => "arrives".to_owned(),
            (false, Some(end)) => format!("ends at {end}, short of it"),
            (false, None) => "leads nowhere".to_owned(),
        };
        let (tick, ticks, expanded) = (self.body.tick(), plan.ticks, plan.expanded);
        self.state.trace.add(
            tick,
            format!("A plan from {from}{aim}{others} {end}: {steps} steps, {ticks} ticks, {expanded} places searched."),
        );
    }
}
