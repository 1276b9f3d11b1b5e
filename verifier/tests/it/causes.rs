//! Causes of a block: the cited literals suffice, and none of them can be left out.

use std::sync::Arc;

use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::syntax::parse_infix;
use ltlcrit_verifier::{
    ActionId, CauseProof, Explanation, Formula, Judgement, Law, Letter, PropSet, Shield, ShieldOptions, Vocabulary,
};
use proptest::prelude::*;

use crate::brute::{read, small, states};
use crate::formulas::{atoms, boolean_of};
use crate::joint::{Run, laws, positions};

fn vocabulary() -> Arc<Vocabulary> {
    let builder = Vocabulary::builder("letters").observations(["q", "r"]).actions(["a", "b", "wait"]);
    Arc::new(builder.build().unwrap())
}

fn hard(id: &str, formula: &str) -> Law {
    Law::hard(id, parse_infix(formula).unwrap(), format!("The law {id}."))
}

fn letter(vocabulary: &Vocabulary, action: &str, observations: &[&str]) -> Letter {
    let observations = vocabulary.set(observations.iter().copied()).unwrap();
    Letter::after(vocabulary, vocabulary.action(action).unwrap(), observations)
}

/// Returns a shield after letter 0 with these observations and some steps, given as actions with the observations after
/// them.
fn after(laws: &[&str], observations: &[&str], steps: &[(&str, &[&str])]) -> Shield {
    let vocabulary = vocabulary();
    let laws = laws.iter().enumerate().map(|(at, law)| hard(&format!("law-{at}"), law)).collect();
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    assert!(shield.start(vocabulary.set(observations.iter().copied()).unwrap()).unwrap().is_empty());
    for (action, observations) in steps {
        assert!(read(&mut shield, letter(&vocabulary, action, observations)).is_empty(), "{action} {observations:?}");
    }
    shield
}

fn explain(shield: &mut Shield, action: &str) -> Explanation {
    let action = shield.vocabulary().action(action).unwrap();
    shield.explain(action)
}

/// Returns the cause in the explanation of a block by one law.
fn cause(shield: &mut Shield, action: &str) -> String {
    let explanation = explain(shield, action);
    assert_eq!((explanation.laws.len(), explanation.provenance), (1, CauseProof::Minimal), "{explanation}");
    let said = explanation.reasons();
    said.split_once("It applies because ").map_or_else(String::new, |(_, cause)| cause.to_owned())
}

const WAIT: (&str, &[&str]) = ("wait", &[]);

/// `G(q -> F b)` with q earlier and not now: the reason is the letter in which q held, not the current one.
#[test]
fn an_obligation_is_explained_by_the_letter_that_created_it() {
    let steps = [WAIT, WAIT, ("wait", &["q"][..]), ("a", &["r"][..]), WAIT];
    let mut shield = after(&["G(q -> F b)"], &[], &steps);
    assert_eq!(cause(&mut shield, "action_stop"), "at step 3: q, and from step 3 until now: !b.");
    let reason = &explain(&mut shield, "action_stop").laws[0];
    let steps: Vec<usize> = reason.because.iter().map(|cause| cause.step).collect();
    assert_eq!(steps, [3, 4, 5]);
    assert_eq!(reason.because[0].literals.len(), 2);
    assert!(reason.because[0].literals[0].holds && reason.because[0].literals[0].proposition == "q");
    // The obligation was fulfilled and arose again: the earlier q is not a reason any more.
    let vocabulary = shield.vocabulary().clone();
    read(&mut shield, letter(&vocabulary, "b", &[]));
    assert!(explain(&mut shield, "action_stop").judgement.is_allowed());
    read(&mut shield, letter(&vocabulary, "wait", &["q", "r"]));
    // Stopping repeats the observations, so the action makes no difference.
    assert_eq!(cause(&mut shield, "action_stop"), "now: q.");
}

