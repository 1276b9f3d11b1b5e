//! Laws about objects that occur, against the laws instantiated by hand for all of them.

use std::sync::Arc;

use ltlcrit_verifier::objects::{Catalogue, Event, Events, ObjectError, ObjectLaws, ObjectRun, needed};
use ltlcrit_verifier::{Formula, Judgement, Law, LawId, PropSet, Shield, ShieldOptions, Vocabulary};
use proptest::prelude::*;

const OBJECTS: [&str; 4] = ["a", "b", "c", "d"];
const ABOUT: [&str; 3] = ["read", "write", "test"];
const PLAIN: [&str; 3] = ["push", "freeze", "idle"];
const LAWS: [&str; 14] = [
    "G(write(?f) -> F test(?f))",
    "!write(?f) W read(?f)",
    "G(write(?f) -> X(!write(?f) W test(?f)))",
    "G(write(?f) -> F test)",
    "G(write(?f) -> !push W test(?f))",
    "G(push -> G !write(?f))",
    "G(push -> O test(_))",
    "G(freeze -> G !test(_))",
    "G !test(a)",
    "G(write(?f) -> H !push)",
    "G(write -> F(test(_) & X[!] idle))",
    "at_most(2, write(_))",
    "at_most(1, write(?f))",
    "!push W read(b)",
];

fn catalogue() -> Catalogue {
    let about = ABOUT.iter().fold(Catalogue::default(), |catalogue, name| catalogue.action(name, &["file"]));
    PLAIN.iter().fold(about, |catalogue, name| catalogue.action(name, &[]))
}

/// All events, of all objects.
fn events() -> Vec<Event> {
    let about = ABOUT.iter().flat_map(|action| OBJECTS.map(|object| Event::new(action, &[object])));
    about.chain(PLAIN.iter().map(|action| Event::new(action, &[]))).collect()
}

/// A formula for one object, or for none.
fn instance(formula: &Formula, object: &str) -> Formula {
    let Formula::Atom(name) = formula else { return formula.with_operands(&mut |one| instance(one, object)) };
    let (action, argument) = name.split_once('(').unwrap_or((name, "_)"));
    match argument {
        "?f)" => Formula::atom(format!("{action}({object})")),
        "_)" if ABOUT.contains(&action) => {
            let each = OBJECTS.map(|object| Formula::atom(format!("{action}({object})")));
            each.into_iter().reduce(Formula::or).unwrap()
        }
        _ => formula.clone(),
    }
}

