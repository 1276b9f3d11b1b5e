//! Formulas of linear temporal logic on finite words, as people and models write them.

use std::collections::BTreeSet;
use std::sync::Arc;

/// A formula. Atoms are names; [`crate::vocabulary::Vocabulary`] gives them meaning.
///
/// The semantics is LTLf as in Spot: [`Formula::Next`] is *weak* (true at the last position), [`Formula::StrongNext`]
/// is false there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// Always true.
    True,
    /// Always false.
    False,
    /// A proposition, such as `obs_has_log` or `is_on(book, book_shelf)`.
    Atom(Arc<str>),
    /// `! a`
    Not(Box<Formula>),
    /// `a & b`
    And(Box<Formula>, Box<Formula>),
    /// `a | b`
    Or(Box<Formula>, Box<Formula>),
    /// `a -> b`
    Implies(Box<Formula>, Box<Formula>),
    /// `a <-> b`
    Iff(Box<Formula>, Box<Formula>),
    /// `a xor b`
    Xor(Box<Formula>, Box<Formula>),
    /// `X a`: if there is a next position, a holds there.
    Next(Box<Formula>),
    /// `X[!] a`: there is a next position and a holds there.
    StrongNext(Box<Formula>),
    /// `G a`: a holds now and at every later position.
    Globally(Box<Formula>),
    /// `F a`: a holds now or at some later position.
    Finally(Box<Formula>),
    /// `a U b`: b holds now or later, and a at every position before that.
    Until(Box<Formula>, Box<Formula>),
    /// `a W b`: `a U b`, or a holds to the end.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `a R b`: b holds up to and including the first position where a holds, or to the end.
    Release(Box<Formula>, Box<Formula>),
    /// `a M b`: `a R b`, and a holds at some position.
    StrongRelease(Box<Formula>, Box<Formula>),
}

/// Constructors that read like the formulas they build.
#[allow(clippy::should_implement_trait, missing_docs)]
impl Formula {
    pub fn atom(name: impl Into<Arc<str>>) -> Self {
        Self::Atom(name.into())
    }
    pub fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }
    pub fn or(self, other: Self) -> Self {
        Self::Or(Box::new(self), Box::new(other))
    }
    pub fn implies(self, other: Self) -> Self {
        Self::Implies(Box::new(self), Box::new(other))
    }
    pub fn iff(self, other: Self) -> Self {
        Self::Iff(Box::new(self), Box::new(other))
    }
    pub fn xor(self, other: Self) -> Self {
        Self::Xor(Box::new(self), Box::new(other))
    }
    pub fn next(self) -> Self {
        Self::Next(Box::new(self))
    }
    pub fn strong_next(self) -> Self {
        Self::StrongNext(Box::new(self))
    }
    pub fn globally(self) -> Self {
        Self::Globally(Box::new(self))
    }
    pub fn finally(self) -> Self {
        Self::Finally(Box::new(self))
    }
    pub fn until(self, other: Self) -> Self {
        Self::Until(Box::new(self), Box::new(other))
    }
    pub fn weak_until(self, other: Self) -> Self {
        Self::WeakUntil(Box::new(self), Box::new(other))
    }
    pub fn release(self, other: Self) -> Self {
        Self::Release(Box::new(self), Box::new(other))
    }
    pub fn strong_release(self, other: Self) -> Self {
        Self::StrongRelease(Box::new(self), Box::new(other))
    }
}

impl Formula {
    /// Returns the direct subformulas: none, one or two.
    pub fn children(&self) -> impl Iterator<Item = &Formula> {
        use Formula::*;
        let (first, second) = match self {
            True | False | Atom(_) => (None, None),
            Not(a) | Next(a) | StrongNext(a) | Globally(a) | Finally(a) => (Some(a), None),
            And(a, b)
            | Or(a, b)
            | Implies(a, b)
            | Iff(a, b)
            | Xor(a, b)
            | Until(a, b)
            | WeakUntil(a, b)
            | Release(a, b)
            | StrongRelease(a, b) => (Some(a), Some(b)),
        };
        [first, second].into_iter().flatten().map(|child| &**child)
    }

