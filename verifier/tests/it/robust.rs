//! Robust judgements, compared with every predicted letter.

use std::sync::Arc;

use ltlcrit_verifier::{
    ActionId, AfterBreak, Enforcement, Fallback, Formula, Judgement, Law, Letter, Prediction, PropId, PropSet, Shield,
    ShieldOptions, Vocabulary,
};
use proptest::prelude::*;

use crate::brute::{read, small, states};
use crate::formulas::{atoms, boolean_of, formulas};
use crate::joint::{Run, kept};

const OBSERVATIONS: u16 = 5;
const ACTIONS: u16 = 3;

/// Returns a vocabulary of five observations, the second of which implies the first.
fn vocabulary() -> Arc<Vocabulary> {
    let builder =
        Vocabulary::builder("letters").observations(["p0", "p1", "p2", "p3", "p4"]).actions(["a0", "a1", "a2"]);
    Arc::new(builder.axiom(Formula::atom("p1").implies(Formula::atom("p0"))).build().unwrap())
}

fn observation() -> impl Strategy<Value = Formula> {
    (0..OBSERVATIONS, prop::bool::ANY).prop_map(|(at, holds)| {
        let atom = Formula::atom(format!("p{at}"));
        if holds { atom } else { atom.not() }
    })
}

fn law() -> impl Strategy<Value = Formula> {
    (observation(), observation(), 0..ACTIONS, 0..9u8).prop_map(|(a, b, action, kind)| {
        let action = Formula::atom(format!("a{action}"));
        match kind {
            0 => a.globally(),
            1 => a.or(b).globally(),
            2 => a.implies(b.next()).globally(),
            3 => a.implies(b.finally()).globally(),
            4 => b.weak_until(a),
            5 => a.finally(),
            6 => a.implies(action.not().next()).globally(),
            7 => action.implies(b).globally(),
            _ => a.implies(action.finally()).globally(),
        }
    })
}

fn predictions() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0..32u8, 0..32u8), usize::from(ACTIONS))
}

fn set(bits: u8) -> PropSet {
    (0..OBSERVATIONS).filter(|at| bits >> at & 1 == 1).map(PropId).collect()
}

fn is_legal(observations: &PropSet) -> bool {
    !observations.contains(PropId(1)) || observations.contains(PropId(0))
}

