//! Robust judgements, held against every letter that is predicted.

use std::sync::Arc;

use ltlcrit_verifier::{
    ActionId, Enforcement, Explanation, Formula, Judgement, Law, Letter, Prediction, PropId, PropSet, Shield,
    ShieldOptions, Vocabulary,
};
use proptest::prelude::*;

use crate::brute::read;

const OBSERVATIONS: u16 = 5;
const ACTIONS: u16 = 3;

/// Five observations, the second of which implies the first.
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

/// Whether some continuation of a word, be it empty, satisfies the laws.
fn goes_on(laws: &[Law], word: &[Letter]) -> bool {
    let mut shield = Shield::new(vocabulary(), laws.to_vec(), ShieldOptions::default()).unwrap();
    let kept = shield.start(word[0].0).unwrap().is_empty();
    kept && word[1..].iter().all(|letter| read(&mut shield, *letter).is_empty())
        && (shield.obligations().is_empty() || !shield.allowed_by_all().is_empty())
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
        let shield = || Shield::new(vocabulary.clone(), laws.clone(), ShieldOptions::default()).unwrap();
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
            let by_all = cooperative.allowed_by_all();
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
                        let explanation = Explanation::new(&mut robust, action);
                        prop_assert_eq!(explanation.laws.len(), named.len());
                    }
                    Judgement::Undecided { why } => prop_assert!(false, "{why}"),
                }
            }
            // Something is relaxed only where nothing else is left.
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

/// Twenty open observations, a million letters.
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

/// A law that nothing can keep leaves the others in force.
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
    let why = Explanation::new(&mut shield, ActionId(1)).reasons();
    assert_eq!(why, "Law care: G !p3. It may lead to p3.");
    // What was predicted holds for one step.
    shield.step(ActionId(0), PropSet::EMPTY).unwrap();
    assert_eq!(shield.decide().allowed.len(), 4);
}
