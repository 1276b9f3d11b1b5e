//! Removal of the constants `true` and `false` from formulas, after propositions were replaced by them.

use Binary::*;
use Formula::{False, True};

use crate::formula::{Binary, Formula, Parts, Unary};

impl Formula {
    /// Returns an equivalent formula in which constants occur only where they are necessary. They remain as the whole
    /// formula, in `X false`, which holds in the last letter, and in `X[!] true`, which holds in all others; in the same
    /// way in `Z false` and `Y true`; and where all letters are counted, as in `at_most(3, true)`.
    ///
    /// ```
    /// let law = "G(true & !padded -> X !drop) & G(false -> X !drop)";
    /// let short = ltlcrit_verifier::syntax::parse(law)?.without_constants();
    /// assert_eq!(short.to_string(), "G(!padded -> X !drop)");
    /// # Ok::<(), ltlcrit_verifier::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn without_constants(&self) -> Self {
        let of = Formula::without_constants;
        match self.parts() {
            Parts::Constant(_) | Parts::Atom(_) => self.clone(),
            Parts::Unary(operator, a) => match (operator, of(a)) {
                (Unary::Not, a) => negated(a),
                (Unary::AtLeast(0), _) | (Unary::AtMost(_), False) => True,
                (Unary::Next | Unary::WeakYesterday, True) => True,
                (Unary::StrongNext | Unary::Yesterday | Unary::AtLeast(_), False) => False,
                (operator, a @ (True | False)) if operator.is_lasting() => a,
                (operator, a) => Self::unary(operator, a),
            },
            Parts::Binary(operator, a, b) => match (operator, of(a), of(b)) {
                (Or | WeakUntil, True, _) | (Or | Implies | Until | WeakUntil | Release, _, True) => True,
                (Implies, False, _) => True,
                (And | StrongRelease, False, _) | (And | Until | Release | StrongRelease, _, False) => False,
                (And | Implies | Release | StrongRelease, True, b) | (Or | Until | WeakUntil, False, b) => b,
                (And, a, True) | (Or, a, False) => a,
                (Implies, a, False) => negated(a),
                (Iff, True, a) | (Iff, a, True) | (Xor, False, a) | (Xor, a, False) => a,
                (Iff, False, a) | (Iff, a, False) | (Xor, True, a) | (Xor, a, True) => negated(a),
                (Until, True, b) | (StrongRelease, b, True) => b.finally(),
                (Release, False, b) | (WeakUntil, b, False) => b.globally(),
                (Since, _, constant @ (True | False)) => constant,
                (Since, False, b) => b,
                (Since, True, b) => b.once(),
                (operator, a, b) => Self::binary(operator, a, b),
            },
        }
    }
}

fn negated(a: Formula) -> Formula {
    match a {
        True => False,
        False => True,
        a => a.not(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::formulas::formulas_of;
    use crate::semantics::satisfies;

    fn formulas() -> impl Strategy<Value = Formula> {
        let atoms = prop::sample::select(vec!["a", "b"]).prop_map(Formula::atom);
        formulas_of(prop_oneof![2 => atoms, 1 => Just(True), 1 => Just(False)], 5, 24)
    }

    /// Returns whether the formula contains a constant that could be left out.
    fn has_constants(formula: &Formula) -> bool {
        let is_end = matches!(formula, Formula::Next(a) if **a == False)
            || matches!(formula, Formula::StrongNext(a) | Formula::Yesterday(a) if **a == True)
            || matches!(formula, Formula::WeakYesterday(a) if **a == False)
            || matches!(formula, Formula::AtLeast(_, a) | Formula::AtMost(_, a) if **a == True);
        !is_end && formula.children().any(|part| matches!(part, True | False) || has_constants(part))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn constants_go_and_the_meaning_stays(
            formula in formulas(),
            word in prop::collection::vec(prop::collection::vec(prop::sample::select(vec!["a", "b"]), 0..3), 1..5),
        ) {
            let short = formula.without_constants();
            prop_assert_eq!(satisfies(&short, &word), satisfies(&formula, &word), "{} as {}", formula, short);
            prop_assert!(!has_constants(&short), "{} as {}", formula, short);
        }
    }
}
