//! Ground conditions in negation normal form, and the compact states that they are evaluated in.

use crate::model::{Comparison, Expression};
use crate::number::Number;

/// The number of a fact or of a numeric fluent that may change.
pub(crate) type Id = u32;

/// A state: one bit for each changeable fact, one number for each changeable fluent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    facts: Box<[u64]>,
    numbers: Box<[Number]>,
}

impl State {
    pub(crate) fn new(facts: usize, numbers: Vec<Number>) -> Self {
        Self { facts: vec![0; facts.div_ceil(64)].into_boxed_slice(), numbers: numbers.into_boxed_slice() }
    }

    /// Becomes a state of the same size.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.facts.copy_from_slice(&other.facts);
        self.numbers.copy_from_slice(&other.numbers);
    }

    pub(crate) fn fact(&self, id: Id) -> bool {
        self.facts[id as usize / 64] >> (id % 64) & 1 == 1
    }

    pub(crate) fn set(&mut self, id: Id, holds: bool) {
        let bit = 1u64 << (id % 64);
        let word = &mut self.facts[id as usize / 64];
        *word = if holds { *word | bit } else { *word & !bit };
    }

    pub(crate) fn number(&self, id: Id) -> Number {
        self.numbers[id as usize]
    }

    pub(crate) fn assign(&mut self, id: Id, value: Number) {
        self.numbers[id as usize] = value;
    }
}

/// A ground numeric expression.
pub(crate) type Value = Expression<Id>;

impl Value {
    pub fn of(&self, state: &State) -> Number {
        self.evaluate(&|id| state.number(*id))
    }
}

/// A ground condition with negations only at its leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Formula {
    /// A conjunction; true if empty.
    All(Vec<Formula>),
    /// A disjunction; false if empty.
    Any(Vec<Formula>),
    /// A fact, or its negation.
    Fact(Id, bool),
    /// A comparison, or its negation; with an undefined number, neither holds.
    Compare { comparison: Comparison, holds: bool, a: Value, b: Value },
}

impl Formula {
    pub const TRUE: Self = Self::All(Vec::new());
    pub const FALSE: Self = Self::Any(Vec::new());

    pub const fn constant(holds: bool) -> Self {
        if holds { Self::TRUE } else { Self::FALSE }
    }

    pub(crate) fn is_constant(&self, holds: bool) -> bool {
        *self == Self::constant(holds)
    }

    /// Returns the parts of a conjunction, or the condition itself.
    pub(crate) fn conjuncts(&self) -> &[Self] {
        if let Self::All(parts) = self { parts } else { std::slice::from_ref(self) }
    }

    /// Returns the number of the first conjunct that does not hold.
    pub(crate) fn unmet(&self, state: &State) -> Option<usize> {
        self.conjuncts().iter().position(|part| !part.holds(state))
    }

    /// Returns the number of conditions in it.
    pub fn size(&self) -> usize {
        match self {
            Self::All(parts) | Self::Any(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
            Self::Fact(..) | Self::Compare { .. } => 1,
        }
    }

    /// Returns the simplified conjunction (if `all`) or disjunction of these.
    pub fn join(all: bool, parts: impl IntoIterator<Item = Self>) -> Self {
        let mut joined = Vec::new();
        for part in parts {
            match part {
                Self::All(inner) if all => joined.extend(inner),
                Self::Any(inner) if !all => joined.extend(inner),
                part if part.is_constant(!all) => return part,
                part if !joined.contains(&part) || joined.len() > 64 => joined.push(part),
                _ => {}
            }
        }
        match (joined.len(), joined.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                joined.extend(last);
                if all { Self::All(joined) } else { Self::Any(joined) }
            }
        }
    }

    /// Returns a comparison, computed if it is constant.
    pub fn compare(comparison: Comparison, holds: bool, a: Value, b: Value) -> Self {
        match (&a, &b) {
            (Value::Number(a), Value::Number(b)) => {
                Self::constant(a.compare(*b).is_some_and(|order| comparison.is(order) == holds))
            }
            _ => Self::Compare { comparison, holds, a, b },
        }
    }

    pub fn holds(&self, state: &State) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(state)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(state)),
            Self::Fact(id, holds) => state.fact(*id) == *holds,
            Self::Compare { comparison, holds, a, b } => {
                a.of(state).compare(b.of(state)).is_some_and(|order| comparison.is(order) == *holds)
            }
        }
    }

    /// Returns whether it may hold, if `may` says which facts are possible and every comparison is.
    pub(crate) fn may_hold(&self, may: &dyn Fn(Id, bool) -> bool) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.may_hold(may)),
            Self::Any(parts) => parts.iter().any(|part| part.may_hold(may)),
            Self::Fact(id, holds) => may(*id, *holds),
            Self::Compare { .. } => true,
        }
    }

    /// Returns the condition with other facts and fluents, simplified.
    pub fn map(&self, fact: &mut dyn FnMut(Id, bool) -> Formula, fluent: &mut dyn FnMut(&Id) -> Value) -> Self {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                let all = matches!(self, Self::All(_));
                let parts: Vec<Self> = parts.iter().map(|part| part.map(fact, fluent)).collect();
                Self::join(all, parts)
            }
            Self::Fact(id, holds) => fact(*id, *holds),
            Self::Compare { comparison, holds, a, b } => {
                Self::compare(*comparison, *holds, a.map(fluent), b.map(fluent))
            }
        }
    }

    /// Calls `each` with every fact and comparison in it.
    pub(crate) fn each_leaf(&self, each: &mut dyn FnMut(&Formula)) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.each_leaf(each)),
            Self::Fact(..) | Self::Compare { .. } => each(self),
        }
    }

    /// Calls `each` with every fact that it reads, and the wanted truth value.
    pub(crate) fn each_fact(&self, each: &mut dyn FnMut(Id, bool)) {
        self.each_leaf(&mut |leaf| {
            if let Self::Fact(id, holds) = leaf {
                each(*id, *holds);
            }
        });
    }

    /// Calls `each` with every fluent that it reads.
    pub(crate) fn each_fluent(&self, each: &mut dyn FnMut(&Id)) {
        self.each_leaf(&mut |leaf| {
            if let Self::Compare { a, b, .. } = leaf {
                [a, b].into_iter().for_each(|side| side.each_fluent(each));
            }
        });
    }
}
