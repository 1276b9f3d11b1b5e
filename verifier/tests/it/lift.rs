//! Lifted blocks against all short words.

use std::sync::Arc;

use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::{ActionId, CompiledLaws, Law, Letter, Lift, PropSet, Shield, ShieldOptions, Vocabulary};
use proptest::prelude::*;

use crate::brute::{read, small, states};
use crate::joint::laws;

fn code(laws: &[&str]) -> Shield {
    let builder =
        Vocabulary::builder("code").observations(["green", "late"]).actions(["write", "test", "push", "idle"]);
    let vocabulary = Arc::new(builder.build().unwrap());
    let named = |(at, law): (usize, &&str)| Law::hard(format!("law-{at}"), law.parse().unwrap(), "");
    let laws = laws.iter().enumerate().map(named).collect();
    let mut shield = Shield::new(vocabulary, laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    shield
}

/// The propositions that hold at each letter after which an action is allowed.
fn lifted(shield: &mut Shield, action: &str) -> Option<Vec<String>> {
    let vocabulary = shield.vocabulary().clone();
    match shield.lifted_by(vocabulary.action(action).unwrap()) {
        Lift::By(letters) => Some(letters.iter().map(|letter| vocabulary.names(&letter.0).join(" & ")).collect()),
        Lift::Never => None,
        Lift::NotFound => Some(vec!["?".into()]),
    }
}

#[test]
fn the_fewest_letters_lift_a_block() {
    let mut shield = code(&["!push W (test & green)", "G(write -> F test)", "G(late -> X !test)"]);
    assert_eq!(lifted(&mut shield, "push").unwrap(), ["green & test"]);
    assert_eq!(lifted(&mut shield, "write").unwrap(), [""; 0]);
    let vocabulary = shield.vocabulary().clone();
    let (write, late) = (vocabulary.action("write").unwrap(), vocabulary.set(["late"]).unwrap());
    shield.step(write, late).unwrap();
    // Another law forbids the test now.
    assert_eq!(lifted(&mut shield, "action_stop").unwrap(), ["idle", "late & test"]);
    assert_eq!(lifted(&mut shield, "test").unwrap(), ["write"]);
    let mut shield = code(&["!push W write", "G !idle"]);
    assert_eq!(lifted(&mut shield, "idle"), None);
    assert_eq!(lifted(&mut shield, "push").unwrap(), ["write"]);
    // More letters than there is work for.
    let options = ShieldOptions { explanation_budget: 20, ..ShieldOptions::default() };
    let laws = vec![Law::hard("ten", "!push W (write & X[!] true & O(test & Y O test))".parse().unwrap(), "")];
    let mut shield = Shield::new(shield.vocabulary().clone(), laws, options).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    assert_eq!(lifted(&mut shield, "push").unwrap(), ["?"]);
}

/// The words over some letters.
fn words(letters: &[Letter], length: usize) -> Vec<Vec<Letter>> {
    let longer = |words: Vec<Vec<Letter>>| {
        words.iter().flat_map(|word| letters.iter().map(|letter| [word.as_slice(), &[*letter]].concat())).collect()
    };
    (0..length).fold(vec![Vec::new()], |words, _| longer(words))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_shorter_word_lifts_a_block(laws in laws(3), choices in prop::collection::vec(0..1000usize, 1..4)) {
        let vocabulary = Arc::new(small(Vec::new()));
        let hard = |law: Law| Law { strength: Strength::Hard, ..law };
        let laws: Vec<Law> = laws.into_iter().map(hard).collect();
        let compiled = CompiledLaws::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
        let (states, stop) = (states(&vocabulary), vocabulary.stop());
        let actions: Vec<ActionId> = vocabulary.action_ids().filter(|action| Some(*action) != stop).collect();
        let letters: Vec<Letter> =
            actions.iter().flat_map(|a| states.iter().map(|it| Letter::after(&vocabulary, *a, *it))).collect();
        let initial = states[choices[0] % states.len()];
        let run: Vec<Letter> = choices[1..].iter().map(|choice| letters[choice % letters.len()]).collect();
        let begin = || {
            let mut shield = Shield::over(compiled.clone());
            shield.start(initial).unwrap();
            run.iter().for_each(|letter| drop(read(&mut shield, *letter)));
            shield
        };
        let mut shield = begin();
        for action in vocabulary.action_ids() {
            let is_lifted = |word: &Vec<Letter>| {
                let mut shield = begin();
                let goes = word.iter().all(|letter| {
                    shield.judge(letter.action(&vocabulary).unwrap()).is_allowed() && read(&mut shield, *letter).is_empty()
                });
                goes && shield.judge(action).is_allowed()
            };
            let shortest = (0..=2).find(|length| words(&letters, *length).iter().any(is_lifted));
            match shield.lifted_by(action) {
                Lift::By(word) => {
                    prop_assert!(is_lifted(&word), "{word:?}");
                    prop_assert!(shortest == Some(word.len()) || shortest.is_none() && word.len() > 2, "{word:?}");
                }
                Lift::Never => prop_assert_eq!(shortest, None),
                Lift::NotFound => prop_assert!(false, "there is work enough"),
            }
        }
    }
}
