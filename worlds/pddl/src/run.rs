//! Plans as calls of actions, and their stepwise execution: feasibility and danger.

use crate::called::{Call, Called, Fault};
use crate::formula::State;
use crate::number::Number;
use crate::semantics::{OutOfWork, Work};

/// Maximum number of states in which a plan with ambiguous names is followed at once.
pub(crate) const MAX_STATES: usize = 256;

/// The steps of a plan: the text of each, and the actions that it may denote.
#[derive(Debug)]
pub(crate) struct Steps<'t> {
    /// The text of each step, and the end of its calls.
    steps: Vec<(&'t str, usize)>,
    pub calls: Vec<Call>,
}

impl<'t> Steps<'t> {
    pub fn new() -> Self {
        Self { steps: Vec::with_capacity(16), calls: Vec::with_capacity(16) }
    }

    /// Ends a step, whose calls were added.
    pub fn end(&mut self, text: &'t str) {
        self.steps.push((text, self.calls.len()));
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the text of a step, and the actions that it may denote.
    pub fn get(&self, step: usize) -> (&'t str, &[Call]) {
        let from = step.checked_sub(1).map_or(0, |before| self.steps[before].1);
        let (text, end) = self.steps[step];
        (text, &self.calls[from..end])
    }
}

/// The outcome of a plan.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// The step, counted from 0, at which the plan fails, with the reason; for the goal, the number of steps.
    pub fault: Option<(usize, Fault)>,
    /// The danger at the end, if it is counted.
    pub danger: Option<Number>,
    /// The first step at which danger rose, with the number of the rule.
    pub first_danger: Option<(usize, usize)>,
}

/// Runs a plan. If danger is counted, each step denotes one action.
pub(crate) fn run(called: &Called<'_>, initial: &State, steps: &Steps<'_>, work: &Work) -> Result<Run, OutOfWork> {
    let (mut states, mut after) = (vec![initial.clone()], initial.clone());
    let mut run = Run { danger: called.danger.map(|danger| danger.initial), ..Run::default() };
    for step in 0..steps.len() {
        let (_, calls) = steps.get(step);
        if let ([state], [call]) = (&mut states[..], calls) {
            let risen = called.action(call.action).rise(state);
            if let Some(found) = called.execute(call, state, &mut after, work)? {
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
        let (mut next, mut fault): (Vec<State>, _) = (Vec::new(), Fault::Unreadable);
        for (call, state) in calls.iter().flat_map(|call| states.iter().map(move |state| (call, state))) {
            // Each is compared with those that are kept.
            work.spend(((1 + next.len()) * (1 + state.len())) as u64)?;
            match called.execute(call, state, &mut after, work)? {
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
    let unmet: Option<Vec<usize>> = states.iter().map(|state| called.unmet_goal(state)).collect();
    let unmet = unmet.and_then(|unmet| unmet.last().copied());
    run.fault = unmet.map(|conjunct| (steps.len(), Fault::Goal { conjunct }));
    Ok(run)
}
