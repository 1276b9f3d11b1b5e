//! The papers' books behave the same, however broken laws continue.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_laws::{open, shipped, shipped_names};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{AfterBreak, Law, PropSet, Shield, ShieldOptions, Vocabulary};
use rand::{RngExt as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Minecraft's laws read only the current letter and the next action, so they have no memory to reset.
#[test]
fn laws_of_the_minecraft_books_remember_nothing() {
    for name in shipped_names().filter(|name| *name != "safety-chip-demo") {
        let laws = shipped(name).unwrap().laws_in_force();
        let atoms: BTreeSet<Arc<str>> = laws.iter().flat_map(|law| law.formula.atoms()).collect();
        let (actions, observations): (Vec<&str>, Vec<&str>) =
            atoms.iter().map(|atom| &**atom).partition(|atom| atom.starts_with("action_"));
        let builder = Vocabulary::builder(name).observations(observations);
        let vocabulary = builder.actions(actions.into_iter().filter(|name| *name != "action_stop")).build().unwrap();
        for law in &laws {
            assert!(recognise_all(&law.formula, &vocabulary).is_ok(), "{name}: {}", law.id);
        }
    }
}

/// The Safety Chip's laws give the same verdicts after a violation, whether they continue or reset.
#[test]
fn laws_of_the_safety_chip_go_on_as_if_they_began_afresh() {
    let (book, vocabulary) = open("safety-chip-demo", &[]).unwrap();
    let shield = |after_break: AfterBreak| {
        let laws = book.laws_in_force().into_iter().map(|law| Law { after_break, ..law }).collect();
        Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap()
    };
    let (mut kept, mut rearmed) = (shield(AfterBreak::Keep), shield(AfterBreak::Rearm));
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let observations = vocabulary.observations();
    let mut state = || -> PropSet {
        let names = observations.iter().map(|proposition| &*proposition.name);
        let place = random.random_range(0..9);
        let mut set: PropSet = PropSet::EMPTY;
        for (at, name) in names.enumerate() {
            let holds = if name.starts_with("agent_at") { at == place } else { random.random_ratio(1, 4) };
            let mut with = set;
            with.insert(vocabulary.id(name).unwrap());
            if holds && vocabulary.broken_axiom(&with).is_none() {
                set = with;
            }
        }
        set
    };
    let mut broken = 0;
    for _ in 0..30 {
        let first = state();
        assert_eq!(kept.start(first), rearmed.start(first));
        for step in 0..20 {
            let actions: Vec<_> = vocabulary.action_ids().filter(|action| Some(*action) != vocabulary.stop()).collect();
            let (action, seen) = (actions[step % actions.len()], state());
            let violations = kept.step(action, seen).unwrap();
            broken += violations.len();
            assert_eq!(violations, rearmed.step(action, seen).unwrap());
            assert_eq!(kept.decide(), rearmed.decide());
            assert_eq!(kept.obligations(), rearmed.obligations());
        }
    }
    assert!(broken > 50, "{broken} breaks only");
}
