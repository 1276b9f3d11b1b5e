//! Removal of the constants `true` and `false` from formulas, after propositions were replaced by them.

use Formula::*;

use crate::formula::Formula;

impl Formula {
    /// Returns an equivalent formula in which constants occur only where they are necessary. They remain as the whole
    /// formula, in `X false`, which holds in the last letter, and in `X[!] true`, which holds in all others.
    ///
    /// ```
    /// let law = "G(true & !padded -> X !drop) & G(false -> X !drop)";
    /// let short = ltlcrit_verifier::syntax::parse(law)?.without_constants();
    /// assert_eq!(short.to_string(), "G(!padded -> X !drop)");
    /// # Ok::<(), ltlcrit_verifier::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn without_constants(&self) -> Self {
        let of = |part: &Formula| part.without_constants();
        match self {
            True | False | Atom(_) => self.clone(),
            Not(a) => match of(a) {
                True => False,
                False => True,
                a => a.not(),
            },
            Next(a) => match of(a) {
                True => True,
                a => a.next(),
            },
            StrongNext(a) => match of(a) {
                False => False,
                a => a.strong_next(),
            },
            Globally(a) => globally(of(a)),
            Finally(a) => finally(of(a)),
            And(a, b) => match (of(a), of(b)) {
                (False, _) | (_, False) => False,
                (True, a) | (a, True) => a,
                (a, b) => a.and(b),
            },
            Or(a, b) => match (of(a), of(b)) {
                (True, _) | (_, True) => True,
                (False, a) | (a, False) => a,
                (a, b) => a.or(b),
            },
            Implies(a, b) => match (of(a), of(b)) {
                (False, _) | (_, True) => True,
                (True, b) => b,
                (a, False) => a.not(),
                (a, b) => a.implies(b),
            },
            Iff(a, b) => same(of(a), of(b), true),
            Xor(a, b) => same(of(a), of(b), false),
            Until(a, b) => match (of(a), of(b)) {
                (_, True) => True,
                (False, b) => b,
                (_, False) => False,
                (True, b) => finally(b),
                (a, b) => a.until(b),
            },
            WeakUntil(a, b) => match (of(a), of(b)) {
                (True, _) | (_, True) => True,
                (False, b) => b,
                (a, False) => globally(a),
                (a, b) => a.weak_until(b),
            },
            Release(a, b) => match (of(a), of(b)) {
                (_, False) => False,
                (True, b) => b,
                (_, True) => True,
                (False, b) => globally(b),
                (a, b) => a.release(b),
            },
            StrongRelease(a, b) => match (of(a), of(b)) {
                (False, _) | (_, False) => False,
                (True, b) => b,
                (a, True) => finally(a),
                (a, b) => a.strong_release(b),
            },
        }
    }
}

fn globally(a: Formula) -> Formula {
    if matches!(a, True | False) { a } else { a.globally() }
}

fn finally(a: Formula) -> Formula {
    if matches!(a, True | False) { a } else { a.finally() }
}

/// Returns `a <-> b` if `equal`, else `a xor b`.
fn same(a: Formula, b: Formula, equal: bool) -> Formula {
    let negated = |a: Formula| match a {
        True => False,
        False => True,
        a => a.not(),
    };
    match (a, b, equal) {
        (True, a, true) | (a, True, true) | (False, a, false) | (a, False, false) => a,
        (False, a, true) | (a, False, true) | (True, a, false) | (a, True, false) => negated(a),
        (a, b, true) => a.iff(b),
        (a, b, false) => a.xor(b),
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
        let is_end = matches!(formula, Next(a) if **a == False) || matches!(formula, StrongNext(a) if **a == True);
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
