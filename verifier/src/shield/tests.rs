//! The quick ways of deciding (plans replayed, one law at a time) against the plain exhaustive search, which `tests/joint.rs`
//! holds against the definition: on more laws and places than brute force could take. And decisions against themselves,
//! after other questions.

use proptest::prelude::*;

use super::*;
use crate::formula::Formula;
use crate::joint::Possible;
use crate::prediction::Prediction;
use crate::vocabulary::PropId;

const PLACES: u16 = 4;

/// Four places, of which one holds; going anywhere is one action, staying another.
fn after(observations: &PropSet, action: ActionId) -> PropSet {
    if action.0 < PLACES { PropSet::from_iter([PropId(action.0)]) } else { *observations }
}

fn rooms() -> Arc<Vocabulary> {
    let numbered = |prefix: &'static str| (0..PLACES).map(move |at| format!("{prefix}_{at}"));
    let builder = Vocabulary::builder("rooms").observations(numbered("at")).actions(numbered("goto")).action("stay");
    Arc::new(builder.build().unwrap())
}

/// Mentions all four places, all actions but stopping; false after staying at place 0 and whatever led to place 1.
fn wide() -> Formula {
    let goes = (0..PLACES).map(|at| Formula::atom(format!("goto_{at}"))).reduce(Formula::or).unwrap();
    let there = (2..PLACES).map(|at| Formula::atom(format!("at_{at}"))).reduce(Formula::or).unwrap();
    let stays = Formula::atom("stay").and(Formula::atom("at_0").not());
    goes.or(stays).and(there.or(Formula::atom("at_1").not()))
}

fn law() -> impl Strategy<Value = Formula> {
    let places = (0..PLACES, 1..PLACES).prop_map(|(a, away)| {
        let at = |place: u16| Formula::atom(format!("at_{}", place % PLACES));
        (at(a), at(a + away))
    });
    (places, 0..11u8, 0..PLACES).prop_map(|((a, b), kind, go)| match kind {
        0 => a.not().weak_until(b),
        1 => a.implies(b.finally()).globally(),
        2 => a.implies(b.not().globally()).globally(),
        3 => a.implies(b.next()).globally(),
        4 => a.clone().and(a.clone().not().and(a.finally()).finally()).finally().not(),
        5 => a.finally(),
        6 => a.implies(Formula::atom(format!("goto_{go}")).not().next()).globally(),
        7 => a.implies(Formula::atom("stay").finally()).globally(),
        // Too wide for a dense table.
        8 => a.implies(b.and(wide()).finally()).globally(),
        9 => a.implies(wide().not().next()).globally().and(b.finally()),
        _ => a.clone().and(b.finally()).finally(),
    })
}

/// Returns whether two judgements are the same but for the laws that are named, where finding the fewest exceeded the budget.
fn is_same_judgement(one: &Judgement, other: &Judgement) -> bool {
    match (one, other) {
        (Judgement::Blocked { minimal: one, .. }, Judgement::Blocked { minimal: other, .. }) if !(*one && *other) => {
            true
        }
        (one, other) => one == other,
    }
}

/// As [`is_same_judgement`], for decisions.
fn is_same_decision(one: &Decision, other: &Decision) -> bool {
    use Enforcement::{HardOnly, Nothing, Suspended};
    let forced = match (&one.enforcement, &other.enforcement) {
        (HardOnly { minimal: one, .. }, HardOnly { minimal: other, .. })
        | (Nothing { minimal: one, .. }, Nothing { minimal: other, .. })
            if !(*one && *other) =>
        {
            true
        }
        (
            Suspended { suspended: one, proved: is_one, minimal: first, .. },
            Suspended { suspended: other, proved: is_other, minimal: second, .. },
        ) if !(*first && *second) => (one, is_one) == (other, is_other),
        (one, other) => one == other,
    };
    forced && Decision { enforcement: other.enforcement.clone(), ..one.clone() } == *other
}

