//! The steps of a plan, the actions that they may denote, and the reasons why a plan is not feasible.

use std::ops::Range;

use crate::atoms::{Binding, Bound, Code};
use crate::compiled::Candidate;
use crate::model::Problem;
use crate::semantics::Clash;

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
