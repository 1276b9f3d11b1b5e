//! The definition: LTLf truth on a finite word, written for clarity. All other evaluators are tested against it.
//!
//! No production path uses this module.

use crate::formula::Formula;

/// Returns whether `formula` holds at `position` of a word of `length` letters. `holds(name, position)` returns whether
/// a proposition is in the letter at a position.
///
/// A position at or past the end is *outside* the word. There weak operators (`X`, `G`, `W`, `R`) are true, and strong
/// ones (`X[!]`, `F`, `U`, `M`) and atoms are false. So the empty word is well defined. Of bounds and counts, `G[<=n]`
/// and `at_most` are weak, `F[<=n]` and `at_least` strong; of the past operators, `Z` and `H` are weak, `Y`, `O` and `S`
/// strong.
///
/// The present position counts: `F[<=0] a` is `a`, and `O a` holds where `a` does. At the first position `Y a` is
/// false and `Z a` true. Counts begin at the position where the formula is read: `G(p -> at_most(3, a))` allows three
/// more `a` from each `p` on.
pub fn holds_at(formula: &Formula, position: usize, length: usize, holds: &dyn Fn(&str, usize) -> bool) -> bool {
    use Formula::*;
    let at = |formula: &Formula, position: usize| holds_at(formula, position, length, holds);
    // Both include the position itself.
    let (mut later, mut earlier) = (position..length, 0..length.min(position + 1));
    match formula {
        True => true,
        False => false,
        Atom(name) => position < length && holds(name, position),
        Not(a) => !at(a, position),
        And(a, b) => at(a, position) && at(b, position),
        Or(a, b) => at(a, position) || at(b, position),
        Implies(a, b) => !at(a, position) || at(b, position),
        Iff(a, b) => at(a, position) == at(b, position),
        Xor(a, b) => at(a, position) != at(b, position),
        Next(a) => position + 1 >= length || at(a, position + 1),
        StrongNext(a) => position + 1 < length && at(a, position + 1),
        Globally(a) => later.all(|i| at(a, i)),
        Finally(a) => later.any(|i| at(a, i)),
        Until(a, b) => later.any(|i| at(b, i) && (position..i).all(|j| at(a, j))),
        WeakUntil(a, b) => {
            later.clone().all(|i| at(a, i)) || later.any(|i| at(b, i) && (position..i).all(|j| at(a, j)))
        }
        // b holds at every position not preceded by a position where a holds.
        Release(a, b) => later.all(|i| at(b, i) || (position..i).any(|j| at(a, j))),
        StrongRelease(a, b) => later.any(|i| at(a, i) && (position..=i).all(|j| at(b, j))),
        FinallyWithin(bound, a) => later.take(*bound as usize + 1).any(|i| at(a, i)),
        GloballyWithin(bound, a) => later.take(*bound as usize + 1).all(|i| at(a, i)),
        AtLeast(count, a) => later.filter(|&i| at(a, i)).count() >= *count as usize,
        AtMost(count, a) => later.filter(|&i| at(a, i)).count() <= *count as usize,
        Yesterday(a) => position > 0 && at(a, position - 1),
        WeakYesterday(a) => position == 0 || at(a, position - 1),
        Once(a) => earlier.any(|i| at(a, i)),
        Historically(a) => earlier.all(|i| at(a, i)),
        Since(a, b) => earlier.any(|i| at(b, i) && (i + 1..=position).all(|j| at(a, j))),
    }
}

