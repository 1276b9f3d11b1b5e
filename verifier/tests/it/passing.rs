//! Actions with intermediate states, compared with the definition.

use std::sync::Arc;

use ltlcrit_verifier::{
    ActionId, Formula, Judgement, Law, Letter, Prediction, PropId, PropSet, Shield, ShieldOptions, Vocabulary, Way,
};
use proptest::prelude::*;

use crate::brute::small;
use crate::formulas::formulas;
use crate::joint::Run;

fn set(bits: u8) -> PropSet {
    (0..2u16).filter(|at| bits >> at & 1 == 1).map(PropId).collect()
}

fn law() -> impl Strategy<Value = Formula> {
    prop_oneof![
        3 => formulas(&["p", "q"], 3),
        2 => formulas(&["p", "q"], 2).prop_map(Formula::globally),
        2 => formulas(&["p", "q", "a", "b", "action_stop"], 3),
        1 => prop::sample::select(&["a", "b"][..]).prop_map(|action| {
            Formula::atom("p").implies(Formula::atom(action).not().next()).globally()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// An action is allowed iff, after all its intermediate states and its last letter, the end or some continuation of
    /// the run satisfies the laws. An allowed action breaks nothing when it is executed.
    #[test]
    fn an_action_is_judged_by_all_that_it_passes_through(
        formulas in prop::collection::vec(law(), 1..4),
        steps in prop::collection::vec((0..2u16, prop::collection::vec(0..4u8, 0..4), 0..4u8), 1..4),
    ) {
        let vocabulary = Arc::new(small(Vec::new()));
        let numbered = |(at, formula): (usize, Formula)| Law::hard(format!("law-{at}"), formula, "");
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let Some(mut brute) = Run::new(&vocabulary, &laws) else { return Ok(()) };
        let all: Vec<usize> = (0..laws.len()).collect();
        let mut shield = Shield::new(vocabulary.clone(), laws.clone(), ShieldOptions::default()).unwrap();
        if !shield.start(PropSet::EMPTY).unwrap().is_empty() {
            return Ok(());
        }
        brute.word.push(Letter::initial(PropSet::EMPTY));
        for (number, (action, through, last)) in steps.into_iter().enumerate() {
            let (action, last) = (ActionId(action), set(last));
            let through: Vec<PropSet> = through.into_iter().map(set).collect();
            let before = brute.word.len();
            brute.word.extend(through.iter().map(|passed| Letter::after(&vocabulary, action, *passed)));
            let wanted = match through.is_empty() {
                // By letters alone, a law that reads nothing after the action needs no prediction.
                true => brute.allowed(action, &all)
                    && (!shield.takes_predictions() || brute.allowed_robustly(&Prediction::exactly(last), action, &all)),
                false => brute.allowed_robustly(&Prediction::exactly(last), action, &all),
            };
            let mut predictions = vec![None, None];
            predictions[usize::from(action.0)] = Some(Prediction::exactly(last));
            shield.predict(predictions);
            if !through.is_empty() {
                let then = Some(Prediction::exactly(last));
                shield.predict_ways(action, vec![Way { through: through.clone(), then }]);
            }
            let judgement = shield.judge_by_hard_laws(action);
            prop_assert_eq!(judgement.is_allowed(), wanted, "{:?} {:?} {:?}", judgement, through, last);
            if !wanted {
                let explanation = shield.explain_by_hard_laws(action);
                prop_assert_eq!(explanation.step, number);
                return Ok(());
            }
            for passed in &through {
                prop_assert!(shield.go_through(action, *passed).unwrap().is_empty());
            }
            prop_assert!(shield.step(action, last).unwrap().is_empty());
            brute.word.push(Letter::after(&vocabulary, action, last));
            prop_assert_eq!(shield.letter_number(), before + through.len());
        }
    }
}

/// An action that stands for others is allowed if one of their ways is; each of them is judged by its own, in any order.
#[test]
fn an_action_that_may_go_either_way_is_allowed_if_one_is() {
    let flat = Vocabulary::builder("flat").observations(["hall", "bath"]).actions(["go", "rest"]).build().unwrap();
    let flat = Arc::new(flat);
    let law = Law::hard("no-hall", "G !hall".parse().unwrap(), "Stay out of the hall.");
    let mut shield = Shield::new(flat.clone(), vec![law], ShieldOptions::default()).unwrap();
    let (go, in_bath) = (flat.action("go").unwrap(), flat.set(["bath"]).unwrap());
    let through = |passed: &[&str]| Way {
        through: passed.iter().map(|name| flat.set([*name]).unwrap()).collect(),
        then: Some(Prediction::exactly(in_bath)),
    };
    let (direct, by_hall) = (through(&[]), through(&["hall"]));
    shield.start(PropSet::EMPTY).unwrap();
    for (ways, allowed) in [(vec![by_hall.clone()], false), (vec![by_hall.clone(), direct.clone()], true)] {
        shield.predict(vec![None, Some(Prediction::exactly(in_bath))]);
        shield.predict_ways(go, ways);
        for _ in 0..2 {
            assert_eq!(shield.decide().allowed.contains(go), allowed);
            assert!(shield.judge_way(go, &direct).is_allowed());
            let blocked = Judgement::Blocked { laws: vec!["no-hall".into()], minimal: true };
            assert_eq!(shield.judge_way(go, &by_hall), blocked);
            assert_eq!(shield.judge_way_by_hard_laws(go, &by_hall), blocked);
            assert!(shield.allows_way(go, &direct, true) && !shield.allows_way(go, &by_hall, false));
            let explanation = shield.explain_way(go, &by_hall, false);
            assert_eq!(explanation.judgement, blocked);
            assert_eq!(explanation.passes_through.len(), 1);
        }
    }
}
