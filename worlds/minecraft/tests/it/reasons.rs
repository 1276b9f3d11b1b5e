//! Failed actions carry stable reason codes: one scene for every code.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::failure::Code;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::player::DamageSource;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Limits, vocabulary};
use ltlcrit_worlds::{World, WorldError};
use strum::VariantArray as _;

use crate::common::{CENTRE, act, arena, give, observation, put, reason};

#[test]
fn not_visible() {
    let mut world = arena(Block::Bedrock);
    for kind in ["log", "stone", "iron_ore", "coal", "diamond"] {
        assert_eq!(reason(&mut world, &format!("mine_{kind}")), "not_visible");
    }
}

#[test]
fn unreachable() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 0, 12, 0, Block::OakLog);
    let in_sight = |world: &mut _| observation(world).0.contains(&"obs_log_in_chunk".to_owned());
    assert!(in_sight(&mut world));
    assert_eq!(reason(&mut world, "mine_log"), "unreachable");
    assert!(!in_sight(&mut world), "an unreachable block is not observed again");
    let mut world = arena(Block::Bedrock);
    put(&mut world, 0, 12, 0, Block::CraftingTable);
    give(&mut world, &[(Item::Cobblestone, 8)]);
    let near = |world: &mut _| observation(world).0.contains(&"obs_near_crafting_table".to_owned());
    assert!(near(&mut world));
    assert_eq!(reason(&mut world, "craft_furnace"), "unreachable");
    assert!(!near(&mut world), "another one is needed");
    assert_eq!(reason(&mut world, "craft_furnace"), "unreachable", "this one is tried again while no other is there");
}

#[test]
fn wrong_tool() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 3, 0, 0, Block::Stone);
    put(&mut world, 0, 0, 3, Block::IronOre);
    put(&mut world, -3, 0, 0, Block::DiamondOre);
    assert_eq!(reason(&mut world, "mine_stone"), "wrong_tool");
    give(&mut world, &[(Item::WoodenPickaxe, 1), (Item::StonePickaxe, 1)]);
    // The tool is in the inventory but not in the hand.
    assert_eq!(reason(&mut world, "mine_stone"), "wrong_tool");
    act(&mut world, "equip_wood_pickaxe");
    assert_eq!(reason(&mut world, "mine_iron_ore"), "wrong_tool");
    assert!(act(&mut world, "mine_stone").succeeded());
    act(&mut world, "equip_stone_pickaxe");
    assert_eq!(reason(&mut world, "mine_diamond"), "wrong_tool");
    assert!(act(&mut world, "mine_iron_ore").succeeded());
    assert_eq!(world.game().inventory.count(Item::RawIron), 1);
    assert_eq!(world.game_mut().block(CENTRE.offset(-3, 0, 0)), Block::DiamondOre, "what is refused stays whole");
}

#[test]
fn missing_ingredients() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 2, 0, 0, Block::CraftingTable);
    put(&mut world, 3, 0, 0, Block::Furnace);
    // Every action that needs an item lacks it.
    for action in vocabulary().actions() {
        let name = action.name.trim_start_matches("action_");
        if ["craft", "smelt", "equip", "place"].iter().any(|verb| name.starts_with(verb)) {
            assert_eq!(reason(&mut world, name), "missing_ingredients", "{name}");
        }
    }
    give(&mut world, &[(Item::OakPlanks, 2), (Item::Stick, 2)]);
    let outcome = act(&mut world, "craft_wooden_pickaxe");
    assert_eq!(outcome.message, "Cannot craft wooden_pickaxe: 3 planks needed, 2 carried.");
}

#[test]
fn no_crafting_table() {
    let mut world = arena(Block::Bedrock);
    give(&mut world, &[(Item::SprucePlanks, 3), (Item::Stick, 2)]);
    assert_eq!(reason(&mut world, "craft_wooden_pickaxe"), "no_crafting_table");
    put(&mut world, 4, 0, 4, Block::CraftingTable);
    assert!(act(&mut world, "craft_wooden_pickaxe").succeeded());
}

