//! A stretch of a run in full states.

use ltlcrit_verifier::{ActionId, PropSet};

use super::traps::History;
use super::variables::{FullState, Variables};

/// The most steps of a stretch. Judging them takes time quadratic in their number, so longer runs are judged in pieces.
const MAX_STEPS: usize = 1_000;

/// Steps of a run between which the world did not move on by itself.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub steps: Vec<TraceStep>,
    /// The number of steps to the goal or else to the last gain.
    pub end: usize,
}

#[derive(Clone, Debug)]
pub(super) struct TraceStep {
    pub action: ActionId,
    pub failed: bool,
    pub before: FullState,
    /// The observations that hold and the counts above 0 before it.
    pub present: PropSet,
    pub after: FullState,
    /// True if it changed neither an observation nor a count.
    pub without_effect: bool,
    /// True if the run must still take it: the last one before the goal, or a gain of a run that missed it.
    pub counts: bool,
    /// True if the run reached its goal.
    pub reached_goal: bool,
}

impl Trace {
    /// The stretches of a run.
    pub fn of(history: &History<'_>, variables: &Variables) -> Vec<Self> {
        let run = history.run;
        let mut traces = Vec::new();
        let mut first = 0;
        let mut ends: Vec<usize> = (MAX_STEPS..run.steps.len()).step_by(MAX_STEPS).collect();
        ends.extend(run.moved.keys());
        ends.push(run.steps.len());
        ends.sort_unstable();
        for end in ends {
            let full = |at: usize, moved: bool, holds: &PropSet| variables.state(holds, run.counts.get(&(at, moved)));
            let start = full(first, run.moved.contains_key(&first), &run.state_before(first));
            // Earlier stretches of a run that reached its goal only have to end with what they gained.
            let reached_goal = run.reached_goal && end == run.steps.len();
            let mut steps: Vec<TraceStep> = Vec::with_capacity(end.saturating_sub(first));
            for at in first..end {
                let step = &run.steps[at];
                let before = steps.last().map_or_else(|| start.clone(), |step| step.after.clone());
                let after = full(at + 1, false, &step.to);
                steps.push(TraceStep {
                    action: step.action,
                    failed: step.failure.is_some(),
                    present: variables.present(&before),
                    without_effect: before == after && step.to == history.states[at],
                    before,
                    after,
                    counts: if reached_goal { at + 1 == end } else { history.gains.contains(&at) },
                    reached_goal,
                });
            }
            let end_here = steps.iter().rposition(|step| step.counts).map_or(0, |last| last + 1);
            traces.push(Self { steps, end: end_here });
            first = end;
        }
        traces
    }
}
