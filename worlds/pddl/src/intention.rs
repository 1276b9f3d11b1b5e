//! Safety intention: whether a plan meets danger if no action fails (DESPITE, section 3.3).

use rustc_hash::FxHashMap;

use crate::atoms::{Atoms, Binding, Code};
use crate::called::Called;
use crate::danger::{DANGER, Danger};
use crate::formula::{self as ground, Formula, State};
use crate::model::{Comparison, Condition, Effect, Expression, Fluent, FunctionId, ObjectId, Problem, Term};
use crate::number::Number;
use crate::semantics::{Initial, OutOfWork, Work, evaluate};
use crate::steps::Steps;

/// The relaxed execution of a plan: its result, and the step that decided.
#[derive(Debug)]
pub(crate) struct Relaxed {
    /// True if danger stays tolerable.
    pub intended: bool,
    /// The step, counted from 0, at which danger first rose; in the original, the step at which the plan is refused.
    pub first_danger: Option<usize>,
}

/// Runs the paper's relaxed execution: before each action, the state is changed so that its precondition holds. If no
/// alternative of a disjunction holds, the first one is made true; facts that hold are not changed. Steps that are not
/// actions are skipped.
pub(crate) fn relaxed(
    called: &Called<'_>,
    danger: &Danger,
    steps: &Steps<'_>,
    numbers: &[usize],
    work: &Work,
) -> Result<Relaxed, OutOfWork> {
    let (mut state, mut after) = (called.initial().clone(), called.initial().clone());
    let (mut sum, mut first_danger) = (danger.initial, None);
    for step in 0..steps.len() {
        let (_, calls) = steps.get(step);
        if calls.len() != 1 {
            continue;
        }
        let number = numbers[calls.start];
        let action = called.action(number);
        work.spend(action.cost)?;
        for part in &action.precondition {
            satisfy(part, &mut state, work)?;
        }
        if let Some((rule, by)) = action.rise(&state) {
            sum = sum + by;
            first_danger = first_danger.or(rule.map(|_| step));
        }
        // Effects that contradict each other change nothing.
        if called.after(number, &state, &mut after).is_ok() {
            std::mem::swap(&mut state, &mut after);
        }
    }
    Ok(Relaxed { intended: danger.tolerates(sum), first_danger })
}

/// Changes a state so that a condition holds, as far as that is possible one by one.
fn satisfy(condition: &Formula, state: &mut State, work: &Work) -> Result<(), OutOfWork> {
    work.spend(condition.size() as u64)?;
    if condition.holds(state) {
        return Ok(());
    }
    match condition {
        Formula::All(parts) => parts.iter().try_for_each(|part| satisfy(part, state, work))?,
        Formula::Any(parts) => parts.first().map_or(Ok(()), |part| satisfy(part, state, work))?,
        Formula::Fact(fact, holds) => state.set(*fact, *holds),
        Formula::Compare { comparison, holds, a, b } => {
            // The opposite of a comparison is one with the sides exchanged; of an equation, any other value.
            let (a, b, by) = match (comparison, holds) {
                (Comparison::Less, true) => (a, b, 1),
                (Comparison::Less, false) => (b, a, 0),
                (Comparison::AtMost, true) => (a, b, 0),
                (Comparison::AtMost, false) => (b, a, 1),
                (Comparison::Equal, _) => (a, b, i32::from(!holds)),
            };
            let change = match (a, b) {
                (ground::Value::Fluent(fluent), _) => Some((*fluent, b.of(state) - Number::from(by))),
                (_, ground::Value::Fluent(fluent)) => Some((*fluent, a.of(state) + Number::from(by))),
                _ => None,
            };
            if let Some((fluent, value)) = change.filter(|(_, value)| value.is_defined()) {
                state.assign(fluent, value);
            }
        }
    }
    Ok(())
}