/// The guard is `q` in any notation.
#[test]
fn a_guard_is_explained_by_a_minimal_implicant() {
    for law in [
        "G((q & r) | (q & !r) -> X !a)",
        "G((q & r -> X !a) & (q & !r -> X !a))",
        "G(q & r -> X !a) & G(q & !r -> X !a)",
        "G(q & (r | !r) -> X !a)",
    ] {
        for now in [&["q"][..], &["q", "r"]] {
            let mut shield = after(&[law], &["r"], &[WAIT, ("wait", now)]);
            assert_eq!(cause(&mut shield, "a"), "now: q.", "{law}");
        }
    }
    // The same through the general search: the law is not of the form, because of its part about stopping.
    let mut shield = after(&["G((q & r) | (q & !r) -> X !a) & F true"], &["r"], &[WAIT, ("wait", &["q"])]);
    assert_eq!(cause(&mut shield, "a"), "now: q.");
    let mut shield = after(&["G(true -> X !a)"], &["q"], &[]);
    assert_eq!(cause(&mut shield, "a"), "");
}

#[test]
fn the_axioms_make_literals_needless() {
    let builder = Vocabulary::builder("planks").observations(["two", "three"]).actions(["a", "b"]);
    let vocabulary = Arc::new(builder.axiom(parse_infix("three -> two").unwrap()).build().unwrap());
    for law in ["G(two & three -> X !a)", "G(two & three & !b -> X !a)"] {
        let mut shield = Shield::new(vocabulary.clone(), vec![hard("law", law)], ShieldOptions::default()).unwrap();
        shield.start(vocabulary.set(["two", "three"]).unwrap()).unwrap();
        assert_eq!(cause(&mut shield, "a"), "now: three.", "{law}");
        // A letter has one action: the action taken implies that the others were not.
        read(&mut shield, letter(&vocabulary, "a", &["two", "three"]));
        let expected = if law.contains("!b") { "now: three & !b." } else { "now: three." };
        assert_eq!(cause(&mut shield, "a"), expected, "{law}");
    }
}

#[test]
fn next_until_and_release() {
    let wait_with_r: (&str, &[&str]) = ("wait", &["r"]);
    for (law, action, expected) in [
        // No past letter matters.
        ("X X X X !b", "b", ""),
        ("G !b", "b", ""),
        // One letter matters.
        ("q -> X X X X !b", "b", "at step 0: q."),
        ("X(r -> X X X !b)", "b", "at step 1: r."),
        ("G(r -> X X X !b)", "b", "at step 1: r."),
        ("G(r -> X[!] X[!] true)", "action_stop", "now: r."),
        // The letters that did not release the law.
        ("!b W a", "b", "from step 1 until now: !a."),
        ("!b U a", "b", "from step 1 until now: !a."),
        ("!b U a", "action_stop", "from step 1 until now: !a."),
        ("a R !b", "b", "from step 1 until now: !a."),
        ("a M !b", "action_stop", "from step 1 until now: !a."),
        // One letter of the past explains two.
        ("F(q & X q)", "action_stop", "at step 1: !q, and now: !q."),
    ] {
        let mut shield = after(&[law], &["q"], &[wait_with_r, WAIT, wait_with_r]);
        assert_eq!(cause(&mut shield, action), expected, "{law} and {action}");
    }
}

/// A past action may be the reason, alone or with others.
#[test]
fn what_was_done_is_counted() {
    let at_most_two = "!F(a & X F(a & X F a))";
    let mut shield = after(&[at_most_two], &["q"], &[WAIT, ("a", &["r"]), WAIT, ("a", &[]), WAIT]);
    assert_eq!(cause(&mut shield, "a"), "at step 2: a, and at step 4: a.");
    let mut shield = after(&["G(a -> X G !a)"], &["q"], &[WAIT, ("a", &["r"]), WAIT]);
    assert_eq!(cause(&mut shield, "a"), "at step 2: a.");
}

/// The latest sufficient letters are cited.
#[test]
fn of_several_causes_the_latest_is_given() {
    let q: (&str, &[&str]) = ("wait", &["q"]);
    let mut shield = after(&["G(q -> F b)"], &["q"], &[WAIT, q, WAIT, q, WAIT, WAIT]);
    assert_eq!(cause(&mut shield, "action_stop"), "at step 4: q, and from step 4 until now: !b.");
}

