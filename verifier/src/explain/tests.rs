//! Snapshots of explanations for people, models and programs, and tests that the reasons are true.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::formulas::boolean_of;
use crate::syntax::parse;
use crate::{Formula, Law, Prediction, PropSet, Shield, ShieldOptions, Vocabulary};

fn vocabulary(observations: &[&str], actions: &[&str]) -> Arc<Vocabulary> {
    let (observations, actions) = (observations.iter().copied(), actions.iter().copied());
    Arc::new(Vocabulary::builder("test").observations(observations).actions(actions).build().unwrap())
}

fn mine() -> Arc<Vocabulary> {
    vocabulary(
        &["obs_wood_pickaxe_equipped", "obs_stone_pickaxe_equipped", "obs_near_furnace", "obs_night"],
        &["action_mine_stone", "action_mine_iron", "action_sleep", "action_wait"],
    )
}

fn law(id: &str, strength: Strength, formula: &str, explanation: &str) -> Law {
    let formula = parse(formula).unwrap();
    Law::new(strength, id, formula, explanation)
}

fn shield(vocabulary: &Arc<Vocabulary>, laws: Vec<Law>, observations: &[&str]) -> Shield {
    let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default()).unwrap();
    shield.start(vocabulary.set(observations.iter().copied()).unwrap()).unwrap();
    shield
}

fn shown(shield: &mut Shield, action: &str) -> String {
    let action = shield.vocabulary().action(action).unwrap();
    let explanation = shield.explain(action);
    let json = serde_json::to_string_pretty(&explanation).unwrap();
    assert_eq!(serde_json::from_str::<Explanation>(&json).unwrap(), explanation);
    format!("{explanation}\n--- for models\n{}\n--- json\n{json}\n", explanation.brief())
}

#[test]
fn a_guarded_law() {
    let laws = vec![
        law(
            "iron-needs-stone",
            Strength::Hard,
            "G(!(obs_stone_pickaxe_equipped | obs_near_furnace & !obs_near_furnace) & (obs_night | !obs_night & obs_wood_pickaxe_equipped) -> X !action_mine_iron)",
            "Iron ore drops nothing\n  without a stone pickaxe",
        ),
        law("sleep", Strength::Soft, "G(obs_night -> F action_sleep)", "Sleep at night."),
    ];
    insta::assert_snapshot!(shown(
        &mut shield(&mine(), laws, &["obs_night", "obs_wood_pickaxe_equipped"]),
        "action_mine_iron"
    ));
}

/// The Safety Chip's order constraint with a world that predicts the robot's position.
#[test]
fn an_order_with_predicted_observations() {
    let words = vocabulary(
        &["agent_at(bedroom)", "agent_at(bathroom)", "agent_at(livingroom)"],
        &["action_walk_bedroom", "action_walk_bathroom", "action_walk_livingroom"],
    );
    let laws = vec![
        law(
            "living-first",
            Strength::Hard,
            "!agent_at(bathroom) W agent_at(livingroom)",
            "You have to enter the living room before the bathroom.",
        ),
        law(
            "bedroom-first",
            Strength::Hard,
            "!agent_at(livingroom) W agent_at(bedroom)",
            "You have to enter the bedroom before going into the living room.",
        ),
    ];
    let mut shield = Shield::new(words.clone(), laws, ShieldOptions::default()).unwrap();
    shield.start(PropSet::EMPTY).unwrap();
    let predicted = |action: crate::ActionId| {
        let place = words.action_name(action).strip_prefix("action_walk_")?;
        words.set([format!("agent_at({place})").as_str()]).ok().map(Prediction::exactly)
    };
    shield.predict(words.action_ids().map(predicted).collect());
    insta::assert_snapshot!(shown(&mut shield, "action_walk_bathroom"));
}

#[test]
fn laws_that_block_together() {
    let laws = vec![
        law("answer", Strength::Hard, "G(action_mine_stone -> F action_sleep)", "Rest after mining."),
        law("no-sleep", Strength::Hard, "G !action_sleep", ""),
    ];
    insta::assert_snapshot!(shown(&mut shield(&mine(), laws, &[]), "action_mine_stone"));
}

#[test]
fn stopping_while_something_is_owed() {
    let laws = vec![law("goal", Strength::Soft, "F obs_stone_pickaxe_equipped", "Get a stone pickaxe.")];
    let mut shield = shield(&mine(), laws, &["obs_near_furnace"]);
    insta::assert_snapshot!(shown(&mut shield, "action_stop"));
    assert!(shown(&mut shield, "action_wait").starts_with("action_wait is allowed\nallowed now:"));
}

#[test]
fn an_over_constrained_state() {
    let laws = vec![
        law("stone", Strength::Soft, "G(obs_night -> X action_mine_stone)", "Mine stone at night."),
        law("iron", Strength::Soft, "G(obs_near_furnace -> X action_mine_iron)", "Mine iron near a furnace."),
        law("tool", Strength::Hard, "G(!obs_stone_pickaxe_equipped -> X !action_mine_iron)", "Iron needs stone."),
    ];
    let mut shield = shield(&mine(), laws, &["obs_night", "obs_near_furnace"]);
    insta::assert_snapshot!(shown(&mut shield, "action_mine_iron"));
    let none = vec![law("none", Strength::Hard, "G X action_stop", "Nothing may be done.")];
    shield.replace_laws(none).unwrap();
    insta::assert_snapshot!(shown(&mut shield, "action_wait"));
}

#[test]
fn long_and_odd_explanations_stay_bounded() {
    let text = "ä\n\t ".repeat(5_000);
    let laws = vec![law("long", Strength::Hard, "G X !action_wait", &text)];
    let mut shield = shield(&mine(), laws, &[]);
    let action = shield.vocabulary().action("action_wait").unwrap();
    let brief = shield.explain(action).brief();
    assert!(brief.chars().count() < 500 && brief.lines().count() == 2, "{brief}");
}

fn guards() -> impl Strategy<Value = Formula> {
    boolean_of(prop::sample::select(vec!["o0", "o1", "o2", "o3"]).prop_map(Formula::atom), 4, 12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    /// The law blocks the action for all values of the propositions that are not named as reasons.
    #[test]
    fn the_named_propositions_are_enough(guard in guards(), now in 0u64..16, others in 0u64..16) {
        let words = vocabulary(&["o0", "o1", "o2", "o3"], &["a", "b"]);
        let formula = guard.implies(Formula::atom("a").not().next()).globally();
        let only = Law::hard("only", formula, "");
        let action = words.action("a").unwrap();
        let mut shield = Shield::new(words.clone(), vec![only], ShieldOptions::default()).unwrap();
        shield.start(PropSet::from_words([now, 0, 0, 0])).unwrap();
        let explanation = shield.explain(action);
        prop_assume!(!explanation.judgement.laws().is_empty());
        let mut mixed = PropSet::from_words([others, 0, 0, 0]);
        for reason in explanation.laws[0].because.iter().flat_map(|cause| &cause.literals) {
            let id = words.id(&reason.proposition).unwrap();
            prop_assert_eq!(reason.holds, now >> id.0 & 1 == 1);
            if reason.holds { mixed.insert(id) } else { mixed.remove(id) }
        }
        shield.start(mixed).unwrap();
        prop_assert!(!shield.explain(action).judgement.laws().is_empty());
    }
}