/// The number of times the budget is raised.
const RAISE: u64 = 3;
/// The cost of a question beyond its limit: the step of the search that it ends in, and the knowledge that is kept.
const OVERSHOOT: u64 = 2_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn quick_decisions_are_those_of_exhaustive_search(
        formulas in prop::collection::vec(law(), 2..9),
        choices in prop::collection::vec(0..100usize, 1..25),
    ) {
        let vocabulary = rooms();
        let numbered = |(at, formula): (usize, Formula)| Law::hard(format!("law-{at}"), formula, "");
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
        let mut observations = PropSet::EMPTY;
        shield.start(observations).unwrap();
        for choice in choices {
            let allowed = shield.decide().allowed;
            for action in vocabulary.action_ids() {
                let mut entered = shield.engine();
                let engine = &mut *entered;
                let group = engine.joint.group(0..engine.laws().len());
                let expected = engine.joint.possible(engine.run.now().unwrap(), &group, action);
                prop_assert!(!matches!(expected, Possible::Unknown(_)));
                prop_assert_eq!(
                    allowed.contains(action),
                    expected.known() == Some(true),
                    "{} after {:?}",
                    vocabulary.action_name(action),
                    vocabulary.names(&observations)
                );
            }
            let moves: Vec<ActionId> = allowed.iter().filter(|action| Some(*action) != vocabulary.stop()).collect();
            if moves.is_empty() {
                observations = PropSet::EMPTY;
                shield.start(observations).unwrap();
                continue;
            }
            let action = moves[choice % moves.len()];
            observations = after(&observations, action);
            shield.step(action, observations).unwrap();
        }
        prop_assert_eq!(shield.stats().undecided, 0);
    }

    /// The decided and undecided actions depend on the state and its predictions alone. The budget is so small
    /// that many actions are undecided. What an earlier question proved may let the budget suffice to name fewer laws.
    #[test]
    fn a_decision_depends_on_nothing_that_was_asked_before(
        formulas in prop::collection::vec((law(), prop::bool::ANY), 3..9),
        (work, raise, one_by_one) in (prop_oneof![1..60u64, 60..1_000u64, 1_000..6_000u64], 1..4u64, prop::bool::ANY),
        earlier in prop::collection::vec((0..100usize, 0..64u8), 0..12),
        word in prop::collection::vec((0..100usize, 0..64u8), 1..8),
        predicted in prop::collection::vec((0..16u8, 0..16u8), 0..7),
    ) {
        let vocabulary = rooms();
        let numbered = |(at, (formula, hard)): (usize, (Formula, bool))| {
            let id = format!("law-{at}");
            if hard { Law::hard(id, formula, "") } else { Law::soft(id, formula, "") }
        };
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let fallback = if one_by_one { Fallback::OneByOne } else { Fallback::All };
        let options =
            ShieldOptions { budget: work, raise, explanation_budget: work, fallback, ..ShieldOptions::default() };
        let compiled = || CompiledLaws::new(vocabulary.clone(), laws.clone(), options.clone()).unwrap();
        let all: Vec<ActionId> = vocabulary.action_ids().collect();
        let set = |bits: u8| -> PropSet { (0..PLACES).filter(|at| bits >> at & 1 == 1).map(PropId).collect() };
        let predictions: Vec<Option<Prediction>> = predicted
            .into_iter()
            .map(|(must, may)| Some(Prediction { must: set(must & may), may: set(may) }))
            .collect();
        let ask = |shield: &mut Shield, question: u8| match question % 5 {
            0 => drop(shield.decide()),
            1 => drop(shield.hard_allowed()),
            2 => all.iter().for_each(|action| drop(shield.judge_by_hard_laws(*action))),
            3 => all.iter().rev().for_each(|action| drop(shield.judge(*action))),
            _ => shield.predict(predictions.clone()),
        };
        let walk = |shield: &mut Shield, steps: &[(usize, u8)], asks: bool| {
            let mut observations = PropSet::EMPTY;
            shield.start(observations).unwrap();
            for (choice, questions) in steps {
                if asks {
                    [questions % 5, questions / 5 % 5, questions / 25].into_iter().for_each(|it| ask(shield, it));
                }
                let action = all[choice % (all.len() - 1)];
                observations = after(&observations, action);
                shield.step(action, observations).unwrap();
            }
        };
        let mut experienced = Shield::over(compiled());
        // It shares its caches with another run, which goes on between.
        let mut other = Shield::over(experienced.compiled().clone());
        walk(&mut other, &word, true);
        walk(&mut experienced, &earlier, true);
        walk(&mut experienced, &word, true);
        walk(&mut other, &earlier, true);
        let mut fresh = Shield::over(compiled());
        walk(&mut fresh, &word, false);
        for foreseen in [Vec::new(), predictions.clone()] {
            if !foreseen.is_empty() {
                fresh.predict(foreseen.clone());
                experienced.predict(foreseen);
            }
            // The two are asked in opposite orders, too.
            let by_hard: Vec<Judgement> = all.iter().map(|action| experienced.judge_by_hard_laws(*action)).collect();
            prop_assert_eq!(experienced.hard_allowed(), fresh.hard_allowed());
            let (one, other) = (experienced.decide(), fresh.decide());
            prop_assert!(is_same_decision(&one, &other), "{one:?}, {other:?}");
            for action in all.iter().rev() {
                let (one, other) = (experienced.judge(*action), fresh.judge(*action));
                prop_assert!(is_same_judgement(&one, &other), "{one:?}, {other:?}");
            }
            for (action, one) in all.iter().zip(&by_hard) {
                let other = fresh.judge_by_hard_laws(*action);
                prop_assert!(is_same_judgement(one, &other), "{one:?}, {other:?}");
            }
        }
    }

    /// A run that is resumed need not ask again about every letter to go on as it would have.
    #[test]
    fn what_was_asked_before_makes_no_difference(
        formulas in prop::collection::vec((law(), prop::bool::ANY), 2..9),
        choices in prop::collection::vec(0..100usize, 1..12),
    ) {
        let vocabulary = rooms();
        let numbered = |(at, (formula, hard)): (usize, (Formula, bool))| {
            let id = format!("law-{at}");
            if hard { Law::hard(id, formula, "") } else { Law::soft(id, formula, "") }
        };
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let shield = || {
            Shield::new(vocabulary.clone(), laws.clone(), ShieldOptions::default()).unwrap()
        };
        let (mut asked, mut silent) = (shield(), shield());
        let mut observations = PropSet::EMPTY;
        asked.start(observations).unwrap();
        silent.start(observations).unwrap();
        let all: Vec<ActionId> = vocabulary.action_ids().collect();
        let judgements = |shield: &mut Shield| all.iter().map(|action| shield.judge(*action)).collect::<Vec<_>>();
        for (at, choice) in choices.iter().enumerate() {
            // Asked in another order each time, too.
            if (choice + at) % 3 == 0 {
                judgements(&mut asked);
            }
            asked.hard_allowed();
            asked.decide();
            judgements(&mut asked);
            let action = all[choice % (all.len() - 1)];
            observations = after(&observations, action);
            prop_assert_eq!(asked.step(action, observations).unwrap(), silent.step(action, observations).unwrap());
        }
        prop_assert_eq!(asked.decide(), silent.decide());
        prop_assert_eq!(judgements(&mut asked), judgements(&mut silent));
        prop_assert_eq!(asked.hard_allowed(), silent.hard_allowed());
    }

    /// A decision that runs out of work says so; what it does say is right, and it costs no more than it may.
    #[test]
    fn with_little_work_nothing_wrong_is_said(
        formulas in prop::collection::vec(law(), 2..9),
        work in prop_oneof![0..40u64, 40..400u64, 400..4_000u64],
        choices in prop::collection::vec(0..100usize, 1..12),
    ) {
        let vocabulary = rooms();
        let numbered = |(at, formula): (usize, Formula)| Law::hard(format!("law-{at}"), formula, "");
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let shield = |options: ShieldOptions| {
            Shield::new(vocabulary.clone(), laws.clone(), options).unwrap()
        };
        let mut poor = shield(ShieldOptions { budget: work, raise: RAISE, explanation_budget: work, ..ShieldOptions::default() });
        let mut rich = shield(ShieldOptions::default());
        let mut observations = PropSet::EMPTY;
        poor.start(observations).unwrap();
        rich.start(observations).unwrap();
        let mut unknown = 0;
        for choice in choices {
            let right = rich.decide().allowed;
            let before = poor.stats().spent;
            let decision = poor.decide();
            let spent = poor.stats().spent - before;
            // All laws and the hard ones, each with the budget raised at most once, and the naming of a conflict.
            let most = 2 * work * (1 + RAISE) + work;
            prop_assert!(spent <= most + OVERSHOOT, "{spent} units spent, {most} given");
            unknown += decision.undecided.len() as u64;
            prop_assert!(decision.allowed.is_subset(&right), "something blocked may run");
            for action in vocabulary.action_ids() {
                let before = poor.stats().spent;
                match poor.judge(action) {
                    Judgement::Allowed => prop_assert!(right.contains(action)),
                    Judgement::Blocked { laws, .. } => {
                        let mut entered = rich.engine();
                        let engine = &mut *entered;
                        let numbers = engine.laws().iter().enumerate().filter(|(_, law)| laws.contains(&law.id));
                        let numbers: Vec<usize> = numbers.map(|(at, _)| at).collect();
                        let group = engine.joint.group(numbers);
                        let now = engine.run.now().unwrap();
                        prop_assert!(matches!(engine.joint.possible(now, &group, action), Possible::No(_)));
                    }
                    Judgement::Undecided { .. } => prop_assert!(decision.undecided.contains(action)),
                    Judgement::Ended => prop_assert!(false, "the run goes on"),
                }
                prop_assert!(poor.stats().spent - before <= work + OVERSHOOT);
            }
            // An action that is neither allowed nor undecided is blocked.
            let blocked = ActionSet::first(vocabulary.actions().len()).difference(&decision.allowed);
            prop_assert!(blocked.difference(&decision.undecided).intersection(&right).is_empty());
            prop_assert_eq!(poor.unknowns() > 0, unknown > 0);
            // Met again, a state may be decided with what was learned in between.
            prop_assert!(poor.stats().undecided <= unknown);
            let moves: Vec<ActionId> = right.iter().filter(|action| Some(*action) != vocabulary.stop()).collect();
            if moves.is_empty() {
                break;
            }
            let action = moves[choice % moves.len()];
            observations = after(&observations, action);
            poor.step(action, observations).unwrap();
            rich.step(action, observations).unwrap();
        }
        // Laws too hard even for it are no reference.
        prop_assume!(rich.stats().undecided == 0);
    }
}