/// Two laws block together although neither does alone: the example of the crate's documentation.
#[test]
fn a_block_by_two_laws() {
    let laws = ["G(a -> F b)", "G(q -> G !b)"];
    let mut shield = after(&laws, &[], &[WAIT, ("wait", &["q", "r"]), WAIT, WAIT]);
    let explanation = explain(&mut shield, "a");
    assert_eq!(explanation.provenance, CauseProof::Minimal);
    assert_eq!(
        explanation.reasons(),
        "These laws together leave no way on. Law law-0: The law law-0. Law law-1: The law law-1. \
         It applies because at step 2: q."
    );
    assert!(explanation.to_string().contains("\n    because   at step 2: q\n"), "{explanation}");
    // A law that reads only the current letter, and one with a memory.
    let laws = ["G(r -> X(b | wait))", "G(q -> X(!wait W a))"];
    let mut shield = after(&laws, &["q"], &[("b", &["r"])]);
    let explanation = explain(&mut shield, "wait");
    assert_eq!(explanation.judgement, Judgement::Blocked { laws: vec!["law-1".into()], minimal: true });
    assert_eq!(cause(&mut shield, "wait"), "at step 0: q, and now: !a.");
}

/// Re-armed and replaced laws are explained by the letters that they read.
#[test]
fn a_law_is_explained_from_the_letter_its_monitor_began_with() {
    let mut shield = after(&["!b W a"], &[], &[WAIT]);
    let vocabulary = shield.vocabulary().clone();
    assert_eq!(read(&mut shield, letter(&vocabulary, "b", &[])).len(), 1);
    assert_eq!(cause(&mut shield, "b"), "", "the letter alone breaks the law, which begins with the next one");
    read(&mut shield, letter(&vocabulary, "wait", &[]));
    read(&mut shield, letter(&vocabulary, "wait", &[]));
    assert_eq!(cause(&mut shield, "b"), "from step 3 until now: !a.");
    assert_eq!(shield.letter_number(), 4);
    let laws = vec![hard("new", "G(q -> F b)"), hard("law-0", "!b W a")];
    read(&mut shield, letter(&vocabulary, "wait", &["q"]));
    assert!(shield.replace_laws(laws).unwrap().is_empty());
    read(&mut shield, letter(&vocabulary, "wait", &[]));
    assert_eq!(cause(&mut shield, "action_stop"), "at step 5: q, and from step 5 until now: !b.");
    assert_eq!(cause(&mut shield, "b"), "from step 3 until now: !a.");
}

/// A run may be longer than its kept letters.
#[test]
fn a_long_run_is_explained_by_its_latest_letters() {
    let mut shield = after(&["G(q -> F b)", "!a W b"], &[], &[]);
    let vocabulary = shield.vocabulary().clone();
    for _ in 0..20_000 {
        read(&mut shield, letter(&vocabulary, "wait", &[]));
    }
    let said = explain(&mut shield, "a").reasons();
    assert!(said.ends_with("Which facts made it apply could not be found out within the bounds."), "{said}");
    read(&mut shield, letter(&vocabulary, "wait", &["q"]));
    read(&mut shield, letter(&vocabulary, "wait", &[]));
    let explanation = explain(&mut shield, "action_stop");
    assert_eq!(explanation.provenance, CauseProof::Sufficient);
    let said = explanation.reasons();
    assert!(said.contains("because at step 20001: q, and from step 20001 until now: !b. Some of these"), "{said}");
}

