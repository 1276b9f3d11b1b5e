//! The semantics of conditions and effects, over any state, without grounding.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::atoms::{Atoms, Binding, Bound, Code, bound};
use crate::model::{Condition, Effect, Expression, FunctionId, ObjectId, Problem, Typed, Update};
use crate::number::Number;

/// Maximum number of conditions and effects that one validation evaluates, counted as nodes of their trees.
pub const MAX_WORK: u64 = 20_000_000;

/// An evaluation that exceeds [`MAX_WORK`].
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the evaluation was given up after {MAX_WORK} steps: quantifiers over too many objects, or too long a plan")]
pub struct OutOfWork;

/// The rest of [`MAX_WORK`].
#[derive(Debug)]
pub(crate) struct Work(Cell<u64>);

impl Default for Work {
    fn default() -> Self {
        Self(Cell::new(MAX_WORK))
    }
}

impl Work {
    pub fn spend(&self, amount: u64) -> Result<(), OutOfWork> {
        self.0.set(self.0.get().checked_sub(amount).ok_or(OutOfWork)?);
        Ok(())
    }
}

/// The initial state: the facts that hold, and the values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Initial {
    facts: FxHashSet<Code>,
    values: FxHashMap<Code, Number>,
}

impl Initial {
    pub fn of(problem: &Problem, atoms: &Atoms) -> Self {
        let facts = problem.facts.iter().map(|fact| atoms.atom(fact, &[])).collect();
        let values = problem.values.iter().map(|(fluent, value)| (atoms.fluent(fluent, &[]), *value)).collect();
        Self { facts, values }
    }

    pub fn fact(&self, code: Code) -> bool {
        self.facts.contains(&code)
    }

    pub fn value(&self, code: Code) -> Number {
        self.values.get(&code).copied().unwrap_or(Number::UNDEFINED)
    }
}

/// A state as its changes from the initial one.
#[derive(Clone, Debug)]
pub(crate) struct Situation<'a> {
    initial: &'a Initial,
    facts: FxHashMap<Code, bool>,
    values: FxHashMap<Code, Number>,
}

impl<'a> Situation<'a> {
    pub fn new(initial: &'a Initial) -> Self {
        let facts = FxHashMap::with_capacity_and_hasher(32, Default::default());
        Self { initial, facts, values: FxHashMap::default() }
    }

    pub fn fact(&self, code: Code) -> bool {
        self.facts.get(&code).copied().unwrap_or_else(|| self.initial.facts.contains(&code))
    }

    pub fn value(&self, code: Code) -> Number {
        let value = self.values.get(&code).or_else(|| self.initial.values.get(&code));
        value.copied().unwrap_or(Number::UNDEFINED)
    }

    pub fn set(&mut self, code: Code, holds: bool) {
        self.facts.insert(code, holds);
    }

    pub fn assign(&mut self, code: Code, value: Number) {
        self.values.insert(code, value);
    }

    /// Returns the number of changed facts and values.
    pub fn len(&self) -> usize {
        self.facts.len() + self.values.len()
    }

    /// Returns whether two states with the same initial state are equal.
    pub fn is_same(&self, other: &Self) -> bool {
        let below = |a: &Self, b: &Self| {
            a.facts.iter().all(|(code, holds)| b.fact(*code) == *holds)
                && a.values.iter().all(|(code, value)| b.value(*code) == *value)
        };
        below(self, other) && below(other, self)
    }
}

/// The changes by an action, before they are applied. Reused between steps, so that a step does not allocate.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    adds: Vec<Code>,
    deletes: Vec<Code>,
    updates: Vec<(Code, Update, Number)>,
}

/// The reason why the effects of an action cannot be applied together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clash {
    /// Two effects give a fluent different values, or one assigns and another adds or scales.
    Conflict(Code),
    /// A value is undefined.
    Undefined(Code),
    /// A value leaves the fluent's bounds.
    Bounds(Code),
}

/// The least and the greatest value of bounded numeric fluents.
pub(crate) type Bounds = FxHashMap<FunctionId, (Number, Number)>;

/// The evaluation of a problem's conditions and effects within a budget of work.
#[derive(Debug)]
pub(crate) struct Semantics<'a> {
    pub problem: &'a Problem,
    pub atoms: &'a Atoms,
    pub bounds: &'a Bounds,
    pub work: Work,
}

