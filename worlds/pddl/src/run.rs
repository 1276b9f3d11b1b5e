//! Stepwise execution of plans: feasibility and danger.

use crate::atoms::{Binding, Bound};
use crate::compiled::{Candidate, Compiled};
use crate::danger::Danger;
use crate::model::{Condition, Problem};
use crate::number::Number;
use crate::semantics::{Changes, Clash, Initial, OutOfWork, Semantics, Situation};

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
    /// The effects cannot be applied together.
    Clash(Clash),
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
    calls: Vec<Call>,
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

    /// Returns the text of a step, and the actions that it may denote.
    pub fn get(&self, step: usize) -> (&'t str, &[Call]) {
        let from = step.checked_sub(1).map_or(0, |before| self.steps[before].1);
        let (text, end) = self.steps[step];
        (text, &self.calls[from..end])
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

/// The inputs for running a plan.
pub(crate) struct Runner<'a> {
    pub semantics: Semantics<'a>,
    pub initial: &'a Initial,
    /// The variants of actions, if steps may denote one of them.
    pub compiled: Option<&'a Compiled>,
    /// The danger to be counted; only if each step denotes one action.
    pub danger: Option<&'a Danger>,
}

impl<'a> Runner<'a> {
    /// Runs a plan.
    pub fn run(&self, steps: &Steps<'_>) -> Result<Run, OutOfWork> {
        let mut states = vec![Situation::new(self.initial)];
        let (mut binding, mut changes) = (Binding::with_capacity(8), Changes::default());
        let mut run = Run { danger: self.danger.map(|danger| danger.initial), ..Run::default() };
        for step in 0..steps.len() {
            let (_, calls) = steps.get(step);
            let mut fault = Fault::Unreadable;
            match (calls, &mut states[..]) {
                ([call], [state]) => {
                    steps.bind(call, self.semantics.problem, &mut binding);
                    let risen = self.rise(call, state, &mut binding)?;
                    match self.execute(call, state, &mut binding, &mut changes)? {
                        Some(found) => {
                            run.fault = Some((step, found));
                            return Ok(run);
                        }
                        None => {
                            if let (Some(danger), Some((rule, by))) = (&mut run.danger, risen) {
                                *danger = *danger + by;
                                run.first_danger = run.first_danger.or(rule.map(|rule| (step, rule)));
                            }
                            continue;
                        }
                    }
                }
                _ => {
                    let mut next: Vec<Situation<'_>> = Vec::new();
                    for (call, state) in calls.iter().flat_map(|call| states.iter().map(move |state| (call, state))) {
                        // Each state is compared with those that are kept.
                        self.semantics.work.spend(((1 + next.len()) * (1 + state.len())) as u64)?;
                        let mut after = state.clone();
                        steps.bind(call, self.semantics.problem, &mut binding);
                        match self.execute(call, &mut after, &mut binding, &mut changes)? {
                            Some(found) => fault = found,
                            None if next.iter().any(|other| other.is_same(&after)) => {}
                            None if next.len() == MAX_STATES => return Err(OutOfWork),
                            None => next.push(after),
                        }
                    }
                    states = next;
                }
            }
            if states.is_empty() {
                run.fault = Some((step, fault));
                return Ok(run);
            }
        }
        let mut unmet = None;
        for state in &states {
            unmet = self.unmet(&self.semantics.problem.goal, state, &mut Binding::new())?;
            if unmet.is_none() {
                return Ok(run);
            }
        }
        run.fault = unmet.map(|conjunct| (steps.len(), Fault::Goal { conjunct }));
        Ok(run)
    }

    /// Executes an action, or returns why it is not applicable and keeps the state.
    fn execute(
        &self,
        call: &Call,
        state: &mut Situation<'_>,
        binding: &mut Binding,
        changes: &mut Changes,
    ) -> Result<Option<Fault>, OutOfWork> {
        let number = call.candidate.action;
        let action = &self.semantics.problem.domain.actions[number];
        if !self.semantics.holds(&action.precondition, true, state, binding)? {
            let conjunct = self.unmet(&action.precondition, state, binding)?.unwrap_or(0);
            return Ok(Some(Fault::Precondition { action: number, conjunct }));
        }
        if let Some((pattern, compiled)) = call.candidate.pattern.zip(self.compiled) {
            for (index, condition) in compiled.conditions(number).iter().enumerate() {
                if !self.semantics.holds(condition, pattern & (1 << index) != 0, state, binding)? {
                    return Ok(Some(Fault::Unreadable));
                }
            }
        }
        self.semantics.collect(&action.effect, state, binding, changes)?;
        Ok(self.semantics.apply(changes, state).err().map(Fault::Clash))
    }

    /// Returns the first conjunct of a condition that does not hold.
    fn unmet(
        &self,
        condition: &Condition,
        state: &Situation<'_>,
        binding: &mut Binding,
    ) -> Result<Option<usize>, OutOfWork> {
        if self.semantics.holds(condition, true, state, binding)? {
            return Ok(None);
        }
        for (index, part) in condition.conjuncts().into_iter().enumerate() {
            if !self.semantics.holds(part, true, state, binding)? {
                return Ok(Some(index));
            }
        }
        Ok(Some(0))
    }

    /// Returns the change of danger by an action, with the first rule that raises it.
    fn rise(
        &self,
        call: &Call,
        state: &Situation<'_>,
        binding: &mut Binding,
    ) -> Result<Option<(Option<usize>, Number)>, OutOfWork> {
        let Some(danger) = self.danger else { return Ok(None) };
        rise(&self.semantics, danger, call.candidate.action, state, binding)
    }
}

/// Returns the change of danger by an action in a state; `None` if no rule applies. If all rules together raise danger,
/// the first such rule is returned too.
pub(crate) fn rise(
    semantics: &Semantics<'_>,
    danger: &Danger,
    action: usize,
    state: &Situation<'_>,
    binding: &mut Binding,
) -> Result<Option<(Option<usize>, Number)>, OutOfWork> {
    let (mut first, mut sum) = (None, None);
    // The rules are sorted by action.
    let from = danger.rules.partition_point(|rule| rule.action < action);
    let of_action = danger.rules.iter().enumerate().skip(from).take_while(|(_, rule)| rule.action == action);
    for (number, rule) in of_action {
        semantics.each(&rule.variables, binding, true, &mut |binding| {
            if semantics.holds(&rule.condition, true, state, binding)? {
                sum = Some(sum.unwrap_or(Number::ZERO) + rule.increment);
                if rule.increment.is_positive() {
                    first = first.or(Some(number));
                }
            }
            Ok(false)
        })?;
    }
    Ok(sum.map(|sum| (first.filter(|_| sum.is_positive()), sum)))
}