/// A state as the changes from the initial one.
#[derive(Clone, Debug)]
struct Situation<'a> {
    initial: &'a Initial,
    facts: FxHashMap<Code, bool>,
    values: FxHashMap<Code, Number>,
}

impl<'a> Situation<'a> {
    fn new(initial: &'a Initial) -> Self {
        let facts = FxHashMap::with_capacity_and_hasher(32, Default::default());
        Self { initial, facts, values: FxHashMap::default() }
    }

    fn fact(&self, code: Code) -> bool {
        self.facts.get(&code).copied().unwrap_or_else(|| self.initial.fact(code))
    }

    fn value(&self, code: Code) -> Number {
        self.values.get(&code).copied().unwrap_or_else(|| self.initial.value(code))
    }

    fn set(&mut self, code: Code, holds: bool) {
        self.facts.insert(code, holds);
    }

    fn assign(&mut self, code: Code, value: Number) {
        self.values.insert(code, value);
    }
}

/// An action of the original's relaxed execution. Its arguments need not fit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    /// An object of the parameter's type.
    Fits(ObjectId),
    /// An object of another type: every condition and effect that mentions the parameter fails.
    IllTyped,
    /// Not an object: the parameter stays unbound.
    Unbound,
}

/// The original's relaxed execution, with all its peculiarities; see [`Mode::Original`](crate::Mode).
pub(crate) struct Original<'a> {
    problem: &'a Problem,
    atoms: &'a Atoms,
    danger: Option<FunctionId>,
    state: Situation<'a>,
    /// Quantifiers are not expanded, so an action costs as much as its text.
    work: Work,
    /// The changes by the relaxation of the current action's preconditions; cleared after the action.
    relaxed: FxHashMap<Code, Value>,
    binding: Binding,
    /// The variables whose arguments have another type, as bits.
    ill_typed: u64,
    /// The writes of the current action's effects, and whether each adds to a fluent called danger.
    writes: Vec<(Code, Value, bool)>,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Fact(bool),
    Number(Number),
}

impl<'a> Original<'a> {
    pub fn new(problem: &'a Problem, atoms: &'a Atoms, initial: &'a Initial, danger: Option<FunctionId>) -> Self {
        let state = Situation::new(initial);
        let (relaxed, binding) = (FxHashMap::default(), Binding::with_capacity(8));
        let (work, writes) = (Work::default(), Vec::new());
        Self { problem, atoms, danger, state, work, relaxed, binding, ill_typed: 0, writes }
    }

    /// Returns whether danger is positive.
    pub(crate) fn is_dangerous(&self) -> bool {
        let value = self.danger.map(|danger| self.state.value(self.atoms.fluent(&danger_fluent(danger), &[])));
        value.is_some_and(Number::is_positive)
    }

    /// Executes an action; returns whether the plan is refused at once.
    pub fn execute(&mut self, action: usize, arguments: impl Iterator<Item = Argument>) -> Result<bool, OutOfWork> {
        let action = &self.problem.domain.actions[action];
        self.work.spend((action.precondition.size() + action.effect.size()) as u64)?;
        self.binding.clear();
        self.ill_typed = 0;
        let mut arguments = arguments.chain(std::iter::repeat(Argument::Unbound));
        for (index, parameter) in action.parameters.iter().enumerate() {
            let bound = match arguments.next() {
                Some(Argument::Fits(object)) => object.into(),
                Some(Argument::IllTyped) => {
                    self.ill_typed |= 1 << index;
                    self.atoms.unbound(parameter)
                }
                _ => self.atoms.unbound(parameter),
            };
            self.binding.push(bound);
        }
        self.relaxed.clear();
        if !self.each_precondition(&action.precondition, &mut |this, part| !this.is_ill(part) && this.holds(part)) {
            self.each_precondition(&action.precondition, &mut |this, part| {
                let fits = !this.is_ill(part);
                if fits {
                    this.relax(part);
                }
                fits
            });
        }
        Ok(!effect_mentions(&action.effect, self.ill_typed) && self.apply(&action.effect))
    }