impl<'a> Semantics<'a> {
    pub fn new(problem: &'a Problem, atoms: &'a Atoms, bounds: &'a Bounds) -> Self {
        Self { problem, atoms, bounds, work: Work::default() }
    }

    /// Returns whether a condition (or, if not `wanted`, its negation) holds. With an undefined number, neither a
    /// comparison nor its negation holds.
    pub fn holds(
        &self,
        condition: &Condition,
        wanted: bool,
        state: &Situation<'_>,
        binding: &mut Binding,
    ) -> Result<bool, OutOfWork> {
        self.work.spend(1)?;
        Ok(match condition {
            Condition::And(parts) => self.all(parts, wanted, wanted, state, binding)?,
            Condition::Or(parts) => self.all(parts, !wanted, wanted, state, binding)?,
            Condition::Not(part) => self.holds(part, !wanted, state, binding)?,
            Condition::Imply(a, b) if wanted => {
                self.holds(a, false, state, binding)? || self.holds(b, true, state, binding)?
            }
            Condition::Imply(a, b) => self.holds(a, true, state, binding)? && self.holds(b, false, state, binding)?,
            Condition::Exists(variables, body) => {
                // The negation of `exists` is for all objects.
                self.each(variables, binding, wanted, &mut |binding| self.holds(body, wanted, state, binding))?
            }
            Condition::ForAll(variables, body) => {
                self.each(variables, binding, !wanted, &mut |binding| self.holds(body, wanted, state, binding))?
            }
            Condition::Atom(atom) => state.fact(self.atoms.atom(atom, binding)) == wanted,
            Condition::Same(a, b) => (bound(*a, binding) == bound(*b, binding)) == wanted,
            Condition::Compare(comparison, a, b) => {
                let order = self.value(a, state, binding)?.compare(self.value(b, state, binding)?);
                order.is_some_and(|order| comparison.is(order) == wanted)
            }
        })
    }

    /// Returns whether all parts (if `all`), or any of them, have the wanted truth value.
    fn all(
        &self,
        parts: &[Condition],
        all: bool,
        wanted: bool,
        state: &Situation<'_>,
        binding: &mut Binding,
    ) -> Result<bool, OutOfWork> {
        for part in parts {
            if self.holds(part, wanted, state, binding)? != all {
                return Ok(!all);
            }
        }
        Ok(all)
    }

    /// Calls `run` for all values of variables until a result is `until`; returns `until` then, and its negation
    /// otherwise.
    pub fn each(
        &self,
        variables: &[Typed],
        binding: &mut Binding,
        until: bool,
        run: &mut dyn FnMut(&mut Binding) -> Result<bool, OutOfWork>,
    ) -> Result<bool, OutOfWork> {
        let Some((variable, rest)) = variables.split_first() else { return run(binding) };
        for object in 0..self.problem.objects.len() as u32 {
            self.work.spend(self.problem.is_instance_work(ObjectId(object), &variable.types))?;
            if !self.problem.is_instance(ObjectId(object), &variable.types) {
                continue;
            }
            binding.push(Bound::from(ObjectId(object)));
            let result = self.each(rest, binding, until, run);
            binding.pop();
            if result? == until {
                return Ok(until);
            }
        }
        Ok(!until)
    }

    /// Returns the value of an expression.
    pub fn value(
        &self,
        expression: &Expression,
        state: &Situation<'_>,
        binding: &[Bound],
    ) -> Result<Number, OutOfWork> {
        self.work.spend(expression.size() as u64 - 1)?;
        Ok(evaluate(expression, &|fluent| state.value(self.atoms.fluent(fluent, binding))))
    }

    /// Collects the changes by an action in a state: all conditions and values are evaluated in that state.
    pub fn collect(
        &self,
        effect: &Effect,
        state: &Situation<'_>,
        binding: &mut Binding,
        into: &mut Changes,
    ) -> Result<(), OutOfWork> {
        self.work.spend(1)?;
        match effect {
            Effect::And(parts) => parts.iter().try_for_each(|part| self.collect(part, state, binding, into))?,
            Effect::When(condition, effect) => {
                if self.holds(condition, true, state, binding)? {
                    self.collect(effect, state, binding, into)?;
                }
            }
            Effect::ForAll(variables, effect) => {
                self.each(variables, binding, true, &mut |binding| {
                    self.collect(effect, state, binding, into).map(|()| false)
                })?;
            }
            Effect::Add(atom) => into.adds.push(self.atoms.atom(atom, binding)),
            Effect::Delete(atom) => into.deletes.push(self.atoms.atom(atom, binding)),
            Effect::Update(update, fluent, value) => {
                let value = self.value(value, state, binding)?;
                into.updates.push((self.atoms.fluent(fluent, binding), *update, value));
            }
        }
        Ok(())
    }

