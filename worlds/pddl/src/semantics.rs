//! The initial state, the arithmetic of updates, and the work that a validation may take.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::atoms::{Atoms, Code};
use crate::model::{Expression, FunctionId, Problem, Update};
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

/// The reason why the effects of an action cannot be applied together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clash {
    /// Two effects give a fluent different values, or one assigns and another adds or scales.
    Conflict,
    /// A value is undefined.
    Undefined,
    /// A value leaves the fluent's bounds.
    Bounds,
}

/// The least and the greatest value of bounded numeric fluents.
pub(crate) type Bounds = FxHashMap<FunctionId, (Number, Number)>;

/// A decrease is an increase by the negative, and scaling down is scaling up by the inverse.
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
