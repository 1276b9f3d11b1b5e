//! Formulas of linear temporal logic on finite words, as people and models write them.

use std::collections::BTreeSet;
use std::sync::Arc;

/// A formula. Atoms are names; [`crate::vocabulary::Vocabulary`] gives them meaning.
///
/// The semantics is LTLf as in Spot: [`Formula::Next`] is *weak* (true at the last position), [`Formula::StrongNext`]
/// is false there. The operands of past operators (`Y Z O H S`) contain no operator that looks ahead.
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
    /// `F[<=n] a`: a holds now or at one of the next n positions.
    FinallyWithin(u32, Box<Formula>),
    /// `G[<=n] a`: a holds now and at each of the next n positions that the word has.
    GloballyWithin(u32, Box<Formula>),
    /// `at_least(n, a)`: a holds at n or more positions, this one and later ones.
    AtLeast(u32, Box<Formula>),
    /// `at_most(n, a)`: a holds at no more than n positions, this one and later ones.
    AtMost(u32, Box<Formula>),
    /// `Y a`: there is a position before this one, and a held there.
    Yesterday(Box<Formula>),
    /// `Z a`: if there is a position before this one, a held there.
    WeakYesterday(Box<Formula>),
    /// `O a`: a holds now or held at some earlier position.
    Once(Box<Formula>),
    /// `H a`: a holds now and held at every earlier position.
    Historically(Box<Formula>),
    /// `a S b`: b holds now or held earlier, and a at every position since then.
    Since(Box<Formula>, Box<Formula>),
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Next,
    StrongNext,
    Globally,
    Finally,
    GloballyWithin(u32),
    FinallyWithin(u32),
    AtLeast(u32),
    AtMost(u32),
    Yesterday,
    WeakYesterday,
    Once,
    Historically,
}

impl Unary {
    /// Returns whether the operator looks back.
    pub fn is_past(self) -> bool {
        matches!(self, Self::Yesterday | Self::WeakYesterday | Self::Once | Self::Historically)
    }

