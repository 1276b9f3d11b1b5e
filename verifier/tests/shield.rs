//! The shield along a run: re-arming, other laws between two steps, failing closed, wide laws, no allocation.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::sync::Arc;

use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::syntax::parse_infix;
use ltlcrit_verifier::{
    ActionId, Enforcement, Judgement, Law, Letter, Monitor, PropId, PropSet, Proposition, Shield, ShieldOptions,
    Transitions, Verdict, Vocabulary,
};

fn named(names: &[&str]) -> Vec<Proposition> {
    names.iter().map(|name| Proposition::new(*name, "")).collect()
}

fn doors() -> Arc<Vocabulary> {
    Arc::new(
        Vocabulary::new("doors", named(&["obs_dark", "obs_lit"]), named(&["action_open", "action_close"]), vec![])
            .unwrap(),
    )
}

fn hard(id: &str, formula: &str) -> Law {
    Law::hard(id, parse_infix(formula).unwrap(), "")
}

fn soft(id: &str, formula: &str) -> Law {
    Law::soft(id, parse_infix(formula).unwrap(), "")
}

fn shield(laws: Vec<Law>) -> Shield {
    Shield::new(doors(), laws, ShieldOptions::default()).unwrap()
}

fn act(shield: &mut Shield, action: &str, observations: &[&str]) -> Vec<usize> {
    let vocabulary = shield.vocabulary().clone();
    let observations = vocabulary.set(observations.iter().copied()).unwrap();
    let letter = Letter::after(&vocabulary, vocabulary.action(action).unwrap(), observations);
    shield.advance(letter).iter().map(|violation| violation.law).collect()
}

