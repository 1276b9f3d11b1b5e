//! A stretch of a run in full states.

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};

use super::variables::{FullState, Variables};
use super::verdict::{Trial, Verdict};
use crate::graph::{Citation, RunPath};

/// The most steps of a stretch. Judging them takes time quadratic in their number, so longer runs are judged in pieces, each
/// of which has to end with everything it ended with.
const MOST_STEPS: usize = 1_000;

/// Steps of a run between which the world did not move on by itself.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    run: RunId,
    /// The number of the run's steps before the first one here.
    first: usize,
    pub steps: Vec<TraceStep>,
    /// Whether the last step reached the goal.
    pub reached_goal: bool,
}

#[derive(Clone, Debug)]
pub(super) struct TraceStep {
    /// The observations before it.
    state: PropSet,
    pub action: ActionId,
    pub failed: bool,
    pub before: FullState,
    /// The observations that hold and the counts above 0 before it.
    pub present: PropSet,
    pub after: FullState,
    /// The observations after it.
    led: PropSet,
}

impl Trace {
    /// The stretches of a run.
    pub fn of(run: &RunPath, variables: &Variables) -> Vec<Self> {
        let mut traces = Vec::new();
        let mut first = 0;
        let mut ends: Vec<usize> = (MOST_STEPS..run.steps.len()).step_by(MOST_STEPS).collect();
        ends.extend(run.moved.keys());
        ends.push(run.steps.len());
        ends.sort_unstable();
        for end in ends {
            let full = |at: usize, moved: bool, holds: &PropSet| variables.state(holds, run.counts.get(&(at, moved)));
            let start = full(first, run.moved.contains_key(&first), &run.state_before(first));
            let mut steps: Vec<TraceStep> = Vec::with_capacity(end.saturating_sub(first));
            for at in first..end {
                let step = &run.steps[at];
                let before = steps.last().map_or_else(|| start.clone(), |step| step.after.clone());
                steps.push(TraceStep {
                    state: run.state_before(at),
                    action: step.action,
                    failed: step.failure.is_some(),
                    present: variables.present(&before),
                    before,
                    led: step.to,
                    after: full(at + 1, false, &step.to),
                });
            }
            let reached_goal = run.reached_goal && end == run.steps.len();
            traces.push(Self { run: run.id, first, steps, reached_goal });
            first = end;
        }
        traces
    }

    /// The steps that are not left out and brought something new: after them an observation held, of those that tell what is
    /// `had`, that had not held before.
    pub fn gains(&self, left_out: &[bool], had: &PropSet) -> Vec<bool> {
        let mut held = self.steps.first().map(|step| step.state).unwrap_or_default();
        let mut new = |step: &TraceStep| {
            let new = !step.led.intersection(had).is_subset(&held);
            held = held.union(&step.led);
            new
        };
        self.steps.iter().zip(left_out).map(|(step, left_out)| new(step) && !left_out).collect()
    }

    /// The trials of its steps, with these verdicts.
    pub fn trials(&self, verdicts: &[Verdict]) -> Vec<Trial> {
        let trial = |(at, (step, verdict)): (usize, (&TraceStep, &Verdict))| Trial {
            state: step.state,
            action: step.action,
            verdict: *verdict,
            step: Citation { run: self.run, step: (self.first + at) as u32 + 1 },
        };
        self.steps.iter().zip(verdicts).enumerate().map(trial).collect()
    }
}