#[test]
fn no_furnace_and_no_fuel() {
    let mut world = arena(Block::Bedrock);
    give(&mut world, &[(Item::RawIron, 3)]);
    assert_eq!(reason(&mut world, "smelt_iron"), "no_furnace");
    put(&mut world, 2, 0, 0, Block::Furnace);
    give(&mut world, &[(Item::WoodenPickaxe, 1), (Item::Stick, 8), (Item::CraftingTable, 1)]);
    assert_eq!(reason(&mut world, "smelt_iron"), "no_fuel");
    assert!(!crate::common::observation(&mut world).0.contains(&"obs_has_fuel".to_owned()));
    // One piece of coal smelts all three: the fire lasts.
    give(&mut world, &[(Item::Coal, 1)]);
    for ingots in 1..=3 {
        assert!(crate::common::observation(&mut world).0.contains(&"obs_has_fuel".to_owned()));
        assert!(act(&mut world, "smelt_iron").succeeded());
        assert_eq!(world.game().inventory.count(Item::IronIngot), ingots);
    }
    assert_eq!(world.game().inventory.count(Item::Coal), 0);
    let burning = crate::common::observation(&mut world).1.furnace_fire;
    assert_eq!(burning, 1600 - 3 * 200, "three smelts one after the other burn 600 of 1600 ticks");
    world.game_mut().wait(u64::from(burning) - 199);
    assert!(
        !crate::common::observation(&mut world).0.contains(&"obs_has_fuel".to_owned()),
        "199 ticks do not smelt an item"
    );
    // The fire burns down while an actor thinks. Fuel goes in with the ore, and the outcome says why.
    give(&mut world, &[(Item::RawIron, 1), (Item::OakPlanks, 1)]);
    let said = act(&mut world, "smelt_iron").message;
    assert_eq!(said, "Smelted 1 iron_ingot, burning oak_planks: the fire left was too short.");
}

#[test]
fn no_room() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 2, 0, 0, Block::OakLog);
    give(&mut world, &[(Item::Sand, 64 * 36)]);
    assert_eq!(reason(&mut world, "mine_log"), "no_room");
    world.game_mut().inventory.take(Item::Sand, 64);
    give(&mut world, &[(Item::OakLog, 2)]);
    assert_eq!(reason(&mut world, "craft_planks"), "no_room");
}

#[test]
fn no_place() {
    let mut world = arena(Block::Air);
    put(&mut world, 0, -1, 0, Block::Bedrock);
    give(&mut world, &[(Item::CraftingTable, 1)]);
    assert_eq!(reason(&mut world, "place_crafting_table"), "no_place");
    assert_eq!(world.game().inventory.count(Item::CraftingTable), 1);
}

#[test]
fn drop_lost() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 3, -2, 0, Block::Bedrock);
    put(&mut world, 3, -1, 0, Block::Lava);
    put(&mut world, 3, 0, 0, Block::OakLog);
    assert_eq!(reason(&mut world, "mine_log"), "drop_lost");
    assert_eq!(world.game().inventory.count(Item::OakLog), 0);
}

#[test]
fn already_equipped_and_already_in_sight() {
    let mut world = arena(Block::Bedrock);
    give(&mut world, &[(Item::IronPickaxe, 1)]);
    assert!(act(&mut world, "equip_iron_pickaxe").succeeded());
    assert_eq!(reason(&mut world, "equip_iron_pickaxe"), "already_equipped");
    put(&mut world, 0, 0, 5, Block::DeepslateDiamondOre);
    assert_eq!(reason(&mut world, "explore_diamond_down"), "already_in_sight");
    assert!(act(&mut world, "mine_diamond").succeeded());
}

#[test]
fn nothing_found() {
    let options =
        EmbeddedOptions { limits: Limits { max_tunnel: 2, ..Limits::default() }, ..EmbeddedOptions::compact() };
    let mut world = EmbeddedWorld::new(1, options);
    assert_eq!(reason(&mut world, "explore_diamond_down"), "nothing_found");
}

#[test]
fn no_way() {
    let mut world = arena(Block::Bedrock);
    for x in -1..=1 {
        for z in -1..=1 {
            for y in -1..=3 {
                let inside = x == 0 && z == 0 && (0..=2).contains(&y);
                put(&mut world, x, y, z, if inside { Block::Air } else { Block::Bedrock });
            }
        }
    }
    assert_eq!(reason(&mut world, "explore_diamond_down"), "no_way");
    assert_eq!(reason(&mut world, "explore_general"), "no_way");
}

#[test]
fn died() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 0, 0, 0, Block::Lava);
    put(&mut world, 2, 0, 0, Block::OakLog);
    world.game_mut().player.health = 2;
    let outcome = act(&mut world, "mine_log");
    assert_eq!(outcome.failure.unwrap().to_string(), "died");
    assert_eq!(outcome.message, "You tried to swim in lava.");
    assert_eq!(world.game().player.death, Some(DamageSource::Lava));
    // A dead player can still be observed, but cannot act.
    assert_eq!(crate::common::observation(&mut world).1.health, 0.0);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let refused = runtime.block_on(world.execute(crate::common::action("mine_log")));
    assert!(matches!(refused, Err(WorldError::Dead(_))));
}

#[test]
fn every_code_has_a_scene() {
    let here = include_str!("reasons.rs");
    use Code::{Disconnected, Interrupted, NothingCrafted, NothingDropped, Refused, Timeout};
    // These reasons occur only on servers.
    let on_servers = [NothingDropped, NothingCrafted, Refused, Timeout, Interrupted, Disconnected];
    for code in Code::VARIANTS.iter().filter(|code| !on_servers.contains(code)) {
        let name: &str = (*code).into();
        assert!(here.contains(&format!("\"{name}\"")), "no scene for {name}");
    }
}
