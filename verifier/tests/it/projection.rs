//! Letters of the mentioned propositions: judging over them equals judging over the whole catalogue, also one that numbers
//! them past all others.

use std::sync::Arc;

use ltlcrit_verifier::bits::CAPACITY;
use ltlcrit_verifier::{
    ActionId, Formula, Law, Prediction, PropSet, Proposition, Shield, ShieldOptions, Vocabulary, Way,
};
use proptest::prelude::*;

use crate::formulas::formulas;

const OBSERVATIONS: [&str; 4] = ["p", "q", "r", "s"];
const ACTIONS: [&str; 5] = ["a", "b", "c", "d", "e"];

fn law() -> impl Strategy<Value = Formula> {
    prop_oneof![
        2 => formulas(&["p", "q", "r"], 3).prop_map(Formula::globally),
        2 => formulas(&["p", "q", "a", "b", "c", "action_stop"], 3),
        3 => (formulas(&["p", "q", "r"], 2), prop::sample::select(&["a", "b", "c"][..]))
            .prop_map(|(guard, action)| guard.implies(Formula::atom(action).not().next()).globally()),
        1 => (prop::sample::select(&["a", "b"][..]), formulas(&["p", "q", "r"], 1))
            .prop_map(|(action, then)| Formula::atom(action).implies(then.finally()).globally()),
    ]
}

/// Returns the vocabulary of all propositions, and that of the mentioned ones with the other actions as further
/// actions. In the first, this many observations that no law mentions come before the others.
fn vocabularies(laws: &[Law], before: usize) -> (Arc<Vocabulary>, Arc<Vocabulary>) {
    let is_mentioned = |name: &&str| laws.iter().any(|law| law.formula.mentions(name));
    let whole = Vocabulary::builder("whole").observations((0..before).map(|number| format!("unread_{number}")));
    let whole = whole.observations(OBSERVATIONS).actions(ACTIONS).build().unwrap();
    let (letters, further): (Vec<&str>, Vec<&str>) = ACTIONS.into_iter().partition(|name| is_mentioned(name));
    let observations = OBSERVATIONS.into_iter().filter(|name| is_mentioned(name));
    let part = Vocabulary::builder("part").observations(observations).actions(letters).build().unwrap();
    let part = part.with_further(further.into_iter().map(Proposition::from)).unwrap();
    (Arc::new(whole), Arc::new(part))
}

/// Returns the observations with these bits in each vocabulary.
fn both(whole: &Vocabulary, part: &Vocabulary, bits: u8) -> (PropSet, PropSet) {
    let names = OBSERVATIONS.into_iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, name)| name);
    let known: Vec<&str> = names.collect();
    let seen = known.iter().copied().filter(|name| part.id(name).is_some());
    (whole.set(known.iter().copied()).unwrap(), part.set(seen).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn judging_by_what_laws_mention_is_judging_by_everything(
        formulas in prop::collection::vec((law(), any::<bool>()), 1..5),
        steps in prop::collection::vec((0..ACTIONS.len(), 0..16u8, 0..16u8), 1..6),
        predicted in any::<bool>(),
        before in prop_oneof![8 => Just(0usize), 1 => Just(CAPACITY / 2), 1 => Just(CAPACITY - 10)],
    ) {
        let numbered = |(at, (formula, hard)): (usize, (Formula, bool))| match hard || predicted {
            true => Law::hard(format!("law-{at}"), formula, ""),
            false => Law::soft(format!("law-{at}"), formula, ""),
        };
        let laws: Vec<Law> = formulas.into_iter().enumerate().map(numbered).collect();
        let (whole, part) = vocabularies(&laws, before);
        let shield = |vocabulary: &Arc<Vocabulary>| {
            Shield::new(vocabulary.clone(), laws.clone(), ShieldOptions::default()).unwrap()
        };
        let (mut by_all, mut by_part) = (shield(&whole), shield(&part));
        let (now, seen) = both(&whole, &part, 0);
        prop_assert_eq!(by_all.start(now).unwrap(), by_part.start(seen).unwrap());
        for (step, holds, next) in steps {
            let names = ACTIONS.iter().copied().chain(["action_stop"]);
            for name in names {
                let ids = [&whole, &part].map(|vocabulary| vocabulary.action(name).unwrap());
                let letter = part.in_letters(ids[1]);
                if predicted {
                    let (then, seen) = both(&whole, &part, next);
                    let exactly = |then| Way { through: Vec::new(), then: Some(Prediction::exactly(then)) };
                    by_all.predict_ways(ids[0], vec![exactly(then)]);
                    by_part.predict_ways(letter, vec![exactly(seen)]);
                    let judged = [by_all.judge_by_hard_laws(ids[0]), by_part.judge_by_hard_laws(letter)];
                    prop_assert_eq!(&judged[0], &judged[1], "{}", name);
                } else {
                    let judged: [ltlcrit_verifier::Judgement; 2] = [by_all.judge(ids[0]), by_part.judge(letter)];
                    prop_assert_eq!(&judged[0], &judged[1], "{}", name);
                }
            }
            if !predicted {
                let (all, part) = (by_all.decide(), by_part.decide());
                prop_assert_eq!(all.enforcement, part.enforcement);
            }
            let ids: [ActionId; 2] = [&whole, &part].map(|vocabulary| vocabulary.action(ACTIONS[step]).unwrap());
            let (now, seen) = both(&whole, &part, holds);
            prop_assert_eq!(by_all.step(ids[0], now).unwrap(), by_part.step(part.in_letters(ids[1]), seen).unwrap());
            prop_assert_eq!(by_all.verdicts(), by_part.verdicts());
            prop_assert_eq!(by_all.obligations(), by_part.obligations());
        }
    }
}
