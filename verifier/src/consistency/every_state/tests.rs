//! Tests against brute force over small vocabularies: over letters by the definition, over runs by a shield.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::*;
use crate::formulas::boolean_of;
use crate::semantics::satisfies;

const WORK: u64 = 10_000_000;

fn vocabulary() -> Vocabulary {
    let builder = Vocabulary::builder("small").observations(["p", "q"]).actions(["a", "b"]);
    builder.axiom("q -> p".parse::<Formula>().unwrap()).build().unwrap()
}

/// Returns the same cases every time.
fn cases<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, count: usize) -> Vec<T> {
    use proptest::strategy::ValueTree;
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

type Names = Vec<&'static str>;

/// Returns the letters of a run, without stopping; the first has no action.
fn letters(first: bool) -> Vec<Names> {
    let states: [&[&str]; 3] = [&[], &["p"], &["p", "q"]];
    let actions: &[&[&str]] = if first { &[&[]] } else { &[&["a"], &["b"]] };
    states.iter().flat_map(|state| actions.iter().map(|action| [*state, *action].concat())).collect()
}

fn names(vocabulary: &Vocabulary, letter: &Letter) -> BTreeSet<String> {
    vocabulary.names(&letter.0).into_iter().map(str::to_owned).collect()
}

fn one_step() -> impl Strategy<Value = Formula> {
    let letter = || boolean_of(prop::sample::select(vec!["p", "q", "a", "b"]).prop_map(Formula::atom), 3, 4);
    (letter(), letter(), 0..4u8).prop_map(|(guard, demand, kind)| match kind {
        0 => guard.globally(),
        _ => guard.implies(demand.next()).globally(),
    })
}

/// Compares with the definition: the letters that a run that breaks no law reaches, and the letters that leave no next
/// one.
#[test]
fn laws_of_one_step_agree_with_the_definition() {
    let vocabulary = vocabulary();
    let (mut proved, mut stuck) = (0, 0);
    for laws in cases(prop::collection::vec(one_step(), 1..=4), 400) {
        let keep = |word: &[Names]| laws.iter().all(|law| satisfies(law, word));
        let goes_on = |letter: &Names| {
            letters(false).into_iter().filter(|next| keep(&[letter.clone(), next.clone()])).collect::<Vec<_>>()
        };
        let mut reached: Vec<Names> = letters(true).into_iter().filter(|one| keep(std::slice::from_ref(one))).collect();
        let mut at = 0;
        while at < reached.len() {
            for next in goes_on(&reached[at]) {
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
            at += 1;
        }
        let found = every_state(&vocabulary, &laws, 10, WORK).unwrap();
        assert_eq!(found.open, None, "{laws:?}");
        if found.is_proved() {
            proved += 1;
            assert!(reached.iter().all(|letter| !goes_on(letter).is_empty()), "{laws:?}");
        }
        for conflict in &found.stuck {
            stuck += 1;
            let last = names(&vocabulary, conflict.letters.last().unwrap());
            let some: Vec<&Formula> = conflict.laws.iter().map(|law| &laws[*law]).collect();
            let leaves = |some: &[&Formula]| {
                let letter: Names = letters(true)
                    .into_iter()
                    .chain(letters(false))
                    .find(|one| one.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>() == last)
                    .unwrap();
                letters(false)
                    .into_iter()
                    .any(|next| some.iter().all(|law| satisfies(law, &[letter.clone(), next.clone()])))
            };
            assert!(!leaves(&some), "{laws:?}: {conflict:?}");
            for place in 0..some.len() {
                let mut fewer = some.clone();
                fewer.remove(place);
                assert!(leaves(&fewer), "{laws:?}: {conflict:?}");
            }
        }
    }
    assert!(proved > 50 && stuck > 50, "{proved} proved, {stuck} stuck");
}

fn pattern() -> impl Strategy<Value = Formula> {
    let atom = || prop::sample::select(vec!["p", "q", "a", "b"]).prop_map(Formula::atom);
    let letter = || boolean_of(atom(), 2, 3);
    (letter(), letter(), 0..16u8).prop_map(|(a, b, kind)| match kind {
        0 => a.finally(),
        1 => a.not().globally(),
        2 => a.implies(b.finally()).globally(),
        3 => a.not().weak_until(b),
        4 => a.implies(b.not().globally()).globally(),
        5 => a.until(b),
        6 => a.not().next().weak_until(b),
        7 => a.clone().implies(a.not().globally().next()).globally(),
        8 => a.implies(b.next().next()).globally(),
        9 => b.once().not().implies(a.not().next()).globally(),
        10 => a.clone().not().since(b).implies(a.not().next()).globally(),
        11 => a.implies(b.finally_within(2)).globally(),
        12 => a.at_most(1),
        _ => a.implies(b.next()).globally(),
    })
}

/// Returns a run of at most `depth` letters that breaks no law and leads a shield to a state without an action.
fn gets_stuck(vocabulary: &Arc<Vocabulary>, laws: &[Formula], depth: usize) -> Option<Vec<Letter>> {
    let named = laws.iter().enumerate().map(|(at, law)| Law::hard(at.to_string(), law.clone(), "")).collect();
    let mut shield = Shield::new(vocabulary.clone(), named, ShieldOptions::default()).unwrap();
    let letter = |names: &Names| Letter(vocabulary.set(names.iter().copied()).unwrap());
    let mut runs: Vec<Vec<Letter>> = letters(true).iter().map(|one| vec![letter(one)]).collect();
    let mut at = 0;
    while at < runs.len() {
        let run = runs[at].clone();
        at += 1;
        let mut keeps = shield.start(run[0].0).unwrap().is_empty();
        for next in &run[1..] {
            let action = next.action(vocabulary).unwrap();
            keeps = keeps
                && shield.judge(action).is_allowed()
                && shield.step(action, next.observations(vocabulary)).unwrap().is_empty();
        }
        if !keeps {
            continue;
        }
        match shield.decide().enforcement {
            Enforcement::Nothing { .. } => return Some(run),
            Enforcement::All => {}
            other => panic!("{other:?}"),
        }
        if run.len() < depth {
            runs.extend(letters(false).iter().map(|next| [run.as_slice(), &[letter(next)]].concat()));
        }
    }
    None
}

#[test]
fn laws_of_any_form_agree_with_a_shield() {
    let vocabulary = Arc::new(vocabulary());
    let (mut proved, mut stuck, mut open, mut missed) = (0, 0, 0, 0);
    for laws in cases(prop::collection::vec(pattern(), 1..=4), 400) {
        let found = every_state(&vocabulary, &laws, 10, WORK).unwrap();
        let run = gets_stuck(&vocabulary, &laws, 3);
        if found.is_proved() {
            proved += 1;
            assert_eq!(run, None, "{laws:?}");
        }
        stuck += usize::from(!found.stuck.is_empty());
        open += usize::from(found.open.is_some());
        missed += usize::from(found.stuck.is_empty() && run.is_some());
        for conflict in found.stuck.iter().filter(|conflict| conflict.letters.len() > 1) {
            assert!(is_stuck(&vocabulary, &laws, &conflict.letters), "{laws:?}: {conflict:?}");
        }
    }
    assert!(proved > 200 && stuck > 50, "{proved} proved, {stuck} stuck");
    assert!(open <= 8 && missed == 0, "{open} open, {missed} missed");
}

#[test]
fn laws_that_an_outcome_may_break_are_named() {
    let laws = ["G(p -> X !a)", "G(a -> X(b | p))", "!a W p", "G(a -> p)", "G(a -> F p)", "X !a W p"];
    let laws: Vec<Formula> = laws.iter().map(|law| law.parse().unwrap()).collect();
    let found = every_state(&vocabulary(), &laws, 10, WORK).unwrap();
    assert!(found.is_proved(), "{found:?}");
    assert_eq!(found.by_outcome, [1, 2, 3]);
}

#[test]
fn what_is_beyond_the_bounds_is_open() {
    let law = |text: &str| text.parse::<Formula>().unwrap();
    let open = |laws: &[Formula], work| every_state(&vocabulary(), laws, 10, work).unwrap().open;
    assert_eq!(open(&[law("G !a"), law("F(a & F p)")], 0), Some((Open::OutOfBudget, vec![1])));
    let long = (0..70).fold(Formula::atom("p"), |law, _| law.next().or(Formula::atom("q").next()));
    assert_eq!(open(&[law("G !a"), long], WORK), Some((Open::TooManyMemories, vec![1])));
    let unknown = every_state(&vocabulary(), &[law("F z")], 10, WORK);
    assert!(matches!(unknown, Err(ConsistencyError::UnknownProposition { law: 0, .. })));
}
