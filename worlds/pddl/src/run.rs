//! Stepwise execution of plans: feasibility and danger.

use std::ops::Range;

use crate::atoms::{Binding, Bound, Code};
use crate::called::Called;
use crate::compiled::Candidate;
use crate::danger::Danger;
use crate::formula::State;
use crate::model::Problem;
use crate::number::Number;
use crate::semantics::{Clash, OutOfWork, Work};

/// Maximum number of states in which a plan with ambiguous names is followed at once.
pub(crate) const MAX_STATES: usize = 256;

/// The reason why a plan is not feasible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The step is not an action with objects of its parameters' types.
    Unreadable,
    /// A conjunct of the precondition of an action does not hold.
    Precondition {
        /// The action.
        action: usize,
        /// The number of the conjunct.
        conjunct: usize,
    },
    /// The effects cannot be applied together, because of a fluent.
    Clash(Clash, Code),
    /// A conjunct of the goal does not hold at the end.
    Goal {
        /// The number of the conjunct.
        conjunct: usize,
    },
}

/// An action with arguments that a step may denote.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub candidate: Candidate,
    /// The index of its first argument in [`Steps::arguments`].
    first: usize,
}

/// The steps of a plan: the text of each, and the actions that it may denote.
#[derive(Debug, Default)]
pub(crate) struct Steps<'t> {
    /// The text, and the end of its calls.
    steps: Vec<(&'t str, usize)>,
    pub calls: Vec<Call>,
    arguments: Vec<Bound>,
}

impl<'t> Steps<'t> {
    pub fn new() -> Self {
        Self { steps: Vec::with_capacity(16), calls: Vec::with_capacity(16), arguments: Vec::with_capacity(16) }
    }

    /// Adds an action that the next step may denote. Nothing is added if an argument is missing.
    pub fn call(&mut self, candidate: Candidate, arguments: impl Iterator<Item = Option<Bound>>) {
        let first = self.arguments.len();
        for argument in arguments {
            let Some(argument) = argument else { return self.arguments.truncate(first) };
            self.arguments.push(argument);
        }
        self.calls.push(Call { candidate, first });
    }

    /// Ends a step.
    pub fn end(&mut self, text: &'t str) {
        self.steps.push((text, self.calls.len()));
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The text of a step, and the numbers of the calls that it may mean.
    pub fn get(&self, step: usize) -> (&'t str, Range<usize>) {
        let from = step.checked_sub(1).map_or(0, |before| self.steps[before].1);
        let (text, end) = self.steps[step];
        (text, from..end)
    }

    /// The calls that a step may mean.
    pub fn calls_of(&self, step: usize) -> &[Call] {
        &self.calls[self.get(step).1]
    }

    /// Binds the parameters of a call.
    pub fn bind(&self, call: &Call, problem: &Problem, binding: &mut Binding) {
        let count = problem.domain.actions[call.candidate.action].parameters.len();
        binding.clear();
        binding.extend_from_slice(&self.arguments[call.first..call.first + count]);
    }
}

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