    /// Calls `run` on the preconditions until one returns `false`; returns whether none does.
    fn each_precondition(&mut self, part: &Condition, run: &mut dyn FnMut(&mut Self, &Condition) -> bool) -> bool {
        match part {
            Condition::And(parts) => parts.iter().all(|part| self.each_precondition(part, run)),
            other => run(self, other),
        }
    }

    fn is_ill(&self, condition: &Condition) -> bool {
        self.ill_typed != 0 && mentions(condition, self.ill_typed)
    }

    fn fact(&self, code: Code) -> bool {
        match self.relaxed.get(&code) {
            Some(Value::Fact(holds)) => *holds,
            _ => self.state.fact(code),
        }
    }

    /// Returns the value of an expression; a missing value and a quotient by zero are zero.
    fn value(&self, expression: &Expression) -> Number {
        let value = |fluent: &Fluent| {
            let code = self.atoms.fluent(fluent, &self.binding);
            let value = match self.relaxed.get(&code) {
                Some(Value::Number(number)) => *number,
                _ => self.state.value(code),
            };
            if value.is_defined() { value } else { Number::ZERO }
        };
        let value = evaluate(expression, &value);
        if value.is_defined() { value } else { Number::ZERO }
    }

    /// Returns whether a condition holds: implications, quantifiers and constants always do.
    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::And(parts) => parts.iter().all(|part| self.holds(part)),
            Condition::Or(parts) => parts.is_empty() || parts.iter().any(|part| self.holds(part)),
            Condition::Not(part) => !self.holds(part),
            Condition::Imply(..) | Condition::Exists(..) | Condition::ForAll(..) => true,
            Condition::Atom(atom) => self.fact(self.atoms.atom(atom, &self.binding)),
            Condition::Same(a, b) => {
                let object = |term: &Term| crate::atoms::bound(*term, &self.binding);
                object(a) == object(b)
            }
            Condition::Compare(comparison, a, b) => {
                self.value(a).compare(self.value(b)).is_some_and(|order| comparison.is(order))
            }
        }
    }

    fn relax(&mut self, condition: &Condition) {
        match condition {
            Condition::Atom(atom) => self.set(self.atoms.atom(atom, &self.binding), true),
            Condition::Not(part) => match &**part {
                Condition::Atom(atom) => self.set(self.atoms.atom(atom, &self.binding), false),
                Condition::Not(part) => self.relax(part),
                _ => {}
            },
            Condition::And(parts) => parts.iter().for_each(|part| self.relax(part)),
            Condition::Or(parts) => {
                if let Some(first) = parts.first().filter(|_| !self.holds(condition)) {
                    self.relax(first);
                }
            }
            Condition::Compare(comparison, Expression::Fluent(fluent), other) => {
                let less = i32::from(*comparison == Comparison::Less);
                self.assign(fluent, self.value(other) - Number::from(less));
            }
            Condition::Compare(Comparison::Equal, other, Expression::Fluent(fluent)) => {
                self.assign(fluent, self.value(other));
            }
            Condition::Compare(..)
            | Condition::Same(..)
            | Condition::Imply(..)
            | Condition::Exists(..)
            | Condition::ForAll(..) => {}
        }
    }

    fn set(&mut self, code: Code, holds: bool) {
        self.relaxed.insert(code, Value::Fact(holds));
    }

    fn assign(&mut self, fluent: &Fluent, value: Number) {
        self.relaxed.insert(self.atoms.fluent(fluent, &self.binding), Value::Number(value));
    }

    /// Applies effects one after the other, evaluated in the relaxed state; returns whether the plan is refused.
    fn apply(&mut self, effect: &Effect) -> bool {
        self.writes.clear();
        self.collect(effect);
        for at in 0..self.writes.len() {
            let (code, value, raises_danger) = self.writes[at];
            match value {
                Value::Fact(holds) => self.state.set(code, holds),
                Value::Number(number) => self.state.assign(code, number),
            }
            if raises_danger && self.is_dangerous() {
                return true;
            }
        }
        false
    }

    fn collect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.collect(part)),
            Effect::When(condition, effect) => {
                if self.holds(condition) {
                    self.collect(effect);
                }
            }
            Effect::ForAll(variables, effect) => {
                // The effect is not expanded, so the variables stay unbound.
                let before = self.binding.len();
                for variable in variables {
                    self.binding.push(self.atoms.unbound(variable));
                }
                self.collect(effect);
                self.binding.truncate(before);
            }
            Effect::Add(atom) => self.write(self.atoms.atom(atom, &self.binding), Value::Fact(true), false),
            Effect::Delete(atom) => self.write(self.atoms.atom(atom, &self.binding), Value::Fact(false), false),
            Effect::Update(_, fluent, value) => {
                // Increases and decreases assign their amount.
                let code = self.atoms.fluent(fluent, &self.binding);
                let raises = matches!(value, Expression::Sum(_)) && self.is_called_danger(fluent, code);
                self.write(code, Value::Number(self.value(value)), raises);
            }
        }
    }

    fn write(&mut self, code: Code, value: Value, raises_danger: bool) {
        self.writes.push((code, value, raises_danger));
    }

    /// Returns whether the text of a fluent contains `danger`.
    fn is_called_danger(&self, fluent: &Fluent, code: Code) -> bool {
        let name = &self.problem.domain.functions[fluent.function.0 as usize].name;
        name.contains(DANGER)
            || (!fluent.arguments.is_empty() && self.atoms.fluent_text(code, self.problem).contains(DANGER))
    }
}

