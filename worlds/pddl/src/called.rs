//! Ground actions of plans, instantiated at their first call, and their effects on states.

use rustc_hash::FxHashMap;

use crate::atoms::{Binding, Bound, Code};
use crate::compiled::{Candidate, Compiled};
use crate::danger::Danger;
use crate::formula::{Formula, Id, State};
use crate::instantiate::{GroundEffect, Instantiation, TooLarge, apply, order};
use crate::model::{FunctionId, Problem};
use crate::number::Number;
use crate::semantics::{OutOfWork, Work};
use crate::steps::{Fault, Steps};
use crate::task::Task;

/// Maximum number of conditions and effects that are kept.
const MAX_KEPT: usize = 1_000_000;

/// An action with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct CalledAction {
    /// The conjuncts of the precondition.
    pub precondition: Vec<Formula>,
    /// The conditions of its conditional effects, each as it does not hold and as it holds, where variants are told apart.
    conditions: Vec<[Formula; 2]>,
    effects: Vec<GroundEffect>,
    /// The numbers of its rules, with their conditions and increments.
    danger: Vec<(usize, Formula, Number)>,
    /// The cost of evaluating it, in units of work.
    pub cost: u64,
}

impl CalledAction {
    /// Returns the increment of danger in a state, with the first rule that raises it, if the sum is positive. Returns `None`
    /// if no rule applies.
    pub fn rise(&self, state: &State) -> Option<(Option<usize>, Number)> {
        let (mut first, mut sum) = (None, None);
        for (rule, _, by) in self.danger.iter().filter(|(_, condition, _)| condition.holds(state)) {
            sum = Some(sum.unwrap_or(Number::ZERO) + *by);
            first = first.or(by.is_positive().then_some(*rule));
        }
        sum.map(|sum| (first.filter(|_| sum.is_positive()), sum))
    }
}

/// A problem with the actions that plans of it called.
#[derive(Clone, Debug)]
pub(crate) struct Called<'a> {
    task: &'a Task,
    pub problem: &'a Problem,
    made: Instantiation<'a>,
    /// The number in `actions`, by action and arguments.
    known: Vec<FxHashMap<Box<[Bound]>, usize>>,
    actions: Vec<CalledAction>,
    /// The conjuncts of the goal.
    goal: Vec<Formula>,
    initial: State,
    /// The numbers of facts and of values of the initial state.
    size: (usize, usize),
}

impl<'a> Called<'a> {
    pub fn new(task: &'a Task, problem: &'a Problem) -> Self {
        let made = Instantiation::written_out(problem, &task.atoms, &task.initial, MAX_KEPT);
        let known = vec![FxHashMap::default(); problem.domain.actions.len()];
        let initial = State::new(0, Vec::new());
        Self { task, problem, made, known, actions: Vec::new(), goal: Vec::new(), initial, size: (0, 0) }
    }

    /// Makes all calls of a plan ground: the number of the action of each call. Variants are told apart if they are given, and
    /// danger is counted if it is given.
    pub fn prepare(
        &mut self,
        steps: &Steps<'_>,
        compiled: Option<&Compiled>,
        danger: Option<&Danger>,
    ) -> Result<Vec<usize>, OutOfWork> {
        if self.made.nodes > MAX_KEPT / 2 {
            *self = Self::new(self.task, self.problem);
        }
        let mut binding = Binding::new();
        let mut numbers = Vec::with_capacity(steps.calls.len());
        for call in &steps.calls {
            steps.bind(call, self.problem, &mut binding);
            let number = self.number(call.candidate.action, &mut binding, compiled, danger);
            numbers.push(number.map_err(|_| OutOfWork)?);
        }
        if self.goal.is_empty() {
            let conjuncts = self.problem.goal.conjuncts().into_iter();
            let goal: Result<_, TooLarge> =
                conjuncts.map(|part| self.made.condition(part, true, &mut Binding::new())).collect();
            self.goal = goal.map_err(|_| OutOfWork)?;
        }
        let (facts, values) = (&self.made.facts.all, &self.made.numbers.all);
        let size = (facts.len(), values.len());
        if self.size != size {
            self.size = size;
            let values = values.iter().map(|(code, _)| self.task.initial.value(*code)).collect();
            self.initial = State::new(facts.len(), values);
            for (id, (code, _)) in facts.iter().enumerate() {
                self.initial.set(id as Id, self.task.initial.fact(*code));
            }
        }
        Ok(numbers)
    }

