//! The initial state, the arithmetic of updates, and the work that a validation may take.

use std::cell::Cell;

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::atoms::{Atoms, Code};
use crate::model::{FunctionId, Problem, Update};
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

/// The initial state: the values of fluents, and 1 for the facts that hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Initial(FxHashMap<Code, Number>);

impl Initial {
    pub fn of(problem: &Problem, atoms: &Atoms) -> Self {
        let facts = problem.facts.iter().map(|fact| (atoms.atom(fact, &[]), Number::ONE));
        let values = problem.values.iter().map(|(fluent, value)| (atoms.fluent(fluent, &[]), *value));
        Self(facts.chain(values).collect())
    }

    pub fn fact(&self, code: Code) -> bool {
        self.0.contains_key(&code)
    }

    pub fn value(&self, code: Code) -> Number {
        self.0.get(&code).copied().unwrap_or(Number::UNDEFINED)
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

/// Combines two values of updates of one kind into one; `None` if they contradict each other.
pub(crate) fn combine(kind: Update, so_far: Number, update: Update, value: Number) -> Option<Number> {
    match (kind, update) {
        (Update::Assign, Update::Assign) if so_far == value => Some(so_far),
        (Update::Increase, Update::Increase) => Some(so_far + value),
        (Update::ScaleUp, Update::ScaleUp) => Some(so_far * value),
        _ => None,
    }
}

/// Returns the value of a fluent after an assignment, an increase or a scaling up.
pub(crate) fn updated(update: Update, before: Number, value: Number) -> Number {
    match update {
        Update::Increase => before + value,
        Update::ScaleUp => before * value,
        _ => value,
    }
}
