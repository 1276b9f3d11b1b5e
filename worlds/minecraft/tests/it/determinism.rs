//! The same seed, options and actions give the same bytes.

use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Limits, Sight, vocabulary};
use ltlcrit_verifier::ActionId;
use proptest::prelude::*;

use crate::common::action;

/// The FNV-1a hash of a text, in hexadecimal.
fn fingerprint(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    format!("{hash:016x}")
}

/// All observations and outcomes of a run, as stored.
fn record(world: &mut EmbeddedWorld, actions: impl IntoIterator<Item = ActionId>) -> String {
    let mut text = serde_json::to_string(&world.look()).unwrap();
    for action in actions {
        let Ok(outcome) = world.act(action) else { break };
        text.push_str(&serde_json::to_string(&outcome).unwrap());
        text.push_str(&serde_json::to_string(&world.look()).unwrap());
    }
    text
}

/// The actions and outcomes of an episode of the scripted policy.
fn episode(seed: u64, options: EmbeddedOptions) -> String {
    let mut world = EmbeddedWorld::new(seed, options);
    let mut policy = Policy::default();
    let mut last = None;
    let mut lines = String::new();
    let mut bytes = String::new();
    for step in 1..100 {
        let observation = world.look();
        bytes.push_str(&serde_json::to_string(&observation).unwrap());
        let Some(action) = policy.next(&observation, last.as_ref()) else { break };
        let outcome = world.act(action).unwrap();
        bytes.push_str(&serde_json::to_string(&outcome).unwrap());
        lines.push_str(&format!("{step:2} {} -> {}\n", vocabulary().action_name(action), outcome.message));
        last = Some(outcome);
    }
    format!("{lines}all observations and outcomes: {} bytes, {}\n", bytes.len(), fingerprint(&bytes))
}

#[test]
fn an_episode_in_the_default_world_stays_as_it_is() {
    insta::assert_snapshot!(episode(7, EmbeddedOptions::default()));
}

#[test]
fn an_episode_in_the_compact_world_stays_as_it_is() {
    insta::assert_snapshot!(episode(7, EmbeddedOptions::compact()));
}

#[test]
fn a_beginning_reads_well() {
    insta::assert_snapshot!(EmbeddedWorld::new(7, EmbeddedOptions::default()).look());
}

#[test]
fn seeds_differ() {
    let first = |seed| serde_json::to_string(&EmbeddedWorld::new(seed, EmbeddedOptions::default()).look()).unwrap();
    assert_ne!(first(1), first(2));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_actions_replay_to_the_same_bytes(
        seed in 0u64..1000,
        loaded: bool,
        compact: bool,
        actions in prop::collection::vec(0u16..21, 0..40),
    ) {
        let preset = if compact { EmbeddedOptions::compact() } else { EmbeddedOptions::default() };
        let options = EmbeddedOptions { limits: Limits { sight: if loaded { Sight::Loaded } else { Sight::Exposed }, ..Limits::default() }, ..preset };
        let run = || record(&mut EmbeddedWorld::new(seed, options), actions.iter().copied().map(ActionId));
        prop_assert_eq!(run(), run());
        // It makes no difference how often the world is looked at.
        let (mut seen, mut unseen) = (EmbeddedWorld::new(seed, options), EmbeddedWorld::new(seed, options));
        record(&mut seen, actions.iter().copied().map(ActionId));
        for action in actions {
            if unseen.act(ActionId(action)).is_err() {
                break;
            }
        }
        prop_assert_eq!(serde_json::to_string(&seen.look()).unwrap(), serde_json::to_string(&unseen.look()).unwrap());
    }
}

/// The order in which places are generated does not change the world.
#[test]
fn the_order_of_generation_does_not_matter() {
    let mut straight = EmbeddedWorld::new(3, EmbeddedOptions::default());
    let mut detour = EmbeddedWorld::new(3, EmbeddedOptions::default());
    for step in 0..400 {
        let away = straight.game().player.feet.offset(step % 20 * 9 - 90, -(step % 60), step / 20 * 9 - 90);
        detour.game_mut().block(away);
    }
    let actions = ["mine_log", "craft_planks", "explore_general", "explore_diamond_down"].map(action);
    assert_eq!(record(&mut straight, actions), record(&mut detour, actions));
}
