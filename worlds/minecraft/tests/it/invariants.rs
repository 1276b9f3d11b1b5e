//! Having an iron ingot does not imply having a wooden pickaxe.

use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, vocabulary};
use ltlcrit_verifier::Axiom;
use ltlcrit_worlds::Outcome;

use crate::common::{act, observation};

/// Tools wear out: iron is mined and smelted, then stone is mined until the wooden pickaxe breaks.
#[test]
fn iron_ingots_do_not_imply_a_wooden_pickaxe() {
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions::default());
    let (mut policy, mut last): (_, Option<Outcome>) = (Policy::default(), None);
    let carries = |world: &mut EmbeddedWorld, item: &str| world.look().inventory.contains_key(item);
    while !carries(&mut world, "iron_ingot") {
        let action = policy.next(&world.look(), last.as_ref()).unwrap();
        last = Some(world.act(action).unwrap());
    }
    assert!(carries(&mut world, "wooden_pickaxe") && act(&mut world, "equip_wood_pickaxe").succeeded());
    for _ in 0..100 {
        if !carries(&mut world, "wooden_pickaxe") {
            break;
        }
        if !act(&mut world, "mine_stone").succeeded() {
            act(&mut world, "explore_diamond_down");
        }
    }
    let (names, _) = observation(&mut world);
    let holds = vocabulary().set(names.iter().map(String::as_str)).unwrap();
    assert!(names.iter().any(|name| name == "obs_has_iron_ingot"));
    assert!(names.iter().all(|name| name != "obs_has_wood_pickaxe"));
    assert_eq!(vocabulary().broken_axiom(&holds), None);

    // The state contradicts a vocabulary that declares the implication.
    let vocabulary = vocabulary();
    let wrong = Axiom::new("obs_has_iron_ingot -> obs_has_wood_pickaxe".parse().unwrap()).because("Mining takes it.");
    let wrong = ltlcrit_verifier::Vocabulary::new(
        "minecraft",
        vocabulary.observations().to_vec(),
        vocabulary.actions().to_vec(),
        [vocabulary.axioms().to_vec(), vec![wrong.clone()]].concat(),
    );
    let broken = wrong.unwrap().broken_axiom(&holds).map(Axiom::quoted);
    assert_eq!(broken.as_deref(), Some("`obs_has_iron_ingot -> obs_has_wood_pickaxe` (Mining takes it)"));
}