/// Returns whether some continuation of a word, including the empty one, satisfies the laws.
fn goes_on(laws: &[Law], word: &[Letter]) -> bool {
    let mut shield = Shield::new(vocabulary(), laws.to_vec(), ShieldOptions::default()).unwrap();
    let kept = shield.start(word[0].0).unwrap().is_empty();
    kept && word[1..].iter().all(|letter| read(&mut shield, *letter).is_empty())
        && (shield.obligations().is_empty() || !shield.decide().allowed.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_action_is_allowed_if_every_predicted_letter_leaves_the_hard_laws_a_continuation(
        formulas in prop::collection::vec((law(), prop::bool::weighted(0.7)), 1..6),
        steps in prop::collection::vec((predictions(), 0..32u8, 0..ACTIONS), 1..5),
    ) {
        let vocabulary = vocabulary();
        let numbered = |(at, (formula, hard)): (usize, (Formula, bool))| {
            let id = format!("law-{at}");
            if hard { Law::hard(id, formula, "") } else { Law::soft(id, formula, "") }
        };
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let options = ShieldOptions { fallback: Fallback::All, ..ShieldOptions::default() };
        let shield = || Shield::new(vocabulary.clone(), laws.clone(), options.clone()).unwrap();
        let (mut robust, mut cooperative) = (shield(), shield());
        let mut word = vec![Letter::initial(set(0))];
        let mut kept = robust.start(set(0)).unwrap().is_empty();
        cooperative.start(set(0)).unwrap();
        for (predicted, next, action) in steps {
            if !kept {
                break;
            }
            let predicted: Vec<Prediction> = predicted
                .into_iter()
                .map(|(must, may)| Prediction { must: set(must & may), may: set(may) })
                .collect();
            robust.predict(predicted.iter().copied().map(Some).collect());
            let decision = robust.decide();
            let enforced = |law: &Law| law.is_hard() && !decision.relaxed.contains(&law.id);
            let enforced: Vec<Law> = laws.iter().filter(|law| enforced(law)).cloned().collect();
            let is_robust = |action: ActionId| {
                let letters = (0..32u8).map(set).filter(|it| is_legal(it) && predicted[usize::from(action.0)].allows(it));
                letters.into_iter().all(|observations| {
                    let letter = Letter::after(&vocabulary, action, observations);
                    goes_on(&enforced, &[&word[..], &[letter]].concat())
                })
            };
            let by_all = cooperative.decide().allowed;
            let by_hard = cooperative.hard_allowed();
            let base = match decision.enforcement {
                Enforcement::All => by_all,
                _ => by_hard,
            };
            for action in (0..ACTIONS).map(ActionId) {
                let expected = base.contains(action) && is_robust(action);
                prop_assert_eq!(decision.allowed.contains(action), expected, "{:?} {:?}", decision, action);
                match robust.judge(action) {
                    Judgement::Ended => prop_assert!(false, "the run goes on"),
                    Judgement::Allowed => prop_assert!(expected),
                    Judgement::Blocked { laws: named, minimal } => {
                        prop_assert!(!expected && minimal && !named.is_empty());
                        let explanation = robust.explain(action);
                        prop_assert_eq!(explanation.laws.len(), named.len());
                    }
                    Judgement::Undecided { why } => prop_assert!(false, "{why}"),
                }
            }
            // A law is relaxed only if no action is left otherwise.
            if !decision.relaxed.is_empty() {
                let all: Vec<Law> = laws.iter().filter(|law| law.is_hard()).cloned().collect();
                let keeps = |action: ActionId| {
                    let letters = (0..32u8).map(set).filter(|it| is_legal(it) && predicted[usize::from(action.0)].allows(it));
                    letters.into_iter().all(|observations| {
                        goes_on(&all, &[&word[..], &[Letter::after(&vocabulary, action, observations)]].concat())
                    })
                };
                prop_assert!(!(0..ACTIONS).map(ActionId).any(|action| by_hard.contains(action) && keeps(action)));
            }
            let observations = if is_legal(&set(next)) { set(next) } else { set(next | 1) };
            let letter = Letter::after(&vocabulary, ActionId(action), observations);
            word.push(letter);
            let broken = read(&mut robust, letter);
            prop_assert_eq!(&broken, &read(&mut cooperative, letter));
            kept = broken.is_empty();
        }
    }
}

/// Generates goals, guarded laws and laws of any other form.
fn any_law() -> impl Strategy<Value = Formula> {
    let names: &[&str] = &["p", "q", "a", "b", "action_stop"];
    let guarded = (boolean_of(atoms(&["p", "q"]), 2, 4), prop::sample::select(vec!["a", "b", "action_stop"]));
    prop_oneof![
        2 => prop::sample::select(names).prop_map(|name| Formula::atom(name).finally()),
        3 => guarded.prop_map(|(guard, action)| guard.implies(Formula::atom(action).not().next()).globally()),
        4 => formulas(&["p", "q", "a", "b", "action_stop"], 3),
        1 => formulas(&["p", "q"], 2).prop_map(Formula::globally),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests robust laws, relaxation, stopping and soft laws together.
    #[test]
    fn decisions_by_predictions_are_those_of_brute_force(
        formulas in prop::collection::vec((any_law(), prop::bool::weighted(0.7)), 1..6),
        axiom in prop::option::weighted(0.3, boolean_of(atoms(&["p", "q"]), 2, 4)),
        first in 0..4usize,
        steps in prop::collection::vec((prop::collection::vec(prop::option::weighted(0.9, (0..4u8, 0..4u8)), 2), 0..8usize), 1..4),
        budget in 0..300u64,
    ) {
        let vocabulary = Arc::new(small(axiom.into_iter().collect()));
        let states = states(&vocabulary);
        prop_assume!(!states.is_empty());
        let numbered = |(at, (formula, hard)): (usize, (Formula, bool))| {
            let id = format!("law-{at}");
            let law = if hard { Law::hard(id, formula, "") } else { Law::soft(id, formula, "") };
            Law { after_break: AfterBreak::Rearm, ..law }
        };
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let Some(mut brute) = Run::new(&vocabulary, &laws) else { return Ok(()) };
        let mut shield = Shield::new(vocabulary.clone(), laws.clone(), ShieldOptions::default()).unwrap();
        let little = ShieldOptions { budget, raise: 1, explanation_budget: budget, ..ShieldOptions::default() };
        let mut hurried = Shield::new(vocabulary.clone(), laws.clone(), little).unwrap();
        let stop = vocabulary.stop().unwrap();
        let start = states[first % states.len()];
        shield.start(start).unwrap();
        hurried.start(start).unwrap();
        brute.advance(Letter::initial(start));
        for (predicted, next) in steps {
            let prediction = |part: Option<(u8, u8)>| {
                part.map(|(must, may)| Prediction { must: set(must & may), may: set(may) })
            };
            let predictions: Vec<Option<Prediction>> = predicted.into_iter().map(prediction).collect();
            shield.predict(predictions.clone());
            let decision = shield.decide();
            let takes = shield.takes_predictions();
            let is_relaxed = |law: usize| decision.relaxed.contains(&laws[law].id);
            let robustly = |action: ActionId, of: &[usize], relaxing: bool| {
                let robust: Vec<usize> =
                    of.iter().copied().filter(|law| laws[*law].is_hard() && !(relaxing && is_relaxed(*law))).collect();
                let prediction = predictions.get(usize::from(action.0)).copied().flatten().filter(|_| takes);
                // If no law reads more than the current letter, no prediction is needed.
                prediction.is_none_or(|prediction| brute.allowed_robustly(&prediction, action, &robust))
            };
            let allows = |action: ActionId, of: &[usize], relaxing: bool| {
                brute.allowed(action, of) && robustly(action, of, relaxing)
            };
            let all: Vec<usize> = (0..laws.len()).collect();
            let hard: Vec<usize> = all.iter().copied().filter(|law| laws[*law].is_hard()).collect();
            let by = |of: &[usize]| -> Vec<ActionId> {
                // The hard laws are judged robustly, independent of the enforced laws.
                let allowed = |action: &ActionId| brute.allowed(*action, of) && robustly(*action, &hard, true);
                vocabulary.action_ids().filter(allowed).collect()
            };
            let leaves_some = |allowed: &[ActionId]| allowed.iter().any(|action| *action != stop);
            let (by_all, by_hard) = (by(&all), by(&hard));
            let one_by_one = if leaves_some(&by_hard) { kept(&laws, |of| leaves_some(&by(of))) } else { hard.clone() };
            let (expected, enforced) =
                if leaves_some(&by_all) { (by_all, &all) } else { (by(&one_by_one), &one_by_one) };
            prop_assert_eq!(decision.allowed.iter().collect::<Vec<_>>(), expected.clone(), "{:?} {:?}", decision, predictions);
            let is_right = match &decision.enforcement {
                Enforcement::All => leaves_some(&expected) && enforced.len() == laws.len(),
                Enforcement::HardOnly { .. } => leaves_some(&expected) && enforced.len() == hard.len(),
                Enforcement::Suspended { suspended, .. } => {
                    leaves_some(&expected) && enforced.len() + suspended.len() == laws.len() && enforced.len() > hard.len()
                }
                Enforcement::Nothing { .. } => !leaves_some(&expected),
                _ => false,
            };
            prop_assert!(is_right, "{decision:?}");
            // A law is relaxed only if no action is left otherwise.
            if !decision.relaxed.is_empty() {
                prop_assert!(vocabulary.action_ids().all(|action| action == stop || !allows(action, &hard, false)));
            }
            for action in vocabulary.action_ids().filter(|action| !decision.allowed.contains(*action)) {
                let Judgement::Blocked { laws: named, minimal } = shield.judge(action) else {
                    return Err(TestCaseError::fail("blocked by brute force alone"));
                };
                let named: Vec<usize> = named.iter().map(|id| laws.iter().position(|law| law.id == *id).unwrap()).collect();
                prop_assert!(minimal && !allows(action, &named, true), "{named:?} do not block {action:?}");
                // If relaxing laws does not help, no law is reported as relaxed, and the reasons are cooperative ones.
                let nothing = matches!(decision.enforcement, Enforcement::Nothing { .. });
                for &law in named.iter().filter(|_| !nothing) {
                    let rest: Vec<usize> = named.iter().copied().filter(|other| *other != law).collect();
                    prop_assert!(allows(action, &rest, true), "{rest:?} of {named:?} block {action:?}");
                }
            }
            // With little work, unproved actions are undecided: neither allowed nor blocked.
            hurried.predict(predictions.clone());
            let decision = hurried.decide();
            let nothing = matches!(decision.enforcement, Enforcement::Nothing { .. });
            let enforced: Vec<usize> = hard.iter().copied().filter(|law| !decision.relaxed.contains(&laws[*law].id)).collect();
            for action in vocabulary.action_ids() {
                match hurried.judge(action) {
                    Judgement::Allowed => {
                        prop_assert!(brute.allowed(action, &hard) && (nothing || robustly(action, &enforced, false)));
                    }
                    Judgement::Blocked { laws: named, .. } => {
                        let named: Vec<usize> = named.iter().map(|id| laws.iter().position(|law| law.id == *id).unwrap()).collect();
                        prop_assert!(!allows(action, &named, false), "{named:?} do not block {action:?} with {budget}");
                    }
                    Judgement::Undecided { .. } => {}
                    Judgement::Ended => prop_assert!(false, "nothing has ended"),
                }
            }
            let letters: Vec<Letter> = brute.letters.iter().copied().filter(|it| it.action(&vocabulary) != Some(stop)).collect();
            let letter = letters[next % letters.len()];
            read(&mut hurried, letter);
            let broken: Vec<String> = read(&mut shield, letter).iter().map(ToString::to_string).collect();
            let expected: Vec<String> = brute.advance(letter).into_iter().map(|law| format!("law-{law}")).collect();
            prop_assert_eq!(broken, expected);
        }
    }
}

/// Tests twenty open observations, which make a million letters.
#[test]
fn many_open_observations_are_not_enumerated() {
    let names: Vec<String> = (0..20).map(|at| format!("p{at}")).collect();
    let vocabulary = Arc::new(Vocabulary::builder("many").observations(names.clone()).action("go").build().unwrap());
    let mut laws: Vec<Law> = names
        .windows(2)
        .map(|pair| {
            let [a, b] = [&pair[0], &pair[1]].map(|name| Formula::atom(name.clone()));
            Law::hard(format!("{}-answered", pair[0]), a.implies(b.finally()).globally(), "")
        })
        .collect();
    let everything = Prediction { must: PropSet::EMPTY, may: PropSet::first(20) };
    for (last, allowed) in [(None, true), (Some("G !p19"), false)] {
        laws.extend(last.map(|formula| Law::hard("last", formula.parse().unwrap(), "")));
        let mut shield = Shield::new(vocabulary.clone(), laws.clone(), ShieldOptions::default()).unwrap();
        shield.start(PropSet::EMPTY).unwrap();
        shield.predict(vec![Some(everything)]);
        let decision = shield.decide();
        assert_eq!(
            (decision.allowed.contains(ActionId(0)), decision.relaxed.is_empty()),
            (true, allowed),
            "{decision:?}"
        );
    }
}

/// A law that no action can satisfy leaves the others in force.
#[test]
fn only_the_laws_of_a_conflict_are_relaxed() {
    let vocabulary = vocabulary();
    let law = |id: &str, formula: &str| Law::hard(id, formula.parse().unwrap(), "");
    let laws = vec![law("weather", "G !p2"), law("care", "G !p3"), law("must-next", "G(p4 -> X p2)")];
    let mut shield = Shield::new(vocabulary, laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    let may = |bits| Some(Prediction { must: PropSet::EMPTY, may: set(bits) });
    shield.predict(vec![may(0b00100), may(0b01100), may(0b00100)]);
    let decision = shield.decide();
    assert_eq!(decision.relaxed, ["weather".into()]);
    assert_eq!(decision.allowed.iter().map(|action| action.0).collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(shield.judge(ActionId(1)), Judgement::Blocked { laws: vec!["care".into()], minimal: true });
    let why = shield.explain(ActionId(1)).reasons();
    assert_eq!(why, "Law care: G !p3. It may lead to p3.");
    // A prediction holds for one step.
    shield.step(ActionId(0), PropSet::EMPTY).unwrap();
    assert_eq!(shield.decide().allowed.len(), 4);
}