/// With less work than necessary, fewer literals are left out, or none are cited; the claim is still true.
#[test]
fn a_bound_cuts_the_search_short_and_is_told() {
    let q: (&str, &[&str]) = ("wait", &["q", "r"]);
    let mut seen = Vec::new();
    for explanation_budget in 1..600 {
        let options = ShieldOptions { explanation_budget, ..ShieldOptions::default() };
        let laws = vec![hard("law-0", "G((q & r) -> F b)")];
        let mut shield = Shield::new(vocabulary(), laws, options).unwrap();
        shield.start(PropSet::EMPTY).unwrap();
        for (action, observations) in [WAIT, q, WAIT, WAIT, q, WAIT] {
            let letter = letter(&vocabulary(), action, observations);
            read(&mut shield, letter);
        }
        let explanation = explain(&mut shield, "action_stop");
        if !matches!(explanation.judgement, Judgement::Blocked { .. }) {
            continue;
        }
        let cited: usize = explanation.laws[0].because.iter().map(|cause| cause.literals.len()).sum();
        match explanation.provenance {
            CauseProof::Unknown => assert_eq!(cited, 0),
            CauseProof::Sufficient => assert!(cited >= 4 && explanation.brief().contains("cut short")),
            CauseProof::Minimal => assert_eq!(cited, 4),
        }
        if seen.last() != Some(&explanation.provenance) {
            seen.push(explanation.provenance);
        }
    }
    assert_eq!(seen, [CauseProof::Unknown, CauseProof::Sufficient, CauseProof::Minimal]);
}

/// A text for a model stays short for any number of cited letters.
#[test]
fn of_many_times_some_are_counted() {
    let both: (&str, &[&str]) = ("wait", &["q", "r"]);
    let steps: Vec<_> = (0..30).map(|step| if step % 2 == 0 { WAIT } else { both }).collect();
    let mut shield = after(&["(q xor r) R !b"], &["q", "r"], &steps);
    let said = explain(&mut shield, "b").reasons();
    assert!(said.contains("because at step 0: q & r, at step 1: !q & !r, at step 2: q & r, "), "{said}");
    assert!(said.ends_with("at step 11: !q & !r, and at 19 other times."), "{said}");
    let reason = &explain(&mut shield, "b").laws[0];
    assert_eq!(reason.because.len(), 31);
}

/// Literals of a run's letters: step, proposition, and whether it holds.
type Literals = Vec<(usize, String, bool)>;

/// Returns every word of possible letters, as long as the run, that agrees with the literals.
fn words(run: &Run<'_>, literals: &Literals) -> Vec<Vec<Letter>> {
    let goes_on = |letter: &Letter| letter.action(run.vocabulary) != run.vocabulary.stop();
    let mut words = vec![Vec::new()];
    for step in 0..run.word.len() {
        let possible: Vec<Letter> = match step {
            0 => states(run.vocabulary).into_iter().map(Letter::initial).collect(),
            _ => run.letters.iter().copied().filter(goes_on).collect(),
        };
        let agrees = |letter: &&Letter| {
            let mut here = literals.iter().filter(|(at, ..)| *at == step);
            here.all(|(_, name, holds)| letter.holds(run.vocabulary.id(name).unwrap()) == *holds)
        };
        let possible: Vec<&Letter> = possible.iter().filter(agrees).collect();
        let longer = |word: &Vec<Letter>| possible.iter().map(|letter| [word, &[**letter][..]].concat()).collect();
        words = words.iter().flat_map(|word| -> Vec<Vec<Letter>> { longer(word) }).collect();
    }
    words
}

/// Returns whether the laws allow the action in some run that agrees with the literals.
fn can_be_allowed(run: &mut Run<'_>, literals: &Literals, action: ActionId, laws: &[usize]) -> bool {
    let (real, starts) = (run.word.clone(), run.starts.clone());
    for (law, start) in run.starts.iter_mut().enumerate() {
        // A law of the form depends on the current letter; earlier violations are forgotten.
        if recognise_all(&run.laws[law].formula, run.vocabulary).is_ok() {
            *start = real.len() - 1;
        }
    }
    let stops = run.vocabulary.stop() == Some(action);
    // The words are tried in place of the run's own word.
    let allowed = words(run, literals).into_iter().any(|word| {
        // The world keeps its state, except that stopping repeats the letter's observations.
        let last = if stops { *word.last().unwrap() } else { *real.last().unwrap() };
        run.word = word;
        run.allowed_after(&last, action, laws)
    });
    (run.word, run.starts) = (real, starts);
    allowed
}