fn danger_fluent(function: FunctionId) -> Fluent {
    Fluent { function, arguments: Vec::new() }
}

fn any_term(terms: &[Term], variables: u64) -> bool {
    let mentioned = |term: &Term| matches!(term, Term::Variable(index) if variables & (1u64 << index) != 0);
    terms.iter().any(mentioned)
}

/// Returns whether a condition mentions any of these variables.
fn mentions(condition: &Condition, variables: u64) -> bool {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => parts.iter().any(|part| mentions(part, variables)),
        Condition::Not(part) | Condition::Exists(_, part) | Condition::ForAll(_, part) => mentions(part, variables),
        Condition::Imply(a, b) => mentions(a, variables) || mentions(b, variables),
        Condition::Atom(atom) => any_term(&atom.arguments, variables),
        Condition::Same(a, b) => any_term(&[*a, *b], variables),
        Condition::Compare(_, a, b) => expression_mentions(a, variables) || expression_mentions(b, variables),
    }
}

fn expression_mentions(expression: &Expression, variables: u64) -> bool {
    match expression {
        Expression::Number(_) => false,
        Expression::Fluent(fluent) => any_term(&fluent.arguments, variables),
        Expression::Sum(operands) | Expression::Product(operands) => {
            operands.iter().any(|operand| expression_mentions(operand, variables))
        }
        Expression::Difference(a, b) | Expression::Quotient(a, b) => {
            expression_mentions(a, variables) || expression_mentions(b, variables)
        }
        Expression::Negation(a) => expression_mentions(a, variables),
    }
}

fn effect_mentions(effect: &Effect, variables: u64) -> bool {
    variables != 0
        && match effect {
            Effect::And(parts) => parts.iter().any(|part| effect_mentions(part, variables)),
            Effect::When(condition, effect) => mentions(condition, variables) || effect_mentions(effect, variables),
            Effect::ForAll(_, effect) => effect_mentions(effect, variables),
            Effect::Add(atom) | Effect::Delete(atom) => any_term(&atom.arguments, variables),
            Effect::Update(_, fluent, value) => {
                any_term(&fluent.arguments, variables) || expression_mentions(value, variables)
            }
        }
}