/// A shield over the instances for four objects.
fn by_hand(laws: &[&str]) -> Shield {
    let names = events().iter().map(ToString::to_string).collect::<Vec<_>>();
    let vocabulary = Arc::new(Vocabulary::builder("all").actions(names).build().unwrap());
    let mut all = Vec::new();
    for (at, law) in laws.iter().enumerate() {
        let formula: Formula = law.parse().unwrap();
        let objects = if law.contains("?f") { &OBJECTS[..] } else { &[""] };
        all.extend(objects.iter().map(|object| Law::hard(format!("{at}({object})"), instance(&formula, object), "")));
    }
    let mut shield = Shield::new(vocabulary, all, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    shield
}

fn laws(laws: &[&str]) -> ObjectLaws {
    let law = |(at, law): (usize, &&str)| Law::hard(at.to_string(), law.parse().unwrap(), "");
    ObjectLaws::new(catalogue(), laws.iter().enumerate().map(law).collect()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    /// The objects of the run are three; a fourth one is new whenever it is asked about.
    #[test]
    fn decides_as_the_laws_for_all_objects(
        chosen in prop::sample::subsequence(LAWS.to_vec(), 1..4),
        choices in prop::collection::vec(0..1000usize, 0..8),
    ) {
        let mut shield = by_hand(&chosen);
        let mut run = ObjectRun::new(laws(&chosen));
        let vocabulary = shield.vocabulary().clone();
        let made: Vec<Event> = events().into_iter().filter(|event| event.objects != ["d"]).collect();
        for choice in choices.iter().map(Some).chain([None]) {
            for event in events() {
                let action = vocabulary.action(&event.to_string()).unwrap();
                let expected = shield.judge(action);
                match run.judge(&event).unwrap() {
                    Judgement::Blocked { .. } => {
                        prop_assert!(matches!(expected, Judgement::Blocked { .. }), "{chosen:?} {event} {expected:?}");
                    }
                    judged => prop_assert_eq!(judged, expected, "{:?} {} {:?}", chosen, event, run.events()),
                }
            }
            let owed = |laws: Vec<LawId>| {
                let mut laws: Vec<String> = laws.iter().map(|law| law.split('(').next().unwrap().to_owned()).collect();
                laws.sort();
                laws.dedup();
                laws
            };
            prop_assert_eq!(owed(run.owed().unwrap()), owed(shield.obligations()), "{:?} {:?}", chosen, run.events());
            // An event that the laws forbid does not happen.
            let Some(event) = choice.map(|choice| &made[choice % made.len()]) else { continue };
            let action = vocabulary.action(&event.to_string()).unwrap();
            if shield.judge(action).is_allowed() {
                shield.step(action, PropSet::EMPTY).unwrap();
                run.step(event.clone()).unwrap();
            }
        }
    }

    #[test]
    fn events_that_are_not_needed_change_no_decision(
        chosen in prop::sample::subsequence(LAWS.to_vec(), 1..4),
        choices in prop::collection::vec(0..1000usize, 0..30),
        first in 0..30usize,
    ) {
        let (all, made) = (laws(&chosen), events());
        let refs: Vec<_> = all.laws.iter().collect();
        let mut run = ObjectRun::new(all.clone());
        choices.iter().for_each(|choice| run.step(made[choice % made.len()].clone()).unwrap());
        let marks = needed(&refs, run.events(), first.min(choices.len())).unwrap();
        let mut short = ObjectRun::new(all.clone());
        for (at, event) in run.events().iter().enumerate() {
            if marks.get(at).copied().unwrap_or(true) {
                short.step(event.clone()).unwrap();
            }
        }
        for event in &made {
            let (long, short) = (run.judge(event).unwrap(), short.judge(event).unwrap());
            prop_assert_eq!(long.is_allowed(), short.is_allowed(), "{:?} {} {:?} {:?}", chosen, event, run.events(), marks);
        }
        prop_assert_eq!(run.owed().unwrap().is_empty(), short.owed().unwrap().is_empty());
    }
}

/// An object that occurs costs a number for each law, and a decision does not grow with their number.
#[test]
fn a_thousand_objects_are_decided_and_their_events_forgotten() {
    let laws = laws(&["G(write(?f) -> F test(?f))", "!write(?f) W read(?f)"]);
    let mut run = ObjectRun::new(laws.clone());
    for file in 0..1_000 {
        let file = format!("f{file}");
        for action in ["read", "write", "test"] {
            run.step(Event::new(action, &[&file])).unwrap();
        }
    }
    assert!(run.owed().unwrap().is_empty());
    run.step(Event::new("write", &["f7"])).unwrap();
    assert_eq!(run.owed().unwrap(), ["0(f7)".into()]);
    assert!(!run.judge(&Event::new("write", &["new"])).unwrap().is_allowed());
    let needed = needed(&laws.laws.iter().collect::<Vec<_>>(), run.events(), run.events().len()).unwrap();
    assert_eq!(needed.iter().filter(|needed| **needed).count(), 1_001);
}

#[test]
fn what_is_not_decided_is_an_error() {
    let new = |law: &str| {
        let error = ObjectLaws::new(catalogue(), vec![Law::hard("law", law.parse().unwrap(), "")]).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        new("G(write(?f) -> F test(?g))"),
        "law law: the law has a second parameter, `?f`; a law has one parameter; write `_` for any object"
    );
    assert!(new("F write(?f)").contains("asks something of objects to which nothing happened"));
    assert!(new("G !wrote(?f)").contains("did you mean `write`?"));
    // Each object that is owed something is one of its own, because events are counted.
    let mut run = ObjectRun::new(laws(&["G(write(?f) -> F test(?f))", "at_most(100, idle)", "G(push -> X idle)"]));
    for file in 0..61 {
        run.step(Event::new("write", &[&format!("f{file}")])).unwrap();
    }
    assert!(matches!(run.judge(&Event::new("idle", &[])), Err(ObjectError::TooManyObjects(61))));
    assert!(matches!(run.step(Event::new("write", &[])), Err(ObjectError::Event(_))));
    assert_eq!(Events::default().len(), 0);
}