    /// Applies the collected changes: additions after deletions, and all numbers at once. If that fails, nothing is
    /// changed.
    pub fn apply(&self, changes: &mut Changes, state: &mut Situation<'_>) -> Result<(), Clash> {
        let result = self.apply_updates(changes, state);
        if result.is_ok() {
            changes.deletes.iter().for_each(|code| state.set(*code, false));
            changes.adds.iter().for_each(|code| state.set(*code, true));
        }
        changes.deletes.clear();
        changes.adds.clear();
        changes.updates.clear();
        result
    }

    fn apply_updates(&self, changes: &mut Changes, state: &mut Situation<'_>) -> Result<(), Clash> {
        let updates = &mut changes.updates;
        updates.sort_by_key(|(code, ..)| *code);
        let mut last = 0;
        // The results come first in the list, one for each fluent.
        for at in 0..updates.len() {
            let (code, update, value) = updates[at];
            if at > 0 && updates[last].0 == code {
                let (_, kind, so_far) = updates[last];
                updates[last].2 = combine(kind, so_far, update, value).ok_or(Clash::Conflict(code))?;
            } else {
                last = if at == 0 { 0 } else { last + 1 };
                updates[last] = (code, plain(update), signed(update, value));
            }
        }
        updates.truncate(if updates.is_empty() { 0 } else { last + 1 });
        for (code, update, value) in &mut *updates {
            *value = updated(*update, state.value(*code), *value);
            if !value.is_defined() {
                return Err(Clash::Undefined(*code));
            }
            let bounds = self.bounds.get(&self.atoms.function(*code));
            if bounds.is_some_and(|(least, most)| !value.is_between(*least, *most)) {
                return Err(Clash::Bounds(*code));
            }
        }
        updates.iter().for_each(|(code, _, value)| state.assign(*code, *value));
        Ok(())
    }
}

/// Returns the operation without decreases: a decrease is an increase by the negative, scaling down is scaling up by
/// the inverse.
pub(crate) const fn plain(update: Update) -> Update {
    match update {
        Update::Decrease => Update::Increase,
        Update::ScaleDown => Update::ScaleUp,
        other => other,
    }
}

pub(crate) fn signed(update: Update, value: Number) -> Number {
    match update {
        Update::Decrease => -value,
        Update::ScaleDown => Number::from(1) / value,
        _ => value,
    }
}

/// Combines two updates of one fluent into one; `None` if they contradict each other.
pub(crate) fn combine(kind: Update, so_far: Number, update: Update, value: Number) -> Option<Number> {
    let value = signed(update, value);
    match (kind, plain(update)) {
        (Update::Assign, Update::Assign) if so_far == value => Some(so_far),
        (Update::Increase, Update::Increase) => Some(so_far + value),
        (Update::ScaleUp, Update::ScaleUp) => Some(so_far * value),
        _ => None,
    }
}

/// Returns the value of a fluent after an update.
pub(crate) fn updated(update: Update, before: Number, value: Number) -> Number {
    match update {
        Update::Assign => value,
        Update::Increase => before + value,
        Update::Decrease => before - value,
        Update::ScaleUp => before * value,
        Update::ScaleDown => before / value,
    }
}

/// Returns the value of an expression, given the values of fluents.
pub(crate) fn evaluate(expression: &Expression, value: &dyn Fn(&crate::model::Fluent) -> Number) -> Number {
    let both = |a: &Expression, b: &Expression| (evaluate(a, value), evaluate(b, value));
    match expression {
        Expression::Number(number) => *number,
        Expression::Fluent(fluent) => value(fluent),
        Expression::Sum(operands) => operands.iter().fold(Number::ZERO, |sum, operand| sum + evaluate(operand, value)),
        Expression::Product(operands) => {
            operands.iter().fold(Number::from(1), |product, operand| product * evaluate(operand, value))
        }
        Expression::Difference(a, b) => {
            let (a, b) = both(a, b);
            a - b
        }
        Expression::Negation(a) => -evaluate(a, value),
        Expression::Quotient(a, b) => {
            let (a, b) = both(a, b);
            a / b
        }
    }
}
