//! Monitors against the definition: acceptance of every prefix, and the four verdicts by exhaustive reachability.

use std::sync::Arc;

use ltlcrit_verifier::{Formula, Letter, Monitor, PropSet, Verdict, Vocabulary};
use proptest::prelude::*;

use crate::brute::{continuations, letters, satisfies, small};
use crate::formulas::{atoms, boolean_of, formulas};

/// Returns the verdict on a prefix by the definition, given one continuation of every class.
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

fn check(formula: &Formula, word: &[Letter], vocabulary: &Arc<Vocabulary>) -> Result<(), TestCaseError> {
    check_over(formula, word, vocabulary, &letters(vocabulary))
}

fn check_over(
    formula: &Formula,
    word: &[Letter],
    vocabulary: &Arc<Vocabulary>,
    letters: &[Letter],
) -> Result<(), TestCaseError> {
    let Some(continuations) = continuations(&[formula], letters, &|_, _| true, vocabulary, 300) else {
        return Err(TestCaseError::reject("too many kinds of continuation"));
    };
    // Before letter 0, every continuation begins with a letter without an action.
    let whole: Vec<Vec<Letter>> = match vocabulary.actions().is_empty() {
        true => continuations.clone(),
        false => {
            let starts: std::collections::BTreeSet<Letter> =
                letters.iter().map(|letter| Letter::initial(letter.observations(vocabulary))).collect();
            let begin = |rest: &[Letter]| -> Vec<Vec<Letter>> {
                starts.iter().map(|start| [&[*start], rest].concat()).collect()
            };
            begin(&[]).into_iter().chain(continuations.iter().flat_map(|rest| begin(rest))).collect()
        }
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
        let expected = verdict(formula, prefix, if length == 0 { &whole } else { &continuations }, vocabulary);
        prop_assert_eq!(monitor.verdict(), expected, "verdict after {} letters", length);
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
        check(&formula, &word, &vocabulary)?;
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
        check(&formula, &word, &vocabulary)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// The laws mention at least nine propositions. The vocabulary's axioms leave few states, so brute force is
    /// possible.
    #[test]
    fn verdicts_of_wide_laws_are_exact(
        formula in formulas(&["p", "q", "a", "b", "action_stop"], 3),
        word in prop::collection::vec(0..1000usize, 1..4),
    ) {
        let more: Vec<String> = (0..9).map(|at| format!("r{at}")).collect();
        let builder = Vocabulary::builder("wide").observations(["p", "q"]).observations(more.iter().map(String::as_str));
        let axioms = more.iter().map(|name| Formula::atom(name.as_str()).iff(Formula::atom("p")));
        let vocabulary = Arc::new(builder.actions(["a", "b"]).axioms(axioms).build().unwrap());
        // It mentions all observations without a restriction: no state has `p` without the others.
        let never = more.iter().fold(Formula::atom("p"), |all, name| all.and(Formula::atom(name.as_str()).not()));
        let law = formula.or(never);
        let letters: Vec<Letter> = vocabulary
            .action_ids()
            .flat_map(|action| {
                let all = PropSet::first(vocabulary.observations().len());
                let q = PropSet::from_iter([vocabulary.id("q").unwrap()]);
                [PropSet::EMPTY, q, all.difference(&q), all].map(|state| (action, state))
            })
            .map(|(action, state)| Letter::after(&vocabulary, action, state))
            .collect();
        let mut word: Vec<Letter> = word.into_iter().map(|at| letters[at % letters.len()]).collect();
        word[0] = Letter::initial(word[0].observations(&vocabulary));
        check_over(&law, &word, &vocabulary, &letters)?;
    }
}

/// The verdict before letter 0 takes into account that letter 0 has no action.
#[test]
fn letter_zero_has_no_action() {
    let vocabulary = Arc::new(small(vec![]));
    for (law, verdict) in [
        ("G(a | b | action_stop)", Verdict::Violated),
        ("F(a | b | action_stop)", Verdict::Pending),
        ("!a", Verdict::Satisfied),
        ("G !a", Verdict::Clear),
        ("X G(a | b | action_stop)", Verdict::Satisfied),
        ("a", Verdict::Violated),
    ] {
        let monitor = Monitor::new(&law.parse().unwrap(), vocabulary.clone()).unwrap();
        // Before letter 0, the truth of weak operators on the empty word is not an obligation.
        let owed = if law.starts_with('G') && verdict == Verdict::Violated { Verdict::Clear } else { verdict };
        assert_eq!(monitor.verdict(), owed, "{law}");
    }
}

/// The first of several deadlines counts, so that a law with a bound has about as many states as the bound says.
#[test]
fn bounds_and_counts_take_a_state_for_each_number() {
    let vocabulary = Arc::new(Vocabulary::plain("v", ["p", "q"]).unwrap());
    for (law, most) in [
        ("G(p -> F[<=40] q)", 50),
        ("G(p -> G[<=40] q)", 50),
        ("G(p -> at_most(40, q))", 50),
        ("G(p & !q -> at_least(40, q))", 50),
        ("G(p -> O q) & H(p -> q) S q", 20),
    ] {
        let mut monitor = Monitor::new(&law.parse().unwrap(), vocabulary.clone()).unwrap();
        let (mut states, mut seed) = (0, 7_u32);
        for _ in 0..40 {
            monitor.reset();
            for _ in 0..100 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let names =
                    [("p", seed >> 30 == 0), ("q", seed >> 20 & 31 == 0 || law.contains("G[") && seed >> 9 & 31 > 0)];
                let names = names.into_iter().filter_map(|(name, holds)| holds.then_some(name));
                monitor.advance(&Letter(vocabulary.set(names).unwrap()));
                states = states.max(monitor.state());
            }
        }
        assert!(states <= most, "{law}: {states} states");
    }
}

/// The largest bounds are read within the bounds of any letter.
#[test]
fn the_largest_bounds_are_watched() {
    let vocabulary = Arc::new(Vocabulary::plain("v", ["p", "q"]).unwrap());
    for law in ["G(p -> F[<=10000] q)", "at_most(10000, p)", "at_least(10000, p)", "G[<=10000] !q"] {
        let mut monitor = Monitor::new(&law.parse().unwrap(), vocabulary.clone()).unwrap();
        for _ in 0..5 {
            monitor.advance(&Letter(vocabulary.set(["p"]).unwrap()));
        }
        assert!(!monitor.is_lost(), "{law}");
    }
}