    fn number(
        &mut self,
        action: usize,
        binding: &mut Binding,
        compiled: Option<&Compiled>,
        danger: Option<&Danger>,
    ) -> Result<usize, TooLarge> {
        if let Some(number) = self.known[action].get(&binding[..]) {
            return Ok(*number);
        }
        let before = self.made.nodes;
        let (made, definition) = (&mut self.made, &self.problem.domain.actions[action]);
        let conjuncts = definition.precondition.conjuncts().into_iter();
        let precondition = conjuncts.map(|part| made.condition(part, true, binding)).collect::<Result<_, _>>()?;
        let conditions = compiled.map_or(&[][..], |compiled| compiled.conditions(action)).iter();
        let conditions = conditions
            .map(|one| Ok([made.condition(one, false, binding)?, made.condition(one, true, binding)?]))
            .collect::<Result<_, TooLarge>>()?;
        let (mut effects, mut rules) = (Vec::new(), Vec::new());
        made.effect(&definition.effect, &Formula::TRUE, binding, &mut effects)?;
        effects.sort_by_key(order);
        for (number, rule) in danger.iter().flat_map(|danger| danger.of(action)) {
            made.each(&rule.variables, binding, &mut |made, binding| {
                rules.push((number, made.condition(&rule.condition, true, binding)?, rule.increment));
                Ok(())
            })?;
        }
        let cost = (made.nodes - before) as u64 + 1;
        self.actions.push(CalledAction { precondition, conditions, effects, danger: rules, cost });
        let number = self.actions.len() - 1;
        self.known[action].insert(binding.as_slice().into(), number);
        Ok(number)
    }

    pub fn action(&self, number: usize) -> &CalledAction {
        &self.actions[number]
    }

    /// The initial state of a plan whose calls are ground.
    pub fn initial(&self) -> &State {
        &self.initial
    }

    /// The number of the first conjunct of the goal that does not hold.
    pub fn unmet_goal(&self, state: &State) -> Option<usize> {
        self.goal.iter().position(|part| !part.holds(state))
    }

    /// Writes the state after an action to `after`, or says why it is not applicable.
    pub fn execute(
        &self,
        candidate: &Candidate,
        number: usize,
        state: &State,
        after: &mut State,
        work: &Work,
    ) -> Result<Option<Fault>, OutOfWork> {
        let action = &self.actions[number];
        work.spend(action.cost)?;
        if let Some(conjunct) = action.precondition.iter().position(|part| !part.holds(state)) {
            return Ok(Some(Fault::Precondition { action: candidate.action, conjunct }));
        }
        if let Some(pattern) = candidate.pattern {
            let holds = |(index, both): (usize, &[Formula; 2])| both[(pattern >> index & 1) as usize].holds(state);
            if !action.conditions.iter().enumerate().all(holds) {
                return Ok(Some(Fault::Unreadable));
            }
        }
        Ok(self.after(number, state, after).err())
    }

    /// Writes the state after an action's effects to `after`, whatever its precondition is.
    pub fn after(&self, number: usize, state: &State, after: &mut State) -> Result<(), Fault> {
        after.copy_from(state);
        let bounds = |id: Id| {
            let function = FunctionId(self.made.numbers.all[id as usize].1.symbol);
            self.task.bounds.get(&function).copied()
        };
        apply(&self.actions[number].effects, state, after, &bounds)
            .map_err(|(clash, id)| Fault::Clash(clash, self.code(id)))
    }

    fn code(&self, fluent: Id) -> Code {
        self.made.numbers.all[fluent as usize].0
    }
}