fn allowed(shield: &mut Shield) -> Vec<String> {
    let vocabulary = shield.vocabulary().clone();
    shield.decide().allowed.names(&vocabulary).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_broken_law_is_reported_and_rearmed() {
    let mut shield = shield(vec![hard("order", "!action_close W action_open"), hard("dark", "G !obs_dark")]);
    shield.start(PropSet::EMPTY);
    assert_eq!(act(&mut shield, "action_close", &["obs_dark"]), [0, 1]);
    // Both begin with the next letter, since this one alone breaks them.
    assert_eq!(shield.verdicts(), [Verdict::Clear, Verdict::Clear]);
    assert_eq!(allowed(&mut shield), ["action_open"], "dark again would break the second law, closing the first");
    assert_eq!(act(&mut shield, "action_open", &[]), [0usize; 0]);
    assert_eq!(act(&mut shield, "action_close", &[]), [0usize; 0]);
    assert_eq!(act(&mut shield, "action_close", &["obs_dark"]), [1]);
}

#[test]
fn other_laws_between_two_steps() {
    let mut shield = shield(vec![hard("answer", "G(action_open -> F action_close)")]);
    shield.start(PropSet::EMPTY);
    act(&mut shield, "action_open", &["obs_dark"]);
    assert_eq!(shield.owed(), [0]);
    let laws = vec![
        hard("lit", "G(obs_dark -> X !action_open)"),
        hard("answer", "G(action_open -> F action_close)"),
        soft("first-dark", "obs_dark & F obs_lit"),
    ];
    assert!(shield.replace_laws(laws.clone()).unwrap().is_empty());
    // The old law still owes, the new ones begin with the current letter.
    assert_eq!(shield.owed(), [1, 2]);
    assert_eq!(allowed(&mut shield), ["action_close"]);
    // A new law that the current letter breaks is reported at once.
    let broken = shield.replace_laws(vec![hard("no-dark", "!obs_dark")]).unwrap();
    assert_eq!(broken.iter().map(|violation| violation.law).collect::<Vec<_>>(), [0]);
    // A bad book changes nothing.
    let error = shield.replace_laws(vec![hard("typo", "G !action_opne")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "law `typo` mentions `action_opne`, which is not in the vocabulary `doors`; did you mean `action_open`?"
    );
    assert_eq!(shield.laws().len(), 1);
    assert!(matches!(
        shield.replace_laws(vec![laws[0].clone(), laws[0].clone()]),
        Err(ShieldError::DuplicateLaw { .. })
    ));
    // The same laws again keep everything.
    shield.replace_laws(laws.clone()).unwrap();
    act(&mut shield, "action_open", &["obs_lit"]);
    let owed = shield.owed();
    shield.replace_laws(laws).unwrap();
    assert_eq!(shield.owed(), owed);
}

#[test]
fn without_work_nothing_runs() {
    let options = ShieldOptions { work: 0, ..ShieldOptions::default() };
    let laws = vec![hard("lit", "F obs_lit"), hard("dark", "G(obs_lit -> X obs_dark)")];
    let mut shield = Shield::new(doors(), laws, options).unwrap();
    let open = ActionId(0);
    assert!(matches!(shield.judge(open), Judgement::Unknown { .. }), "before the run starts");
    shield.start(PropSet::EMPTY);
    let decision = shield.decide();
    assert!(decision.allowed.is_empty());
    assert_eq!(
        decision.force,
        Enforcement::Nothing { conflict: Vec::new() },
        "a conflict that was not proved is not named"
    );
    assert!(matches!(shield.judge(open), Judgement::Unknown { .. }));
    assert!(shield.unknowns() > 0);
    assert!(matches!(shield.judge(ActionId(77)), Judgement::Unknown { .. }), "no such action");
}

/// Each way of deciding (guided search with a model, the solver without one, the solver for wide laws) stops when its
/// work is used up: then nothing runs that was not proved, and each action left open is counted.
#[test]
fn every_way_of_deciding_stops_when_its_work_is_used_up() {
    struct Rooms;
    impl Transitions for Rooms {
        fn next(&self, observations: &PropSet, action: ActionId) -> Option<PropSet> {
            Some(if action.0 < 6 { PropSet::from_iter([PropId(action.0)]) } else { *observations })
        }
    }
    let places: Vec<String> = (0..6).map(|place| format!("at_{place}")).collect();
    let goto: Vec<String> = (0..6).map(|place| format!("goto_{place}")).collect();
    let names = |names: &[String]| names.iter().map(|name| Proposition::new(name.as_str(), "")).collect::<Vec<_>>();
    let rooms = Arc::new(Vocabulary::new("rooms", names(&places), names(&goto), vec![]).unwrap());
    // All places, each once, and every odd one late.
    let mut laws: Vec<Law> = places.iter().map(|at| hard(&format!("visit-{at}"), &format!("F {at}"))).collect();
    laws.extend(places.iter().map(|at| hard(&format!("once-{at}"), &format!("G({at} -> X({at} W G !{at}))"))));
    laws.extend((1..6).step_by(2).map(|late| hard(&format!("late-{late}"), &format!("!at_{late} W at_{}", late - 1))));
    let wide =
        format!("F({})", places.iter().zip(&goto).map(|(a, b)| format!("({a} | {b})")).collect::<Vec<_>>().join(" & "));
    for (way, model, extra) in
        [("search", true, None), ("solver", false, None), ("solver for wide laws", false, Some(wide.as_str()))]
    {
        let decide = |work: u64| {
            let mut laws = laws.clone();
            laws.extend(extra.map(|formula| hard("wide", formula)));
            let options = ShieldOptions { work, ..ShieldOptions::default() };
            let mut shield = Shield::new(rooms.clone(), laws, options).unwrap();
            if model {
                shield = shield.with_transitions(Arc::new(Rooms));
            }
            shield.start(PropSet::EMPTY);
            let begun = shield.stats().work;
            let allowed = shield.decide().allowed;
            let unknown =
                rooms.action_ids().filter(|action| matches!(shield.judge(*action), Judgement::Unknown { .. }));
            (allowed, unknown.count() as u64, shield.stats(), shield.stats().work - begun)
        };
        let (right, unknown, stats, needed) = decide(ShieldOptions::default().work);
        assert!(!right.is_empty(), "{way}");
        assert_eq!((unknown, stats.unknowns, stats.undecided), (0, 0, 0), "{way}");
        assert!(needed > 20, "{way} took {needed} units only: too easy to show anything");
        let mut ran_out = false;
        for work in [0, 1, needed / 8, needed / 4, needed / 2] {
            let (allowed, unknown, stats, _) = decide(work);
            assert!(allowed.is_subset(&right), "{way} with {work} units");
            assert_eq!(right.difference(&allowed).is_empty(), unknown == 0, "{way} with {work} units");
            assert_eq!(
                (stats.undecided > 0, stats.unknowns > 0),
                (unknown > 0, unknown > 0),
                "{way} with {work} units"
            );
            ran_out |= unknown > 0 && work > 0;
        }
        assert!(ran_out, "{way}");
    }
}

#[test]
fn an_over_constrained_state_falls_back_to_the_hard_laws() {
    let mut shield = shield(vec![
        hard("never-open", "G(obs_dark -> X !action_open)"),
        soft("open", "G(obs_dark -> X action_open)"),
        soft("lit", "F obs_lit"),
    ]);
    shield.start(shield.vocabulary().set(["obs_dark"]).unwrap());
    let decision = shield.decide();
    assert_eq!(decision.force, Enforcement::HardOnly { conflict: vec![0, 1] });
    assert_eq!(allowed(&mut shield), ["action_close", "action_stop"]);
    assert_eq!(shield.judge(ActionId(0)), Judgement::Blocked { laws: vec![0] });
    assert!(shield.allowed_by_all().is_empty());
}

#[test]
fn laws_over_many_propositions_are_decided_by_search() {
    let names: Vec<String> = (0..12).map(|number| format!("obs_{number}")).collect();
    let observations = names.iter().map(|name| Proposition::new(name.as_str(), "")).collect();
    let vocabulary = Arc::new(Vocabulary::new("wide", observations, named(&["action_go"]), vec![]).unwrap());
    let all = names.join(" & ");
    let none = names.iter().map(|name| format!("!{name}")).collect::<Vec<_>>().join(" & ");
    let laws = vec![
        hard("all", &format!("F({all})")),
        hard("then-none", &format!("G(({all}) -> F({none}))")),
        hard("never-3", "G(action_go -> X !obs_3)"),
    ];
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY);
    assert_eq!(shield.verdicts(), [Verdict::Pending, Verdict::Clear, Verdict::Clear]);
    assert_eq!(shield.decide().allowed.names(&vocabulary), ["action_go"], "stopping would leave the first law owing");
    let everything = vocabulary.set(names.iter().map(String::as_str)).unwrap();
    shield.advance(Letter::after(&vocabulary, ActionId(0), everything));
    assert_eq!(shield.verdicts(), [Verdict::Satisfied, Verdict::Pending, Verdict::Clear]);
    assert_eq!(shield.decide().allowed.names(&vocabulary), ["action_go"]);
    assert_eq!(shield.unknowns(), 0);
}

#[test]
fn bad_vocabularies_are_refused() {
    let plain = Arc::new(Vocabulary::plain("words", ["a"]).unwrap());
    let error = Shield::new(plain, Vec::new(), ShieldOptions::default()).err().unwrap();
    assert!(matches!(error, ShieldError::NoActions { .. }));
    let axioms = vec![parse_infix("obs_p & !obs_p").unwrap()];
    let impossible = Vocabulary::new("impossible", named(&["obs_p"]), named(&["action_a"]), axioms).unwrap();
    let error = Shield::new(Arc::new(impossible), Vec::new(), ShieldOptions::default()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the axioms of the vocabulary `impossible` contradict each other: no state satisfies them all"
    );
}

/// What a repeated step and a judgement allocate: nothing.
#[test]
fn steps_and_judgements_do_not_allocate() {
    let laws = vec![
        hard("answer", "G(action_open -> F action_close)"),
        hard("lit", "G(obs_dark -> X !action_open)"),
        soft("dark", "!obs_dark W obs_lit"),
    ];
    let mut shield = shield(laws);
    let vocabulary = shield.vocabulary().clone();
    let step = |action: &str, observations: &[&str]| {
        let action = vocabulary.action(action).unwrap();
        Letter::after(&vocabulary, action, vocabulary.set(observations.iter().copied()).unwrap())
    };
    let word = [step("action_open", &["obs_lit"]), step("action_close", &[]), step("action_open", &[])];
    let run = |shield: &mut Shield| {
        shield.start(PropSet::EMPTY);
        for letter in word {
            assert!(shield.advance(letter).is_empty());
            let decision = shield.decide();
            assert_eq!(decision.force, Enforcement::All);
            for action in decision.allowed.iter() {
                assert_eq!(shield.judge(action), Judgement::Allowed);
            }
        }
    };
    run(&mut shield);
    let counted = allocation_counter::measure(|| run(&mut shield));
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

/// Nested `<->` share their parts: there are 2^60 ways to the innermost one. Every part is looked at once, or the law is
/// refused by its name; either way at once.
#[test]
fn a_law_that_unfolds_without_end_is_refused_by_name() {
    let nested = |leaf: &dyn Fn(usize) -> String| {
        (0..60).fold("obs_dark".to_owned(), |inner, level| format!("({} <-> {inner})", leaf(level)))
    };
    let temporal = nested(&|level| format!("F(obs_lit & {}obs_dark)", "X ".repeat(level)));
    let vocabulary = shield(Vec::new()).vocabulary().clone();
    let laws = vec![soft("fine", "F obs_lit"), hard("knot", &format!("G {temporal}"))];
    let refused = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).err().unwrap();
    assert_eq!(refused, ShieldError::TooIntricate { law: "knot".to_owned() });
    // Its negation is no easier to find than itself.
    let mut monitor = Monitor::new(&format!("!G {temporal}").parse().unwrap(), vocabulary).unwrap();
    monitor.advance(&Letter::default());
    assert!(monitor.is_lost());
}
