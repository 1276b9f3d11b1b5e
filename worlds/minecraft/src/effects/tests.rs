use ltlcrit_worlds::Details;

use super::*;
use crate::observation::{BlockPos, PlacedBlock, Sighting};

/// The observation of a player that carries these items and stands beside a table, a furnace and a log.
fn full(items: &[(Item, u32)], hand: Option<Item>) -> MinecraftObservation {
    let sighting = Sighting { count: 1, nearest: BlockPos::new(0, 64, 0), distance: 1.0 };
    MinecraftObservation {
        position: BlockPos::new(0, 64, 0),
        biome: "plains".to_owned(),
        tick: 0,
        health: 20.0,
        hunger: 20.0,
        inventory: items.iter().map(|(item, count)| (item.name().to_owned(), *count)).collect(),
        equipped: hand.map(|item| item.name().to_owned()),
        nearby: ["crafting_table", "furnace", "oak_log"].map(|block| (block.to_owned(), sighting)).into(),
        hazards: [].into(),
        head_in_water: false,
        air: 300,
        furnace_fire: 0,
        placed: Vec::new(),
        remembered: Vec::new(),
        tools: [].into(),
    }
}

/// Names of the propositions that certainly or possibly hold after an action, without those that may always change.
fn predicted(items: &[(Item, u32)], hand: Option<Item>, action: &str, setting: Setting) -> (Vec<String>, Vec<String>) {
    predicted_from(&full(items, hand), action, setting)
}

fn predicted_from(full: &MinecraftObservation, action: &str, setting: Setting) -> (Vec<String>, Vec<String>) {
    let observation = Observation { holds: propositions(full), details: Details::new(full.clone()) };
    let vocabulary = vocabulary();
    let prediction = outlook(&observation, setting).predict(vocabulary.action(action).unwrap()).unwrap();
    assert!(prediction.allows(&observation.holds), "an action may fail");
    let names = |set: PropSet| -> Vec<String> {
        vocabulary.names(&set.difference(&props(SURROUNDINGS))).into_iter().map(str::to_owned).collect()
    };
    (names(prediction.must), names(prediction.may))
}

#[test]
fn mining_a_log_yields_a_log_at_most() {
    let (must, may) = predicted(&[], None, "action_mine_log", Setting::Embedded);
    assert_eq!((must, may), (vec![], vec!["obs_has_log".to_owned()]));
    let (must, may) = predicted(&[], None, "action_mine_diamond", Setting::Embedded);
    assert_eq!((must, may), (vec![], vec![]), "not with a bare hand");
}

/// A player on the way to ore or down takes along what it would miss: a table by hand, a furnace with a pickaxe.
#[test]
fn a_table_and_a_furnace_may_be_taken_along() {
    let (table, furnace) = ("obs_has_crafting_table".to_owned(), "obs_has_furnace".to_owned());
    let pickaxe = (Item::StonePickaxe, 1);
    for (items, hand, action, [takes_table, takes_furnace]) in [
        (vec![pickaxe], Some(Item::StonePickaxe), "action_mine_iron_ore", [true, true]),
        (vec![pickaxe], None, "action_explore_diamond_down", [true, false]),
        (vec![pickaxe, (Item::OakLog, 1)], Some(Item::StonePickaxe), "action_mine_coal", [false, true]),
        (vec![pickaxe, (Item::IronIngot, 3)], Some(Item::StonePickaxe), "action_mine_coal", [true, false]),
        (vec![pickaxe, (Item::IronPickaxe, 1)], Some(Item::StonePickaxe), "action_mine_coal", [false, false]),
    ] {
        let (must, may) = predicted(&items, hand, action, Setting::Embedded);
        assert_eq!([may.contains(&table), may.contains(&furnace)], [takes_table, takes_furnace], "{items:?} {action}");
        assert!(!must.contains(&table) && !must.contains(&furnace));
    }
}

/// A furnace out of sight is also taken along if the path may pass it.
#[test]
fn a_furnace_known_on_the_way_may_be_taken_along() {
    let mut full = full(&[(Item::StonePickaxe, 1)], Some(Item::StonePickaxe));
    let nearest = BlockPos::new(7, 64, 0);
    full.nearby = [("stone".to_owned(), Sighting { count: 1, nearest, distance: 7.0 })].into();
    for (x, taken) in [(35, true), (300, false)] {
        let position = BlockPos::new(x, 64, 0);
        full.placed = vec![PlacedBlock { block: "furnace".to_owned(), position, distance: f64::from(x) }];
        let (_, may) = predicted_from(&full, "action_mine_stone", Setting::Embedded);
        assert_eq!(may.contains(&"obs_has_furnace".to_owned()), taken, "{x} blocks away");
    }
}

#[test]
fn crafting_changes_the_recipes_items_or_nothing() {
    let cobble = [(Item::Cobblestone, 8), (Item::CobbledDeepslate, 8), (Item::Diamond, 1)];
    let (must, may) = predicted(&cobble, None, "action_craft_furnace", Setting::Embedded);
    assert_eq!(must, ["obs_has_diamond"], "walls may take stone on the way to the table");
    let stones = ["obs_has_3x_cobble", "obs_has_8x_cobble", "obs_has_11x_cobble"];
    assert_eq!(may, [&stones[..], &["obs_has_diamond", "obs_has_furnace"]].concat());
    let (_, may) = predicted(&[(Item::Cobblestone, 7)], None, "action_craft_furnace", Setting::Embedded);
    assert_eq!(may, ["obs_has_3x_cobble"], "there are too few");
    let planks = [(Item::OakPlanks, 3), (Item::BirchPlanks, 3)];
    let (must, _) = predicted(&planks, None, "action_craft_stick", Setting::Embedded);
    assert_eq!(must, ["obs_has_plank", "obs_has_2x_plank", "obs_has_3x_plank", "obs_has_4x_plank"]);
}

#[test]
fn a_tool_may_break_and_come_into_the_hand() {
    let tools = [(Item::WoodenPickaxe, 1), (Item::StonePickaxe, 1)];
    let (must, may) = predicted(&tools, Some(Item::WoodenPickaxe), "action_mine_stone", Setting::Embedded);
    assert_eq!(must, ["obs_has_stone_pickaxe"]);
    assert!(may.contains(&"obs_wood_pickaxe_equipped".to_owned()));
    assert!(!may.contains(&"obs_stone_pickaxe_equipped".to_owned()));
    let (must, may) = predicted(&tools, Some(Item::WoodenPickaxe), "action_equip_stone_pickaxe", Setting::Embedded);
    assert_eq!(must, ["obs_has_wood_pickaxe", "obs_has_stone_pickaxe"]);
    assert_eq!(may[2..], ["obs_stone_pickaxe_equipped", "obs_wood_pickaxe_equipped"]);
}

#[test]
fn whoever_dies_on_a_server_has_nothing_left() {
    let (must, may) = predicted(&[(Item::Diamond, 1)], None, "action_explore_general", Setting::Server);
    assert_eq!((must, may), (vec![], ["obs_has_diamond", "obs_has_crafting_table"].map(str::to_owned).to_vec()));
    let (must, may) = predicted(&[(Item::Diamond, 1)], None, "action_stop", Setting::Server);
    assert_eq!(must, may, "stopping changes nothing");
}
