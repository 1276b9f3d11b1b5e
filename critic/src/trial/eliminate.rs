//! Elimination of the steps a run would have ended as well without.

use std::collections::BTreeMap;

use ltlcrit_verifier::{ActionId, PropSet};

use super::trace::{Trace, TraceStep};
use super::variables::{FullState, Variables};

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

/// Which steps of a trace its run would have ended as well without. Takes time quadratic in the number of steps.
pub(super) fn eliminate(trace: &Trace, experience: &Experience, variables: &Variables) -> Vec<bool> {
    let mut left_out = vec![false; trace.steps.len()];
    for at in (0..trace.steps.len()).rev() {
        if left_out[at] {
            continue;
        }
        let mut without = left_out.clone();
        without[at] = true;
        if ends_as_well(trace, at, &mut without, |step, state| works(step, state, experience, variables)) {
            left_out = without;
        }
    }
    left_out
}

/// Takes the steps that are not left out, leaves out those that do not work any more, and tells whether the run ends as well.
fn ends_as_well(
    trace: &Trace,
    from: usize,
    without: &mut [bool],
    works: impl Fn(&TraceStep, &FullState) -> bool,
) -> bool {
    // Nothing before it is left out yet.
    let Some(first) = trace.steps.get(from) else { return true };
    let mut state = first.before.clone();
    for (step, without) in trace.steps.iter().zip(without.iter_mut()).skip(from) {
        *without = *without || !works(step, &state);
        if !*without {
            take(step, &mut state);
        }
    }
    match trace.steps.last() {
        Some(_) if trace.reached_goal => !without[without.len() - 1],
        Some(last) => has_all(&state, &last.after),
        None => true,
    }
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