/// The number of clusters of an observation and two actions over which laws are drawn.
const CLUSTERS: usize = 3;

/// A law over a cluster, or one that ties it to another.
fn clustered() -> impl Strategy<Value = Formula> {
    let other = prop_oneof![8 => Just(0), 1 => 1..CLUSTERS];
    (0..CLUSTERS, other, 0..10u8).prop_map(|(at, other, kind)| {
        let atom = |name: &str, cluster: usize| Formula::atom(format!("{name}_{}", cluster % CLUSTERS));
        let (here, begin, end) = (atom("obs", at), atom("begin", at), atom("end", at + other));
        match kind {
            0 | 1 => begin.implies(end.finally()).globally(),
            2 => begin.implies(end.not().next()).globally(),
            3 => begin.and(end.finally()).finally(),
            4 => here.implies(begin.not().next()).globally(),
            5 => end.not().weak_until(begin),
            6 => end.implies(here).globally(),
            7 => begin.implies(end.not().next().globally()).globally(),
            8 => here.not().or(end.next()).globally(),
            _ => here.finally(),
        }
    })
}

/// Returns whether an action has a continuation, by all states that all laws reach together; `None` if they are too
/// many.
fn reaches_an_end(shield: &mut Shield, action: ActionId) -> Option<bool> {
    let mut entered = shield.engine();
    let Engine { joint, run, deciding, .. } = &mut *entered;
    let (vocabulary, now) = (joint.vocabulary().clone(), run.now().unwrap());
    let observations: Vec<PropSet> = (0..1u32 << CLUSTERS)
        .map(|bits| (0..CLUSTERS as u16).filter(|at| bits >> at & 1 == 1).map(PropId).collect())
        .collect();
    let mut nodes = vec![(now.states.to_vec(), *now.letter)];
    let mut at = 0;
    while at < nodes.len() {
        let (states, before) = nodes[at].clone();
        let actions: Vec<ActionId> = if at == 0 { vec![action] } else { vocabulary.action_ids().collect() };
        for action in
            actions.into_iter().filter(|action| deciding.all.search.group.masks.allowed(&before).contains(*action))
        {
            let stops = Some(action) == vocabulary.stop();
            for observed in observations.iter().filter(|it| !stops || **it == before.observations(&vocabulary)) {
                let letter = Letter::after(&vocabulary, action, *observed);
                let read = |(position, state): (usize, &_)| joint.read_letter(position, *state, &letter);
                let next: Vec<_> = states.iter().enumerate().map(read).collect();
                if next.iter().all(|state| state.accepts()) {
                    return Some(true);
                }
                if !stops && !nodes[1..].contains(&(next.clone(), letter)) {
                    nodes.push((next, letter));
                }
            }
        }
        at += 1;
        if nodes.len() > 2_000 {
            return None;
        }
    }
    Some(false)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Laws that share nothing are decided apart, whichever do.
    #[test]
    fn decisions_by_parts_are_those_of_all_laws_together(
        formulas in prop::collection::vec(clustered(), 1..8),
        choices in prop::collection::vec((0..100usize, 0..8u8), 0..4),
    ) {
        let clusters = |prefix: &'static str| (0..CLUSTERS).map(move |at| format!("{prefix}_{at}"));
        let builder = Vocabulary::builder("clusters").observations(clusters("obs"));
        let vocabulary = Arc::new(builder.actions(clusters("begin").chain(clusters("end"))).build().unwrap());
        let numbered = |(at, formula): (usize, Formula)| Law::hard(format!("law-{at}"), formula, "");
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
        shield.start(PropSet::EMPTY).unwrap();
        for (choice, observed) in choices {
            let actions: Vec<ActionId> = vocabulary.action_ids().filter(|it| Some(*it) != vocabulary.stop()).collect();
            let observed = (0..CLUSTERS as u16).filter(|at| observed >> at & 1 == 1).map(PropId).collect();
            shield.step(actions[choice % actions.len()], observed).unwrap();
        }
        let decision = shield.decide();
        prop_assert!(decision.undecided.is_empty());
        let mut entered = shield.engine();
    let Engine { joint, run, deciding, .. } = &mut *entered;
        let by_all = deciding.all.search.judge(joint, run.now().unwrap(), &run.here.masked);
        drop(entered);
        for action in vocabulary.action_ids() {
            let expected = reaches_an_end(&mut shield, action);
            prop_assume!(expected.is_some());
            prop_assert_eq!(Some(by_all.allowed.contains(action)), expected, "{}", vocabulary.action_name(action));
        }
    }
}

