//! Monitors against the definition: acceptance of every prefix, and the four verdicts by exhaustive reachability.

use std::sync::Arc;

use ltlcrit_verifier::{Formula, Letter, Monitor, Verdict, Vocabulary};
use proptest::prelude::*;

use crate::brute::{continuations, letters, satisfies, small};
use crate::formulas::{atoms, boolean_of, formulas};

/// The verdict on a prefix by the definition, given one continuation of every kind.
fn verdict(formula: &Formula, prefix: &[Letter], continuations: &[Vec<Letter>], vocabulary: &Vocabulary) -> Verdict {
    let now = satisfies(formula, prefix, vocabulary);
    let differs = continuations.iter().any(|continuation| {
        let word: Vec<Letter> = prefix.iter().chain(continuation).copied().collect();
        satisfies(formula, &word, vocabulary) != now
    });
    match (now, differs) {
        (true, true) => Verdict::Clear,
        (true, false) => Verdict::Satisfied,
        (false, true) => Verdict::Pending,
        (false, false) => Verdict::Violated,
    }
}

fn check(formula: &Formula, word: &[Letter], vocabulary: &Arc<Vocabulary>, from: usize) -> Result<(), TestCaseError> {
    let letters = letters(vocabulary);
    let Some(continuations) = continuations(&[formula], &letters, &|_, _| true, vocabulary, 300) else {
        return Err(TestCaseError::reject("too many kinds of continuation"));
    };
    let mut monitor = Monitor::new(formula, vocabulary.clone()).unwrap();
    for length in 0..=word.len() {
        if length > 0 {
            monitor.advance(&word[length - 1]);
        }
        let prefix = &word[..length];
        prop_assert_eq!(
            monitor.accepts(),
            satisfies(formula, prefix, vocabulary),
            "acceptance after {} letters",
            length
        );
        if length >= from {
            let expected = verdict(formula, prefix, &continuations, vocabulary);
            prop_assert_eq!(monitor.verdict(), expected, "verdict after {} letters", length);
        }
    }
    prop_assert_eq!(monitor.undecided(), 0);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_on_plain_words_are_exact(
        formula in formulas(&["p", "q"], 4),
        word in prop::collection::vec(0..4usize, 0..5),
    ) {
        let vocabulary = Arc::new(Vocabulary::plain("plain", ["p", "q"]).unwrap());
        let letters = letters(&vocabulary);
        let word: Vec<Letter> = word.into_iter().map(|at| letters[at]).collect();
        check(&formula, &word, &vocabulary, 0)?;
    }

    #[test]
    fn verdicts_on_runs_are_exact(
        formula in formulas(&["p", "q", "a", "b", "action_stop"], 3),
        axiom in boolean_of(atoms(&["p", "q"]), 1, 12),
        word in prop::collection::vec(0..1000usize, 1..5),
    ) {
        let vocabulary = Arc::new(small(vec![axiom]));
        let letters = letters(&vocabulary);
        prop_assume!(!letters.is_empty());
        let mut word: Vec<Letter> = word.into_iter().map(|at| letters[at % letters.len()]).collect();
        word[0] = Letter::initial(word[0].observations(&vocabulary));
        check(&formula, &word, &vocabulary, 1)?;
    }
}