fn check(shield: &mut Shield, run: &mut Run<'_>) -> Result<(), TestCaseError> {
    for action in run.vocabulary.action_ids() {
        let explanation = shield.explain(action);
        let Judgement::Blocked { laws, .. } = &explanation.judgement else { continue };
        let laws = positions(laws);
        prop_assert_eq!(explanation.provenance, CauseProof::Minimal);
        prop_assert_eq!(explanation.step + 1, run.word.len());
        let mut literals = Literals::new();
        for reason in &explanation.laws {
            for cause in &reason.because {
                for literal in &cause.literals {
                    let id = run.vocabulary.id(&literal.proposition).unwrap();
                    prop_assert_eq!(run.word[cause.step].holds(id), literal.holds, "the run is cited wrongly");
                    literals.push((cause.step, literal.proposition.clone(), literal.holds));
                }
            }
        }
        literals.sort();
        literals.dedup();
        let said = explanation.reasons();
        // The cited laws and literals keep the block.
        prop_assert!(!can_be_allowed(run, &literals, action, &laws), "not enough: {}", said);
        // Without any one literal, the action is not blocked any more.
        for out in 0..literals.len() {
            let mut rest = literals.clone();
            let dropped = rest.remove(out);
            prop_assert!(can_be_allowed(run, &rest, action, &laws), "{:?} is not needed: {}", dropped, said);
        }
        // Without any one law, the action is not blocked any more, although all literals stay.
        for out in 0..laws.len() {
            let mut rest = laws.clone();
            rest.remove(out);
            prop_assert!(can_be_allowed(run, &literals, action, &rest), "law {} is not needed: {}", laws[out], said);
        }
    }
    Ok(())
}

fn drive(vocabulary: &Arc<Vocabulary>, laws: &[Law], choices: &[usize]) -> Result<(), TestCaseError> {
    let states = states(vocabulary);
    prop_assume!(!states.is_empty());
    let mut shield = Shield::new(vocabulary.clone(), laws.to_vec(), ShieldOptions::default()).unwrap();
    let Some(mut run) = Run::new(vocabulary, laws) else {
        return Err(TestCaseError::reject("too many kinds of continuation"));
    };
    let initial = states[choices[0] % states.len()];
    shield.start(initial).unwrap();
    run.advance(Letter::initial(initial));
    check(&mut shield, &mut run)?;
    for &choice in &choices[1..] {
        let moves: Vec<Letter> =
            run.letters.iter().copied().filter(|letter| letter.action(vocabulary) != vocabulary.stop()).collect();
        let letter = moves[choice % moves.len()];
        read(&mut shield, letter);
        run.advance(letter);
        check(&mut shield, &mut run)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_cited_suffices_and_is_needed(laws in laws(3), choices in prop::collection::vec(0..1000usize, 1..4)) {
        drive(&Arc::new(small(Vec::new())), &laws, &choices)?;
    }

    #[test]
    fn axioms_are_kept(
        laws in laws(2),
        axiom in boolean_of(atoms(&["p", "q"]), 2, 12),
        choices in prop::collection::vec(0..1000usize, 1..4),
    ) {
        drive(&Arc::new(small(vec![axiom])), &laws, &choices)?;
    }

    /// A law of the form is explained by a prime implicant of its guard.
    #[test]
    fn a_guard_is_explained_by_a_prime_implicant(
        guard in boolean_of(prop::sample::select(vec!["p", "q"]).prop_map(Formula::atom), 4, 12),
        now in 0..4usize,
    ) {
        let vocabulary = Arc::new(small(Vec::new()));
        let law = Law::hard("law-0", guard.implies(Formula::atom("a").not().next()).globally(), "");
        drive(&vocabulary, &[law], &[now])?;
    }
}

proptest! {
    // Longer words, of which there are many more.
    #![proptest_config(ProptestConfig { cases: 100, max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn longer_runs(laws in laws(2), choices in prop::collection::vec(0..1000usize, 4)) {
        drive(&Arc::new(small(Vec::new())), &laws, &choices)?;
    }
}