/// A shield with one action besides stopping explains its block by the conflict, which is found once.
#[test]
fn the_block_of_the_only_action_is_the_conflict() {
    let builder = Vocabulary::builder("one").observations(["wet", "dark"]).action("go");
    let vocabulary = Arc::new(builder.build().unwrap());
    let law = |id: &str, text: &str| Law::hard(id, text.parse().unwrap(), "");
    let laws =
        vec![law("dry", "G(wet -> X !go)"), law("light", "G(dark -> F !dark)"), law("free", "G(dark -> X !wet)")];
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    let (go, stop) = (vocabulary.action("go").unwrap(), vocabulary.stop().unwrap());
    shield.start(vocabulary.set(["wet"]).unwrap()).unwrap();
    let Enforcement::Nothing { conflict, minimal } = shield.decide().enforcement else { panic!("nothing is left") };
    assert_eq!((conflict.as_slice(), minimal), (&[LawId::from("dry")][..], true));
    assert_eq!(shield.judge(go), Judgement::Blocked { laws: conflict, minimal });
    assert_eq!(shield.judge(stop), Judgement::Allowed);
    // Stopping is blocked for what is owed, whatever is left to do.
    shield.start(vocabulary.set(["wet", "dark"]).unwrap()).unwrap();
    let Judgement::Blocked { laws, .. } = shield.judge(stop) else { panic!("stopping is blocked") };
    assert_eq!(laws, [LawId::from("light")]);
}
