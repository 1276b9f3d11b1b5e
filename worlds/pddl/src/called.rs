//! Ground actions of plans, instantiated at their first call, and their effects on states.

use rustc_hash::FxHashMap;

use crate::atoms::Code;
use crate::formula::{Formula, Id, State};
use crate::instantiate::{GroundAction, Instantiation, TooLarge, apply};
use crate::model::{FunctionId, ObjectId};
use crate::number::Number;
use crate::semantics::{Clash, OutOfWork};
use crate::task::Task;

/// The reason why a plan is not feasible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The step is not an action with objects of its parameters' types.
    Unreadable,
    /// A conjunct of the precondition of a called action does not hold.
    Precondition { action: usize, conjunct: usize },
    /// The effects cannot be applied together, because of a fluent.
    Clash(Clash, Code),
    /// A conjunct of the goal does not hold at the end.
    Goal { conjunct: usize },
}

/// Maximum number of conditions and effects that are kept.
const MAX_KEPT: usize = 1_000_000;

/// An action with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct CalledAction {
    pub ground: GroundAction,
    /// The cost of evaluating it, in units of work.
    pub cost: u64,
}

impl CalledAction {
    /// Returns the increment of danger in a state, with the first rule that raises it, if the sum is positive. Returns `None`
    /// if no rule applies.
    pub fn rise(&self, state: &State) -> Option<(Option<usize>, Number)> {
        let (mut first, mut sum) = (None, None);
        for of in self.ground.danger.iter().filter(|of| of.condition.holds(state)) {
            sum = Some(sum.unwrap_or(Number::ZERO) + of.increment);
            first = first.or(of.increment.is_positive().then_some(of.rule));
        }
        sum.map(|sum| (first.filter(|_| sum.is_positive()), sum))
    }
}

/// A task's basic problem with the actions that plans of it called.
#[derive(Clone, Debug)]
pub(crate) struct Called<'a> {
    task: &'a Task,
    made: Instantiation<'a>,
    /// The number in `actions`, by action and arguments.
    known: Vec<FxHashMap<Box<[ObjectId]>, usize>>,
    actions: Vec<CalledAction>,
    /// The conjunction of the goal's conjuncts.
    goal: Option<Formula>,
    initial: State,
    /// The numbers of facts and of values of the initial state.
    size: (usize, usize),
}

impl<'a> Called<'a> {
    pub fn new(task: &'a Task) -> Self {
        let made = Instantiation::written_out(&task.basic, &task.atoms, &task.initial, MAX_KEPT);
        let known = vec![FxHashMap::default(); task.basic.domain.actions.len()];
        let (initial, actions) = (State::new(0, Vec::new()), Vec::new());
        Self { task, made, known, actions, goal: None, initial, size: (0, 0) }
    }

    /// Begins another plan: forgets the actions of the earlier ones if there are many.
    pub fn begin(&mut self) {
        if self.made.nodes > MAX_KEPT / 2 {
            *self = Self::new(self.task);
        }
    }

    /// Returns the number of an action with arguments.
    pub fn number(&mut self, action: usize, arguments: &mut Vec<ObjectId>) -> Result<usize, OutOfWork> {
        if let Some(number) = self.known[action].get(&arguments[..]) {
            return Ok(*number);
        }
        let called = self.instantiated(action, arguments).map_err(|_| OutOfWork)?;
        self.actions.push(called);
        let number = self.actions.len() - 1;
        self.known[action].insert(arguments.as_slice().into(), number);
        Ok(number)
    }

    fn instantiated(&mut self, action: usize, arguments: &mut Vec<ObjectId>) -> Result<CalledAction, TooLarge> {
        let before = self.made.nodes;
        let (problem, made) = (self.made.problem, &mut self.made);
        let precondition = made.conjunction(&problem.domain.actions[action].precondition, arguments)?;
        let ground = made.action(action, precondition, self.task.danger.as_ref(), arguments)?;
        Ok(CalledAction { ground, cost: (made.nodes - before) as u64 + 1 })
    }

    /// Returns the danger before the first step, if the task has any.
    pub fn initial_danger(&self) -> Option<Number> {
        self.task.danger.as_ref().map(|danger| danger.initial)
    }

    /// Returns the initial state of a plan after its last call was numbered.
    pub fn initial(&mut self) -> Result<State, OutOfWork> {
        if self.goal.is_none() {
            let problem = self.made.problem;
            let goal = self.made.conjunction(&problem.goal, &mut Vec::new());
            self.goal = Some(goal.map_err(|_| OutOfWork)?);
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
        Ok(self.initial.clone())
    }

    pub fn action(&self, number: usize) -> &CalledAction {
        &self.actions[number]
    }

    /// Returns the names of the objects that an action is called with.
    pub fn names(&self, number: usize) -> Vec<&'a str> {
        let problem = self.made.problem;
        self.actions[number].ground.arguments.iter().map(|id| &*problem.objects[id.0 as usize].name).collect()
    }

    /// Returns the number of the first conjunct of the goal that does not hold.
    pub fn unmet_goal(&self, state: &State) -> Option<usize> {
        self.goal.as_ref().and_then(|goal| goal.unmet(state))
    }

    /// Writes the state after an action's effects to `after`, whatever its precondition is.
    pub fn after(&self, number: usize, state: &State, after: &mut State) -> Result<(), Fault> {
        after.copy_from(state);
        let symbol = |id: Id| &self.made.numbers.all[id as usize];
        let bounds = |id: Id| self.task.bounds.get(&FunctionId(symbol(id).1.symbol)).copied();
        apply(&self.actions[number].ground.effects, state, after, &bounds)
            .map_err(|(clash, id)| Fault::Clash(clash, symbol(id).0))
    }
}
