//! The shield along a run: re-arming, other laws between two steps, failing closed, wide laws, no allocation.

use std::sync::Arc;

use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::syntax::parse_infix;
use ltlcrit_verifier::{
    ActionId, CompiledLaws, Enforcement, Fallback, Judgement, Law, LawId, Letter, Monitor, PropId, PropSet,
    Proposition, Shield, ShieldOptions, Undecided, Verdict, Vocabulary,
};

use crate::brute::read;

fn doors() -> Arc<Vocabulary> {
    let builder = Vocabulary::builder("doors").observations(["obs_dark", "obs_lit"]);
    Arc::new(builder.actions(["action_open", "action_close"]).build().unwrap())
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

fn names(laws: &[LawId]) -> Vec<&str> {
    laws.iter().map(|law| &**law).collect()
}

fn act(shield: &mut Shield, action: &str, observations: &[&str]) -> String {
    let vocabulary = shield.vocabulary().clone();
    let observations = vocabulary.set(observations.iter().copied()).unwrap();
    names(&shield.step(vocabulary.action(action).unwrap(), observations).unwrap()).join(", ")
}

fn allowed(shield: &mut Shield) -> Vec<String> {
    let vocabulary = shield.vocabulary().clone();
    shield.decide().allowed.names(&vocabulary).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_broken_law_is_reported_and_rearmed() {
    let mut shield = shield(vec![hard("order", "!action_close W action_open"), hard("dark", "G !obs_dark")]);
    shield.start(PropSet::EMPTY).unwrap();
    assert_eq!(act(&mut shield, "action_close", &["obs_dark"]), "order, dark");
    // Both begin with the next letter, since this one alone breaks them.
    assert_eq!(shield.verdicts(), [Verdict::Clear, Verdict::Clear]);
    assert_eq!(allowed(&mut shield), ["action_open"], "dark again would break the second law, closing the first");
    assert_eq!(act(&mut shield, "action_open", &[]), "");
    assert_eq!(act(&mut shield, "action_close", &[]), "");
    assert_eq!(act(&mut shield, "action_close", &["obs_dark"]), "dark");
}

#[test]
fn other_laws_between_two_steps() {
    let mut shield = shield(vec![hard("answer", "G(action_open -> F action_close)")]);
    shield.start(PropSet::EMPTY).unwrap();
    act(&mut shield, "action_open", &["obs_dark"]);
    assert_eq!(names(&shield.obligations()), ["answer"]);
    let laws = vec![
        hard("lit", "G(obs_dark -> X !action_open)"),
        hard("answer", "G(action_open -> F action_close)"),
        soft("first-dark", "obs_dark & F obs_lit"),
    ];
    assert!(shield.replace_laws(laws.clone()).unwrap().is_empty());
    // The old law is still pending; the new ones begin with the current letter.
    assert_eq!(names(&shield.obligations()), ["answer", "first-dark"]);
    assert_eq!(allowed(&mut shield), ["action_close"]);
    // A new law that the current letter breaks is reported at once.
    let broken = shield.replace_laws(vec![hard("no-dark", "!obs_dark")]).unwrap();
    assert_eq!(names(&broken), ["no-dark"]);
    // An invalid book changes nothing.
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
    let owed = shield.obligations();
    shield.replace_laws(laws).unwrap();
    assert_eq!(shield.obligations(), owed);
}

#[test]
fn without_work_nothing_runs() {
    let options = ShieldOptions { budget: 0, ..ShieldOptions::default() };
    let laws = vec![hard("lit", "F obs_lit"), hard("dark", "G(obs_lit -> X obs_dark)")];
    let mut shield = Shield::new(doors(), laws, options).unwrap();
    let open = ActionId(0);
    assert!(matches!(shield.judge(open), Judgement::Undecided { .. }), "before the run starts");
    shield.start(PropSet::EMPTY).unwrap();
    let decision = shield.decide();
    assert!(decision.allowed.is_empty());
    let Enforcement::Undecided { actions, laws } = decision.enforcement else {
        panic!("{:?}: nothing was proved", decision.enforcement)
    };
    assert!(decision.raised && !actions.is_empty() && !laws.is_empty());
    assert!(matches!(shield.judge(open), Judgement::Undecided { .. }));
    assert!(shield.unknowns() > 0);
    assert!(matches!(shield.judge(ActionId(77)), Judgement::Undecided { .. }), "no such action");
}

/// Each way of deciding (part by part, by the solvers, for wide laws) stops when its work is used up. Then
/// only proved actions may run, and each undecided action is counted.
#[test]
fn every_way_of_deciding_stops_when_its_work_is_used_up() {
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
    for (way, extra) in [("solver", None), ("solver for wide laws", Some(wide.as_str()))] {
        let decide = |budget: u64| {
            let mut laws = laws.clone();
            laws.extend(extra.map(|formula| hard("wide", formula)));
            let options = ShieldOptions { budget, raise: 1, ..ShieldOptions::default() };
            let mut shield = Shield::new(rooms.clone(), laws, options).unwrap();
            shield.start(PropSet::EMPTY).unwrap();
            let begun = shield.stats().spent;
            let allowed = shield.decide().allowed;
            let unknown =
                rooms.action_ids().filter(|action| matches!(shield.judge(*action), Judgement::Undecided { .. }));
            (allowed, unknown.count() as u64, shield.stats(), shield.stats().spent - begun)
        };
        let (right, unknown, stats, needed) = decide(ShieldOptions::default().budget);
        assert!(!right.is_empty(), "{way}");
        assert_eq!((unknown, stats.unknowns, stats.undecided), (0, 0, 0), "{way}");
        assert!(needed > 20, "{way} took {needed} units only: too easy to show anything");
        let mut ran_out = false;
        for budget in [0, 1, needed / 8, needed / 4, needed / 2] {
            let (allowed, unknown, stats, _) = decide(budget);
            assert!(allowed.is_subset(&right), "{way} with {budget} units");
            assert_eq!(right.difference(&allowed).is_empty(), unknown == 0, "{way} with {budget} units");
            assert_eq!(
                (stats.undecided > 0, stats.unknowns > 0),
                (unknown > 0, unknown > 0),
                "{way} with {budget} units"
            );
            ran_out |= unknown > 0 && budget > 0;
        }
        assert!(ran_out, "{way}");
    }
}

#[test]
fn an_over_constrained_state_suspends_the_soft_laws_that_do_not_fit() {
    let laws = || {
        vec![
            hard("never-open", "G(obs_dark -> X !action_open)"),
            soft("open", "G(obs_dark -> X action_open)"),
            soft("lit", "F obs_lit"),
        ]
    };
    let vocabulary = shield(Vec::new()).vocabulary().clone();
    let conflict = vec!["never-open".into(), "open".into()];
    let suspended = vec!["open".into()];
    let one_by_one = Enforcement::Suspended { suspended, conflict: conflict.clone(), minimal: true, proved: true };
    let all = Enforcement::HardOnly { conflict, minimal: true };
    // If the law on light stays in force, its obligation stays too.
    for (fallback, enforcement, left) in [
        (Fallback::OneByOne, one_by_one, &["action_close"][..]),
        (Fallback::All, all, &["action_close", "action_stop"]),
    ] {
        let options = ShieldOptions { fallback, ..ShieldOptions::default() };
        let mut shield = Shield::new(vocabulary.clone(), laws(), options).unwrap();
        shield.start(vocabulary.set(["obs_dark"]).unwrap()).unwrap();
        // Asked twice: the second answer is cached.
        for _ in 0..2 {
            assert_eq!(shield.decide().enforcement, enforcement);
            assert_eq!(allowed(&mut shield), left);
            assert_eq!(
                shield.judge(ActionId(0)),
                Judgement::Blocked { laws: vec!["never-open".into()], minimal: true }
            );
            shield.step(vocabulary.action("action_close").unwrap(), vocabulary.set(["obs_dark"]).unwrap()).unwrap();
        }
    }
}

/// The law with less weight is suspended, in any order; of equal weight, the later one.
#[test]
fn the_law_of_less_weight_is_suspended() {
    for (weights, suspended) in [([0, 0], "close"), ([1, 2], "open"), ([2, 1], "close")] {
        let soft =
            |(id, action, weight): (&str, &str, u32)| Law { weight, ..soft(id, &format!("G(obs_dark -> X {action})")) };
        let laws = [("open", "action_open", weights[0]), ("close", "action_close", weights[1])];
        let mut shield = shield(laws.into_iter().map(soft).collect());
        shield.start(shield.vocabulary().set(["obs_dark"]).unwrap()).unwrap();
        let decision = shield.decide();
        let Enforcement::Suspended { suspended: given_up, .. } = decision.enforcement else { panic!("{decision:?}") };
        assert_eq!(given_up, [suspended.into()]);
        assert_eq!(decision.allowed.len(), 1);
    }
}

#[test]
fn laws_over_many_propositions_are_decided_by_search() {
    let names: Vec<String> = (0..12).map(|number| format!("obs_{number}")).collect();
    let builder = Vocabulary::builder("wide").observations(names.iter().map(String::as_str)).action("action_go");
    let vocabulary = Arc::new(builder.build().unwrap());
    let all = names.join(" & ");
    let none = names.iter().map(|name| format!("!{name}")).collect::<Vec<_>>().join(" & ");
    let laws = vec![
        hard("all", &format!("F({all})")),
        hard("then-none", &format!("G(({all}) -> F({none}))")),
        hard("never-3", "G(action_go -> X !obs_3)"),
    ];
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    assert_eq!(shield.verdicts(), [Verdict::Pending, Verdict::Clear, Verdict::Clear]);
    assert_eq!(shield.decide().allowed.names(&vocabulary), ["action_go"], "stopping would leave the first law owing");
    let everything = vocabulary.set(names.iter().map(String::as_str)).unwrap();
    shield.step(ActionId(0), everything).unwrap();
    assert_eq!(shield.verdicts(), [Verdict::Satisfied, Verdict::Pending, Verdict::Clear]);
    assert_eq!(shield.decide().allowed.names(&vocabulary), ["action_go"]);
    assert_eq!(shield.unknowns(), 0);
}

/// The cache of decisions also works for a law over many propositions and for a vocabulary of many actions.
#[test]
fn decisions_are_kept_whatever_the_size_of_laws_and_vocabulary() {
    let observations: Vec<String> = (0..12).map(|number| format!("obs_{number}")).collect();
    let actions: Vec<String> = (0..100).map(|number| format!("action_{number}")).collect();
    let names = |names: &[String]| names.iter().map(|name| Proposition::new(name.as_str(), "")).collect::<Vec<_>>();
    let wide = hard("wide", &format!("F({})", observations.join(" & ")));
    let answer = hard("answer", "G(action_0 -> F action_1)");
    for (count, laws) in [(10, vec![wide, answer.clone()]), (100, vec![answer])] {
        let vocabulary = Vocabulary::new("many", names(&observations), names(&actions[..count]), vec![]).unwrap();
        let mut shield = Shield::new(Arc::new(vocabulary), laws, ShieldOptions::default()).unwrap();
        let vocabulary = shield.vocabulary().clone();
        let word: Vec<Letter> = (0..6u16)
            .map(|at| Letter::after(&vocabulary, ActionId(at % 3), PropSet::from_iter([PropId(at % 4)])))
            .collect();
        let run = |shield: &mut Shield| -> Vec<_> {
            shield.start(PropSet::EMPTY).unwrap();
            word.iter()
                .map(|letter| {
                    read(shield, *letter);
                    shield.decide()
                })
                .collect()
        };
        let first = run(&mut shield);
        let decided = shield.stats().decided;
        assert!(decided > 0);
        assert_eq!(run(&mut shield), first);
        assert_eq!(shield.stats().decided, decided, "{count} actions");
    }
}

#[test]
fn an_action_of_another_vocabulary_is_undecided() {
    let mut shield = shield(vec![hard("lit", "F obs_lit")]);
    shield.start(PropSet::EMPTY).unwrap();
    for foreign in [ActionId(3), ActionId(77), ActionId(300), ActionId(u16::MAX)] {
        let undecided = Judgement::Undecided { why: Undecided::UnknownAction };
        assert_eq!(shield.judge(foreign), undecided);
        assert_eq!(shield.explain(foreign).judgement, undecided);
        assert_eq!(shield.predicted(foreign), None);
        let vocabulary = shield.vocabulary();
        assert!(!vocabulary.has_action(foreign));
        assert_eq!(Letter::after(vocabulary, foreign, PropSet::EMPTY).action(vocabulary), None);
    }
}

#[test]
fn a_batch_compiles_once() {
    let laws = vec![hard("answer", "G(action_open -> F action_close)"), soft("dark", "!obs_dark W obs_lit")];
    let compiled = CompiledLaws::new(doors(), laws, ShieldOptions::default()).unwrap();
    let run = |mut shield: Shield| {
        shield.start(PropSet::EMPTY).unwrap();
        act(&mut shield, "action_open", &[]);
        (allowed(&mut shield), shield.obligations())
    };
    let alone = run(Shield::over(compiled.clone()));
    let batch: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| run(Shield::over(compiled.clone())))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(batch.into_iter().all(|one| one == alone));
    assert_eq!(format!("{compiled:?}"), r#"CompiledLaws { vocabulary: "doors", laws: ["answer", "dark"], .. }"#);
}

/// A stored decision survives serialization.
#[test]
fn judgements_are_stored_by_the_names_of_laws() {
    let blocked = Judgement::Blocked { laws: vec!["answer".into()], minimal: true };
    let undecided = Judgement::Undecided { why: Undecided::OutOfBudget };
    for (judgement, text) in [
        (Judgement::Allowed, r#"{"kind":"allowed"}"#),
        (Judgement::Ended, r#"{"kind":"ended"}"#),
        (blocked, r#"{"kind":"blocked","laws":["answer"]}"#),
        (undecided, r#"{"kind":"undecided","why":"out_of_budget"}"#),
    ] {
        assert_eq!(serde_json::to_string(&judgement).unwrap(), text);
        assert_eq!(serde_json::from_str::<Judgement>(text).unwrap(), judgement);
    }
    let enforcement = Enforcement::HardOnly { conflict: vec!["a".into(), "b".into()], minimal: true };
    let text = r#"{"kind":"hard_only","conflict":["a","b"]}"#;
    assert_eq!(serde_json::to_string(&enforcement).unwrap(), text);
    assert_eq!(serde_json::from_str::<Enforcement>(text).unwrap(), enforcement);
}

#[test]
fn bad_vocabularies_are_refused() {
    let plain = Arc::new(Vocabulary::plain("words", ["a"]).unwrap());
    let error = Shield::new(plain, Vec::new(), ShieldOptions::default()).err().unwrap();
    assert!(matches!(error, ShieldError::NoActions { .. }));
    let many: Vec<String> = (0..600).map(|number| format!("obs_{number}")).collect();
    let error = Vocabulary::plain("household", many).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the vocabulary `household` has 600 propositions (600 observations and 0 actions), a letter holds at most 256; \
         leave out 344, such as those that no law mentions"
    );
    let builder = Vocabulary::builder("impossible").observation("obs_p").action("action_a");
    let impossible = builder.axiom(parse_infix("obs_p & !obs_p").unwrap()).build().unwrap();
    let error = Shield::new(Arc::new(impossible), Vec::new(), ShieldOptions::default()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "the axioms of the vocabulary `impossible` contradict each other: no state satisfies them all"
    );
}

/// A repeated step and a judgement do not allocate.
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
        shield.start(PropSet::EMPTY).unwrap();
        for letter in word {
            assert!(read(shield, letter).is_empty());
            let decision = shield.decide();
            assert_eq!(decision.enforcement, Enforcement::All);
            for action in decision.allowed.iter() {
                assert_eq!(shield.judge(action), Judgement::Allowed);
            }
        }
    };
    run(&mut shield);
    let counted = allocation_counter::measure(|| run(&mut shield));
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

/// Nested `<->` share their parts: there are 2^60 paths to the innermost one. Either every part is visited once, or the
/// law is refused by its name. Both take little time.
#[test]
fn a_law_that_unfolds_without_end_is_refused_by_name() {
    let nested = |leaf: &dyn Fn(usize) -> String| {
        (0..60).fold("obs_dark".to_owned(), |inner, level| format!("({} <-> {inner})", leaf(level)))
    };
    let temporal = nested(&|level| format!("F(obs_lit & {}obs_dark)", "X ".repeat(level)));
    let vocabulary = shield(Vec::new()).vocabulary().clone();
    let laws = vec![soft("fine", "F obs_lit"), hard("knot", &format!("G {temporal}"))];
    let refused = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).err().unwrap();
    assert_eq!(refused, ShieldError::TooIntricate { law: "knot".into() });
    // Its negation is as hard to compute as the law itself.
    let mut monitor = Monitor::new(&format!("!G {temporal}").parse().unwrap(), vocabulary).unwrap();
    monitor.advance(&Letter::default());
    assert!(monitor.is_lost());
}

/// Ten goals in nine letters: the proof that no run reaches them needs cases that exceed every budget.
fn too_many_goals(strength: fn(&str, &str) -> Law) -> Shield {
    let names: Vec<String> = (0..10).map(|number| format!("action_{number}")).collect();
    let builder = Vocabulary::builder("goals").observation("lit").actions(names.iter().map(String::as_str));
    let mut laws: Vec<Law> = names.iter().map(|name| strength(name, &format!("F {name}"))).collect();
    laws.push(strength("end", &format!("{}false", "X ".repeat(10))));
    laws.push(hard("never-0", "G X !action_0"));
    let mut shield = Shield::new(Arc::new(builder.build().unwrap()), laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    shield
}

/// An action that was not found is not reported as impossible, and no soft law is suspended because of it.
#[test]
fn what_cannot_be_decided_is_said_to_be_undecided() {
    for mut shield in [too_many_goals(hard), too_many_goals(soft)] {
        // One of the goals is forbidden, which is easy to detect; without that law nothing is.
        let enforcement = shield.decide().enforcement;
        assert!(enforcement.is_fallback() || matches!(enforcement, Enforcement::Nothing { .. }));
        let laws = shield.laws().iter().filter(|law| &*law.id != "never-0").cloned().collect();
        shield.replace_laws(laws).unwrap();
        let decision = shield.decide();
        let Enforcement::Undecided { actions, laws } = &decision.enforcement else { panic!("{decision:?}") };
        assert!(decision.raised && decision.allowed.is_empty());
        assert_eq!(actions.len(), 10);
        assert!(!laws.is_empty() && laws.iter().all(|law| shield.laws().iter().any(|known| known.id == *law)));
        assert!(actions.iter().all(|action| matches!(shield.judge(*action), Judgement::Undecided { .. })));
    }
}

/// Sixty laws `G(p -> X ... X !a)` have residuals of up to sixty clauses, different ones after each letter. The
/// shield's memory for them is bounded, and each decision equals the definition: `a` is blocked if `p` held within
/// sixty letters.
#[test]
fn laws_that_look_far_ahead_hold_little_memory_and_are_decided() {
    const FAR: usize = 60;
    let shift = |by: usize| hard(&format!("shift-{by}"), &format!("G(obs_dark -> {}!action_open)", "X ".repeat(by)));
    let options = ShieldOptions { cache_bytes: 2 << 20, ..ShieldOptions::default() };
    let mut shield = Shield::new(doors(), (1..=FAR).map(shift).collect(), options).unwrap();
    let vocabulary = shield.vocabulary().clone();
    let (open, close) = (vocabulary.action("action_open").unwrap(), vocabulary.action("action_close").unwrap());
    let dark = vocabulary.set(["obs_dark"]).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    let (mut last, mut most) = (None, 0);
    for letter in 1..110_usize {
        let is_dark = letter < 40 && letter * letter % 7 < 3;
        let may_open = last.is_none_or(|last| letter - last > FAR);
        let allowed = shield.decide().allowed;
        assert_eq!((allowed.contains(open), allowed.contains(close)), (may_open, true), "{letter}");
        assert!(shield.step(close, if is_dark { dark } else { PropSet::EMPTY }).unwrap().is_empty());
        last = if is_dark { Some(letter) } else { last };
        most = most.max(shield.stats().cache_bytes);
    }
    assert!(most < 16 << 20, "{most} bytes");
}

/// Duties that do not exclude each other are settled one after the other, however many actions there are.
#[test]
fn many_duties_over_many_actions_are_decided() {
    const FILES: usize = 25;
    for further in [0, 1, 40] {
        let names = |prefix: &'static str| (0..FILES).map(move |at| format!("{prefix}_{at}"));
        let idle = (0..further + 14).map(|at| format!("idle_{at}"));
        let builder = Vocabulary::builder("files").observation("late").actions(names("write")).actions(names("test"));
        let vocabulary = Arc::new(builder.actions(idle).build().unwrap());
        let law = |at| {
            let formula = format!("G(write_{at} -> F test_{at})").parse().unwrap();
            Law::hard(format!("test-{at}"), formula, "Test what you write.")
        };
        let laws = (0..FILES).map(law).collect();
        let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
        shield.start(PropSet::EMPTY).unwrap();
        for at in 0..FILES {
            let write = vocabulary.action(&format!("write_{at}")).unwrap();
            let decision = shield.decide();
            assert!(decision.undecided.is_empty(), "{further} further actions, {at} duties: {decision:?}");
            assert_eq!(decision.allowed.len(), vocabulary.actions().len() - usize::from(at > 0));
            shield.step(write, PropSet::EMPTY).unwrap();
        }
    }
}
