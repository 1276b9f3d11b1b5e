//! Elimination of the steps a run would have ended as well without.

use std::collections::BTreeMap;

use ltlcrit_verifier::{ActionId, PropSet};

use super::trace::{Trace, TraceStep};
use super::variables::{FullState, Variables};
use super::verdict::Verdict;

/// The states in which actions succeeded, by action, as sets of what is present. A state that has all of another is left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Experience {
    succeeded: BTreeMap<ActionId, Vec<PropSet>>,
}

impl Experience {
    pub fn of<'a>(traces: impl Iterator<Item = &'a Trace>) -> Self {
        let mut experience = Self::default();
        for step in traces.flat_map(|trace| &trace.steps).filter(|step| !step.failed) {
            let least = experience.succeeded.entry(step.action).or_default();
            if !least.iter().any(|less| less.is_subset(&step.present)) {
                least.retain(|more| !step.present.is_subset(more));
                least.push(step.present);
            }
        }
        experience
    }

    /// Returns whether the runs show that an action works where this is present.
    fn shows(&self, action: ActionId, present: &PropSet) -> bool {
        self.succeeded.get(&action).is_some_and(|least| least.iter().any(|less| less.is_subset(present)))
    }
}

/// The verdicts on the steps of a trace. Takes time quadratic in their number.
pub(super) fn eliminate(trace: &Trace, experience: &Experience, variables: &Variables) -> Vec<Verdict> {
    let mut left_out = vec![false; trace.end];
    for at in (0..trace.end).rev() {
        let step = &trace.steps[at];
        if left_out[at] || step.counts {
            continue;
        }
        if step.failed || step.without_effect {
            left_out[at] = true;
            continue;
        }
        let mut without = left_out.clone();
        without[at] = true;
        if takes_what_counts(trace, at, &mut without, experience, variables) {
            left_out = without;
        }
    }
    let verdict = |(at, step): (usize, &TraceStep)| {
        let is_kept = left_out.get(at) == Some(&false);
        match is_kept {
            true if step.reached_goal => Verdict::Needed,
            true => Verdict::Gained,
            false if step.failed => Verdict::Failed,
            false if step.without_effect => Verdict::NoEffect,
            false if at < trace.end => Verdict::Needless,
            false => Verdict::Open,
        }
    };
    trace.steps.iter().enumerate().map(verdict).collect()
}

/// Returns whether a run without some steps, none before `from`, still takes the steps that count. Steps that then do not work any
/// more are left out too.
fn takes_what_counts(
    trace: &Trace,
    from: usize,
    without: &mut [bool],
    experience: &Experience,
    variables: &Variables,
) -> bool {
    let mut state = trace.steps[from].before.clone();
    for (step, without) in trace.steps.iter().zip(without.iter_mut()).skip(from) {
        if *without || step.failed {
            continue;
        }
        if works(step, &state, experience, variables) {
            take(step, &mut state);
            if step.counts && !step.reached_goal && !has_all_won(&state, step) {
                return false;
            }
        } else if step.counts {
            return false;
        } else {
            *without = true;
        }
    }
    true
}

/// Returns whether the runs show that a step that was taken in one state works in another.
fn works(step: &TraceStep, state: &FullState, experience: &Experience, variables: &Variables) -> bool {
    if *state == step.before {
        return true;
    }
    let mut consumed = step.before.counts.iter().zip(&step.after.counts).zip(&state.counts);
    let present = variables.present(state);
    consumed.all(|((before, after), had)| before.saturating_sub(*after) <= *had)
        && (step.present.is_subset(&present) || experience.shows(step.action, &present))
}

/// Changes a state as a step changed the one it was taken in.
fn take(step: &TraceStep, state: &mut FullState) {
    let (lost, won) =
        (step.before.observed.difference(&step.after.observed), step.after.observed.difference(&step.before.observed));
    state.observed = state.observed.difference(&lost).union(&won);
    for (had, (before, after)) in state.counts.iter_mut().zip(step.before.counts.iter().zip(&step.after.counts)) {
        *had = (*had + after.saturating_sub(*before)).saturating_sub(before.saturating_sub(*after));
    }
}

/// Returns whether a state has as much as a step led to of everything that the step brought.
fn has_all_won(state: &FullState, step: &TraceStep) -> bool {
    let mut counts = step.before.counts.iter().zip(&step.after.counts).zip(&state.counts);
    counts.all(|((before, after), had)| after <= before || had >= after)
}
