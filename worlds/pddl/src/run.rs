//! Stepwise execution of plans: feasibility and danger.

use crate::called::Called;
use crate::danger::Danger;
use crate::formula::State;
use crate::number::Number;
use crate::semantics::{OutOfWork, Work};
use crate::steps::{Fault, Steps};

/// Maximum number of states in which a plan with ambiguous names is followed at once.
pub(crate) const MAX_STATES: usize = 256;

/// The outcome of a plan.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// The step, counted from 0, at which the plan fails, with the reason; for the goal, the number of steps.
    pub fault: Option<(usize, Fault)>,
    /// The danger at the end, counted from 0.
    pub danger: Option<Number>,
    /// The first step at which danger rose, with the number of the rule.
    pub first_danger: Option<(usize, usize)>,
}

/// Runs a plan whose calls have these numbers, with its danger where it is to be counted; each step then means one action.
pub(crate) fn run(
    called: &Called<'_>,
    danger: Option<&Danger>,
    steps: &Steps<'_>,
    numbers: &[usize],
    work: &Work,
) -> Result<Run, OutOfWork> {
    let mut states = vec![called.initial().clone()];
    let mut after = called.initial().clone();
    let mut run = Run { danger: danger.map(|danger| danger.initial), ..Run::default() };
    for step in 0..steps.len() {
        let (_, calls) = steps.get(step);
        let mut fault = Fault::Unreadable;
        if let ([state], 1) = (&mut states[..], calls.len()) {
            let call = calls.start;
            let risen = called.action(numbers[call]).rise(state);
            if let Some(found) = called.execute(&steps.calls[call].candidate, numbers[call], state, &mut after, work)? {
                run.fault = Some((step, found));
                return Ok(run);
            }
            std::mem::swap(state, &mut after);
            if let (Some(danger), Some((rule, by))) = (&mut run.danger, risen) {
                *danger = *danger + by;
                run.first_danger = run.first_danger.or(rule.map(|rule| (step, rule)));
            }
            continue;
        }
        let mut next: Vec<State> = Vec::new();
        for (call, state) in calls.flat_map(|call| states.iter().map(move |state| (call, state))) {
            // Each is compared with those that are kept.
            work.spend(((1 + next.len()) * (1 + state.len())) as u64)?;
            match called.execute(&steps.calls[call].candidate, numbers[call], state, &mut after, work)? {
                Some(found) => fault = found,
                None if next.contains(&after) => {}
                None if next.len() == MAX_STATES => return Err(OutOfWork),
                None => next.push(after.clone()),
            }
        }
        states = next;
        if states.is_empty() {
            run.fault = Some((step, fault));
            return Ok(run);
        }
    }
    let mut unmet = None;
    for state in &states {
        unmet = called.unmet_goal(state);
        if unmet.is_none() {
            return Ok(run);
        }
    }
    run.fault = unmet.map(|conjunct| (steps.len(), Fault::Goal { conjunct }));
    Ok(run)
}
