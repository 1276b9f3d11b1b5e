//! Conjunctions of literals, as conditions of laws.

use ltlcrit_verifier::{Formula, Implied, PropId, PropSet, Vocabulary};

/// A conjunction of literals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cube {
    /// The propositions that must hold.
    pub positive: PropSet,
    /// The propositions that must not hold.
    pub negative: PropSet,
}

impl Cube {
    /// Adds a literal.
    pub fn insert(&mut self, prop: PropId, holds: bool) {
        if holds { &mut self.positive } else { &mut self.negative }.insert(prop);
    }

    /// The same with one more literal.
    #[must_use]
    pub fn with(mut self, prop: PropId, holds: bool) -> Self {
        self.insert(prop, holds);
        self
    }

    /// Returns whether a literal is part of it.
    pub fn has(&self, prop: PropId, holds: bool) -> bool {
        if holds { &self.positive } else { &self.negative }.contains(prop)
    }

    /// The conjunction of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self { positive: self.positive.union(&other.positive), negative: self.negative.union(&other.negative) }
    }

    /// Returns whether it holds in a state.
    pub fn holds(&self, state: &PropSet) -> bool {
        self.positive.is_subset(state) && self.negative.intersection(state).is_empty()
    }

    /// The number of literals.
    pub fn len(&self) -> usize {
        self.positive.len() + self.negative.len()
    }

    /// The literals, by proposition: whether it must hold or must not.
    pub fn literals(&self) -> impl Iterator<Item = (PropId, bool)> + use<> {
        let positive = self.positive;
        self.positive.union(&self.negative).iter().map(move |prop| (prop, positive.contains(prop)))
    }

    /// Reads a conjunction of literals; `None` for any other formula, and for one that contradicts itself.
    pub fn read(condition: &Formula, vocabulary: &Vocabulary) -> Option<Self> {
        match condition {
            Formula::True => Some(Self::default()),
            Formula::And(one, other) => {
                let both = Self::read(one, vocabulary)?.and(&Self::read(other, vocabulary)?);
                both.positive.intersection(&both.negative).is_empty().then_some(both)
            }
            _ => literal(condition, vocabulary).map(|literal| Self::from_iter([literal])),
        }
    }

    /// The conjunction as a formula.
    pub fn formula(&self, vocabulary: &Vocabulary) -> Formula {
        let literal = |(prop, holds): (PropId, bool)| {
            let atom = Formula::Atom(vocabulary.name_of(prop).into());
            if holds { atom } else { atom.not() }
        };
        self.literals().map(literal).reduce(Formula::and).unwrap_or(Formula::True)
    }

    /// Returns the cube without literals that others imply by axioms of the form `obs_p -> obs_q`.
    #[must_use]
    pub(crate) fn without_implied(&self, vocabulary: &Vocabulary) -> Self {
        let implied = Implied::new(vocabulary);
        let (positive, negative) =
            (implied.strongest_holding(&self.positive), implied.strongest_failing(&self.negative));
        Self { positive, negative }
    }
}

impl FromIterator<(PropId, bool)> for Cube {
    fn from_iter<I: IntoIterator<Item = (PropId, bool)>>(literals: I) -> Self {
        let mut cube = Self::default();
        for (prop, holds) in literals {
            if holds { &mut cube.positive } else { &mut cube.negative }.insert(prop);
        }
        cube
    }
}

/// A formula as a literal, if it is one.
fn literal(formula: &Formula, vocabulary: &Vocabulary) -> Option<(PropId, bool)> {
    match formula {
        Formula::Atom(name) => Some((vocabulary.id(name)?, true)),
        Formula::Not(inner) => literal(inner, vocabulary).map(|(prop, holds)| (prop, !holds)),
        _ => None,
    }
}
