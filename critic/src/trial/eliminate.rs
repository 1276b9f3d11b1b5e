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
    pub fn of(traces: &[Trace]) -> Self {
        let mut experience = Self::default();
        for step in traces.iter().flat_map(|trace| &trace.steps).filter(|step| !step.failed) {
            let least = experience.succeeded.entry(step.action).or_default();
            if !least.iter().any(|less| less.is_subset(&step.present)) {
                least.retain(|more| !step.present.is_subset(more));
                least.push(step.present);
            }
        }
        experience
    }

    /// Whether the runs show that an action works where this is present.
    fn shows(&self, action: ActionId, present: &PropSet) -> bool {
        self.succeeded.get(&action).is_some_and(|least| least.iter().any(|less| less.is_subset(present)))
    }
}

/// The verdicts on the steps of a trace. Takes time quadratic in their number.
pub(super) fn eliminate(trace: &Trace, experience: &Experience, variables: &Variables) -> Vec<Verdict> {
    let works = |step: &TraceStep, state: &FullState| works(step, state, experience, variables);
    let mut left_out = vec![false; trace.steps.len()];
    for at in (0..trace.steps.len()).rev() {
        if left_out[at] {
            continue;
        }
        let mut without = left_out.clone();
        without[at] = true;
        if ends_as_well(trace, at, &mut without, works) {
            left_out = without;
        }
    }
    let gains = trace.gains(&left_out, &variables.had());
    let verdict = |(at, step): (usize, &TraceStep)| match (left_out[at], step.failed) {
        (true, true) => Verdict::Failed,
        (true, false) => Verdict::Needless,
        (false, _) if trace.reached_goal => Verdict::Needed,
        (false, _) if loses_a_gain(trace, at, &left_out, &gains, works) => Verdict::Gained,
        (false, _) => Verdict::Open,
    };
    trace.steps.iter().enumerate().map(verdict).collect()
}

/// Whether a run ends as well without steps, none of them before `from`. Those that then do not work any more are left out too.
fn ends_as_well(
    trace: &Trace,
    from: usize,
    without: &mut [bool],
    works: impl Fn(&TraceStep, &FullState) -> bool,
) -> bool {
    let (Some(first), Some(last)) = (trace.steps.get(from), trace.steps.last()) else { return true };
    let mut state = first.before.clone();
    for (step, without) in trace.steps.iter().zip(without.iter_mut()).skip(from) {
        *without = *without || !retake(step, &mut state, &works);
    }
    if trace.reached_goal { !without[without.len() - 1] } else { has_all(&state, &last.after) }
}

/// Whether the run would not have had something for the first time without a step: a step that brought it would no longer work,
/// or would bring less of it.
fn loses_a_gain(
    trace: &Trace,
    at: usize,
    left_out: &[bool],
    gains: &[bool],
    works: impl Fn(&TraceStep, &FullState) -> bool,
) -> bool {
    let Some(first) = trace.steps.first() else { return false };
    let mut state = first.before.clone();
    let mut kept = trace.steps.iter().enumerate().filter(|(now, _)| !left_out[*now]);
    kept.any(|(now, step)| {
        let taken = now != at && retake(step, &mut state, &works);
        gains[now] && !(taken && has_all_won(&state, step))
    })
}

/// Takes a step if it works, and tells whether it does.
fn retake(step: &TraceStep, state: &mut FullState, works: impl Fn(&TraceStep, &FullState) -> bool) -> bool {
    let taken = works(step, state);
    if taken {
        take(step, state);
    }
    taken
}

/// Whether the runs show that a step that was taken in one state works in another. A step that failed may be taken anywhere: it
/// is taken to fail again.
fn works(step: &TraceStep, state: &FullState, experience: &Experience, variables: &Variables) -> bool {
    if step.failed || *state == step.before {
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

fn has_all(state: &FullState, wanted: &FullState) -> bool {
    wanted.observed.is_subset(&state.observed) && state.counts.iter().zip(&wanted.counts).all(|(had, want)| had >= want)
}

/// Whether a state has as much as a step led to of what the step brought.
fn has_all_won(state: &FullState, step: &TraceStep) -> bool {
    let mut counts = step.before.counts.iter().zip(&step.after.counts).zip(&state.counts);
    counts.all(|((before, after), had)| after <= before || had >= after)
}