    /// Returns the truth of a Boolean formula, given which atoms hold. Temporal operators count as false.
    pub fn holds_where(&self, holds: &dyn Fn(&str) -> bool) -> bool {
        use Formula::*;
        match self {
            True => true,
            Atom(name) => holds(name),
            Not(a) => !a.holds_where(holds),
            And(a, b) => a.holds_where(holds) && b.holds_where(holds),
            Or(a, b) => a.holds_where(holds) || b.holds_where(holds),
            Implies(a, b) => !a.holds_where(holds) || b.holds_where(holds),
            Iff(a, b) => a.holds_where(holds) == b.holds_where(holds),
            Xor(a, b) => a.holds_where(holds) != b.holds_where(holds),
            _ => false,
        }
    }

    /// Returns whether the formula has no temporal operator.
    pub fn is_boolean(&self) -> bool {
        !self.is_temporal() && self.children().all(Formula::is_boolean)
    }

    /// Returns whether the outermost operator is temporal.
    pub(crate) fn is_temporal(&self) -> bool {
        use Formula::*;
        matches!(
            self,
            Next(_)
                | StrongNext(_)
                | Globally(_)
                | Finally(_)
                | Until(..)
                | WeakUntil(..)
                | Release(..)
                | StrongRelease(..)
        )
    }

    /// Returns the names of the propositions that occur, sorted.
    pub fn atoms(&self) -> BTreeSet<Arc<str>> {
        fn collect(formula: &Formula, names: &mut BTreeSet<Arc<str>>) {
            if let Formula::Atom(name) = formula {
                names.insert(name.clone());
            }
            formula.children().for_each(|child| collect(child, names));
        }
        let mut names = BTreeSet::new();
        collect(self, &mut names);
        names
    }

    /// Returns the formula with each proposition replaced by a formula.
    #[must_use]
    pub fn with_atoms(&self, of: &mut dyn FnMut(&Arc<str>) -> Formula) -> Formula {
        use Formula::*;
        match self {
            True => True,
            False => False,
            Atom(name) => of(name),
            Not(a) => a.with_atoms(of).not(),
            Next(a) => a.with_atoms(of).next(),
            StrongNext(a) => a.with_atoms(of).strong_next(),
            Globally(a) => a.with_atoms(of).globally(),
            Finally(a) => a.with_atoms(of).finally(),
            And(a, b) => a.with_atoms(of).and(b.with_atoms(of)),
            Or(a, b) => a.with_atoms(of).or(b.with_atoms(of)),
            Implies(a, b) => a.with_atoms(of).implies(b.with_atoms(of)),
            Iff(a, b) => a.with_atoms(of).iff(b.with_atoms(of)),
            Xor(a, b) => a.with_atoms(of).xor(b.with_atoms(of)),
            Until(a, b) => a.with_atoms(of).until(b.with_atoms(of)),
            WeakUntil(a, b) => a.with_atoms(of).weak_until(b.with_atoms(of)),
            Release(a, b) => a.with_atoms(of).release(b.with_atoms(of)),
            StrongRelease(a, b) => a.with_atoms(of).strong_release(b.with_atoms(of)),
        }
    }

    /// Returns whether a proposition occurs in the formula.
    pub fn mentions(&self, name: &str) -> bool {
        match self {
            Self::Atom(atom) => &**atom == name,
            _ => self.children().any(|child| child.mentions(name)),
        }
    }

    /// Returns the number of occurrences of propositions.
    pub(crate) fn atom_count(&self) -> usize {
        match self {
            Self::Atom(_) => 1,
            _ => self.children().map(Formula::atom_count).sum(),
        }
    }

    /// Returns the nesting depth; atoms and constants have depth 1.
    pub fn depth(&self) -> usize {
        1 + self.children().map(Formula::depth).max().unwrap_or(0)
    }
}