/// Returns whether a word, given letter by letter as lists of the propositions that hold, satisfies a formula.
pub fn satisfies(formula: &Formula, word: &[Vec<&str>]) -> bool {
    holds_at(formula, 0, word.len(), &|name, position| word[position].contains(&name))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Word;
    use crate::formulas::formulas;
    use crate::syntax::parse;

    fn truth(formula: &str, word: &Word) -> bool {
        on(&parse(formula).unwrap(), word)
    }

    fn on(formula: &Formula, word: &Word) -> bool {
        holds_at(formula, 0, word.len(), &|name, position| word.holds(name, position))
    }

    /// Each operator by hand, on a word of three letters.
    #[test]
    fn operators() {
        let word = Word::parse("a;a,b;c").unwrap();
        for formula in [
            "a",
            "!b",
            "X b",
            "X[!] b",
            "X X c",
            "X X X false",
            "!X[!] X[!] X[!] true",
            "F c",
            "G(a | c)",
            "a U c",
            "a W c",
            "a U (b U c)",
            "b R a",
            "b M a",
            "(a & !b) U b",
            "false R (a | c)",
            "!(a U false)",
            "!(a W false)",
            "!(c M a)",
            "a xor b",
            "!(a <-> b)",
            "b -> false",
            "X(c U b)",
            "F[<=2] c & !F[<=1] c & F[<=0] a",
            "G[<=1] a & !G[<=2] a & X X G[<=5] c",
            "X[2] c & X[!][2] c & X[3] false & !X[!][3] true",
            "at_least(2, a) & !at_least(3, a) & at_least(0, false)",
            "at_most(2, a) & !at_most(1, a) & X at_most(1, a)",
            "Z false & !Y true & X(Y a & Z a & !Y b)",
            "O a & X X(O b & O c) & !O b",
            "H a & X H a & X X !H a",
            "X X(true S b & !(false S b) & (c S b) & !(a S b))",
            "X(Y O b | b S a)",
        ] {
            assert!(truth(formula, &word), "{formula}");
        }
    }

    /// At the last letter, weak nexts hold and strong ones do not.
    #[test]
    fn the_last_letter() {
        let last = Word::parse("a").unwrap();
        assert!(truth("X false", &last) && !truth("X[!] true", &last));
        assert!(truth("G(a -> X b)", &last) && !truth("G(a -> X[!] b)", &last));
        assert!(truth("a W b", &last) && !truth("a U b", &last) && truth("b R a", &last) && !truth("b M a", &last));
    }

    /// The empty word has no position, so atoms and strong operators are false and weak ones true.
    #[test]
    fn the_empty_word() {
        let empty = Word::default();
        for weak in [
            "true",
            "!a",
            "X false",
            "G false",
            "false W false",
            "false R false",
            "a -> b",
            "!F true",
            "H false",
            "Z false",
            "G[<=2] false",
            "at_most(0, true)",
        ] {
            assert!(truth(weak, &empty), "{weak}");
        }
        for strong in [
            "false",
            "a",
            "X[!] true",
            "F true",
            "true U true",
            "true M true",
            "!G a",
            "!X a",
            "O true",
            "Y true",
            "true S true",
            "F[<=2] true",
            "at_least(1, true)",
        ] {
            assert!(!truth(strong, &empty), "{strong}");
        }
        assert!(satisfies(&parse("G a").unwrap(), &[]) && !satisfies(&parse("F a").unwrap(), &[]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        /// Dualities and the expansions that monitors use for progression, on every non-empty word; dualities also on
        /// the empty word.
        #[test]
        fn laws_of_the_logic(
            a in formulas(&["p", "q"], 3),
            b in formulas(&["p", "q"], 3),
            letters in prop::collection::vec(prop::sample::subsequence(vec!["p", "q"], 0..=2), 0..5),
        ) {
            let word = Word::from_letters(letters);
            let (not_a, not_b) = (|| a.clone().not(), || b.clone().not());
            let (a, b) = (|| a.clone(), || b.clone());
            let dual = [
                (a().next().not(), not_a().strong_next()),
                (a().globally().not(), not_a().finally()),
                (a().until(b()).not(), not_a().release(not_b())),
                (a().weak_until(b()).not(), not_a().strong_release(not_b())),
                (a().weak_until(b()), a().until(b()).or(a().globally())),
                (a().strong_release(b()), b().until(a().and(b()))),
                (a().finally(), Formula::True.until(a())),
                (a().xor(b()), a().iff(b()).not()),
                (a().finally_within(2).not(), not_a().globally_within(2)),
                (a().at_least(3).not(), a().at_most(2)),
                (a().at_least(1), a().finally()),
            ];
            for (left, right) in dual {
                prop_assert_eq!(on(&left, &word), on(&right, &word), "{} and {}", left, right);
            }
            let expansions = [
                (a().until(b()), b().or(a().and(a().until(b()).strong_next()))),
                (a().weak_until(b()), b().or(a().and(a().weak_until(b()).next()))),
                (a().release(b()), b().and(a().or(a().release(b()).next()))),
                (a().strong_release(b()), b().and(a().or(a().strong_release(b()).strong_next()))),
                (a().globally(), a().and(a().globally().next())),
                (a().finally(), a().or(a().finally().strong_next())),
                (a().finally_within(3), a().or(a().finally_within(2).strong_next())),
                (a().globally_within(3), a().and(a().globally_within(2).next())),
                (a().at_least(2), not_a().until(a().and(a().at_least(1).strong_next()))),
            ];
            for (left, right) in expansions {
                prop_assert!(word.is_empty() || on(&left, &word) == on(&right, &word), "{} and {}", left, right);
            }
        }
    }
}