    /// Returns whether the operator of a constant is that constant.
    pub fn is_lasting(self) -> bool {
        use Unary::*;
        matches!(self, Globally | Finally | GloballyWithin(_) | FinallyWithin(_) | Once | Historically)
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    And,
    Or,
    Xor,
    Implies,
    Iff,
    Until,
    WeakUntil,
    Release,
    StrongRelease,
    Since,
}

impl Binary {
    /// Returns the precedence in infix syntax (a higher one binds tighter), and whether the operator is
    /// right-associative.
    pub fn precedence(self) -> (u8, bool) {
        match self {
            Self::Implies | Self::Iff => (1, true),
            Self::Or => (2, false),
            Self::Xor => (3, false),
            Self::And => (4, false),
            Self::Until | Self::WeakUntil | Self::Release | Self::StrongRelease | Self::Since => (5, true),
        }
    }
}

/// The outermost operator of a formula with its operands.
pub(crate) enum Parts<'f> {
    Constant(bool),
    Atom(&'f Arc<str>),
    Unary(Unary, &'f Formula),
    Binary(Binary, &'f Formula, &'f Formula),
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
    pub fn finally_within(self, bound: u32) -> Self {
        Self::FinallyWithin(bound, Box::new(self))
    }
    pub fn globally_within(self, bound: u32) -> Self {
        Self::GloballyWithin(bound, Box::new(self))
    }
    pub fn at_least(self, count: u32) -> Self {
        Self::AtLeast(count, Box::new(self))
    }
    pub fn at_most(self, count: u32) -> Self {
        Self::AtMost(count, Box::new(self))
    }
    pub fn yesterday(self) -> Self {
        Self::Yesterday(Box::new(self))
    }
    pub fn weak_yesterday(self) -> Self {
        Self::WeakYesterday(Box::new(self))
    }
    pub fn once(self) -> Self {
        Self::Once(Box::new(self))
    }
    pub fn historically(self) -> Self {
        Self::Historically(Box::new(self))
    }
    pub fn since(self, other: Self) -> Self {
        Self::Since(Box::new(self), Box::new(other))
    }
}

impl Formula {
    /// Returns the outermost operator with its operands.
    pub(crate) fn parts(&self) -> Parts<'_> {
        use Formula::*;
        match self {
            True => Parts::Constant(true),
            False => Parts::Constant(false),
            Atom(name) => Parts::Atom(name),
            Not(a) => Parts::Unary(Unary::Not, a),
            Next(a) => Parts::Unary(Unary::Next, a),
            StrongNext(a) => Parts::Unary(Unary::StrongNext, a),
            Globally(a) => Parts::Unary(Unary::Globally, a),
            Finally(a) => Parts::Unary(Unary::Finally, a),
            FinallyWithin(bound, a) => Parts::Unary(Unary::FinallyWithin(*bound), a),
            GloballyWithin(bound, a) => Parts::Unary(Unary::GloballyWithin(*bound), a),
            AtLeast(count, a) => Parts::Unary(Unary::AtLeast(*count), a),
            AtMost(count, a) => Parts::Unary(Unary::AtMost(*count), a),
            Yesterday(a) => Parts::Unary(Unary::Yesterday, a),
            WeakYesterday(a) => Parts::Unary(Unary::WeakYesterday, a),
            Once(a) => Parts::Unary(Unary::Once, a),
            Historically(a) => Parts::Unary(Unary::Historically, a),
            And(a, b) => Parts::Binary(Binary::And, a, b),
            Or(a, b) => Parts::Binary(Binary::Or, a, b),
            Implies(a, b) => Parts::Binary(Binary::Implies, a, b),
            Iff(a, b) => Parts::Binary(Binary::Iff, a, b),
            Xor(a, b) => Parts::Binary(Binary::Xor, a, b),
            Until(a, b) => Parts::Binary(Binary::Until, a, b),
            WeakUntil(a, b) => Parts::Binary(Binary::WeakUntil, a, b),
            Release(a, b) => Parts::Binary(Binary::Release, a, b),
            StrongRelease(a, b) => Parts::Binary(Binary::StrongRelease, a, b),
            Since(a, b) => Parts::Binary(Binary::Since, a, b),
        }
    }

    /// Returns the operands of the conjunction (`true`) or disjunction (`false`) that the formula is, or its negation if
    /// not `positive`. Each operand has its own polarity.
    pub(crate) fn junction(&self, positive: bool) -> Option<(bool, [(&Formula, bool); 2])> {
        match self {
            Self::And(a, b) => Some((positive, [(a, positive), (b, positive)])),
            Self::Or(a, b) => Some((!positive, [(a, positive), (b, positive)])),
            Self::Implies(a, b) => Some((!positive, [(a, !positive), (b, positive)])),
            _ => None,
        }
    }

    /// Applies a unary operator.
    pub(crate) fn unary(operator: Unary, a: Self) -> Self {
        match operator {
            Unary::Not => a.not(),
            Unary::Next => a.next(),
            Unary::StrongNext => a.strong_next(),
            Unary::Globally => a.globally(),
            Unary::Finally => a.finally(),
            Unary::FinallyWithin(bound) => a.finally_within(bound),
            Unary::GloballyWithin(bound) => a.globally_within(bound),
            Unary::AtLeast(count) => a.at_least(count),
            Unary::AtMost(count) => a.at_most(count),
            Unary::Yesterday => a.yesterday(),
            Unary::WeakYesterday => a.weak_yesterday(),
            Unary::Once => a.once(),
            Unary::Historically => a.historically(),
        }
    }

    /// Applies a binary operator.
    pub(crate) fn binary(operator: Binary, a: Self, b: Self) -> Self {
        match operator {
            Binary::And => a.and(b),
            Binary::Or => a.or(b),
            Binary::Xor => a.xor(b),
            Binary::Implies => a.implies(b),
            Binary::Iff => a.iff(b),
            Binary::Until => a.until(b),
            Binary::WeakUntil => a.weak_until(b),
            Binary::Release => a.release(b),
            Binary::StrongRelease => a.strong_release(b),
            Binary::Since => a.since(b),
        }
    }

    /// Returns the formula with each operand of its outermost operator replaced.
    #[must_use]
    pub fn with_operands(&self, of: &mut dyn FnMut(&Self) -> Self) -> Self {
        match self.parts() {
            Parts::Constant(_) | Parts::Atom(_) => self.clone(),
            Parts::Unary(operator, a) => Self::unary(operator, of(a)),
            Parts::Binary(operator, a, b) => {
                let a = of(a);
                Self::binary(operator, a, of(b))
            }
        }
    }

    /// Returns the direct subformulas: none, one or two.
    pub fn children(&self) -> impl Iterator<Item = &Formula> {
        let (first, second) = match self.parts() {
            Parts::Constant(_) | Parts::Atom(_) => (None, None),
            Parts::Unary(_, a) => (Some(a), None),
            Parts::Binary(_, a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
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
        match self.parts() {
            Parts::Constant(_) | Parts::Atom(_) => false,
            Parts::Unary(operator, _) => operator != Unary::Not,
            Parts::Binary(operator, ..) => operator.precedence() == Binary::Until.precedence(),
        }
    }

    /// Returns whether the outermost operator looks back.
    pub(crate) fn is_past(&self) -> bool {
        match self.parts() {
            Parts::Unary(operator, _) => operator.is_past(),
            Parts::Binary(operator, ..) => operator == Binary::Since,
            Parts::Constant(_) | Parts::Atom(_) => false,
        }
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
        match self {
            Self::Atom(name) => of(name),
            _ => self.with_operands(&mut |operand| operand.with_atoms(of)),
        }
    }

    /// Returns whether a proposition occurs in the formula.
    pub fn mentions(&self, name: &str) -> bool {
        match self {
            Self::Atom(atom) => &**atom == name,
            _ => self.children().any(|child| child.mentions(name)),
        }
    }

    /// Returns the first part of the form `G F p` or `F G p`. On finite words both say that `p` holds at the last letter,
    /// and no more.
    pub fn at_the_end(&self) -> Option<&Formula> {
        match self {
            Self::Globally(a) if matches!(**a, Self::Finally(_)) => Some(self),
            Self::Finally(a) if matches!(**a, Self::Globally(_)) => Some(self),
            _ => self.children().find_map(Formula::at_the_end),
        }
    }

    /// Returns the number of occurrences of propositions.
    pub(crate) fn atom_count(&self) -> usize {
        match self {
            Self::Atom(_) => 1,
            _ => self.children().map(Formula::atom_count).sum(),
        }
    }

    /// Returns the number of operators, constants and propositions.
    pub(crate) fn size(&self) -> usize {
        1 + self.children().map(Formula::size).sum::<usize>()
    }

    /// Returns the nesting depth; atoms and constants have depth 1.
    pub fn depth(&self) -> usize {
        1 + self.children().map(Formula::depth).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use crate::semantics::satisfies;
    use crate::syntax::parse;

    #[test]
    fn at_the_end_finds_what_the_last_letter_alone_decides() {
        let part = |text: &str| parse(text).unwrap().at_the_end().map(ToString::to_string);
        assert_eq!(part("G F p").as_deref(), Some("G F p"));
        assert_eq!(part("q -> X(F G p)").as_deref(), Some("F G p"));
        for other in ["F p", "G p", "G(p -> F q)", "G X F p"] {
            assert_eq!(part(other), None, "{other}");
        }
        // On every word both say of the last letter that `p` holds there, and nothing of the letters before.
        let (always_again, at_last) = (parse("G F p").unwrap(), parse("F G p").unwrap());
        for code in 0..1 << 4 {
            let word: Vec<Vec<&str>> =
                (0..4).map(|at| if code >> at & 1 == 1 { vec!["p"] } else { Vec::new() }).collect();
            let ends_with_p = code >> 3 & 1 == 1;
            assert_eq!(
                [&always_again, &at_last].map(|formula| satisfies(formula, &word)),
                [ends_with_p; 2],
                "{word:?}"
            );
        }
    }
}
