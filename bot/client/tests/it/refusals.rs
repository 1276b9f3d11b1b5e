//! Every action fails with its reason codes, and a failed action changes nothing.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::vocabulary;

use super::scene::{CENTRE, arena};

#[tokio::test]
async fn not_visible_and_unreachable() {
    let mut scene = arena(Block::Bedrock).await;
    for kind in ["log", "stone", "iron_ore", "coal", "diamond"] {
        assert_eq!(scene.reason(&format!("mine_{kind}")).await, "not_visible");
    }
    scene.put(0, 12, 0, Block::OakLog);
    scene.put(1, 12, 0, Block::CraftingTable);
    scene.sees(&["oak_log", "crafting_table"]).await;
    assert_eq!(scene.reason("mine_log").await, "unreachable");
    scene.give(&[(Item::Cobblestone, 8)]).await;
    assert_eq!(scene.reason("craft_furnace").await, "unreachable");
    assert_eq!(scene.carries(Item::Cobblestone), 8);
}

#[tokio::test]
async fn wrong_tool() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(3, 0, 0, Block::Stone);
    scene.put(0, 0, 3, Block::IronOre);
    scene.put(-3, 0, 0, Block::DiamondOre);
    scene.sees(&["stone", "iron_ore", "diamond_ore"]).await;
    assert_eq!(scene.reason("mine_stone").await, "wrong_tool");
    scene.give(&[(Item::WoodenPickaxe, 1)]).await;
    assert_eq!(scene.reason("mine_stone").await, "wrong_tool", "in the bag is not in the hand");
    scene.does("equip_wood_pickaxe").await;
    assert_eq!(scene.reason("mine_iron_ore").await, "wrong_tool");
    assert_eq!(scene.reason("mine_diamond").await, "wrong_tool");
    assert_eq!(scene.server.block(CENTRE.offset(-3, 0, 0)).unwrap(), Block::DiamondOre);
}

#[tokio::test]
async fn missing_ingredients() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(2, 0, 0, Block::CraftingTable);
    scene.put(3, 0, 0, Block::Furnace);
    scene.sees(&["crafting_table", "furnace"]).await;
    // Every action that needs an item lacks it.
    for action in vocabulary().actions() {
        let name = action.name.trim_start_matches("action_");
        if ["craft", "smelt", "equip", "place"].iter().any(|verb| name.starts_with(verb)) {
            assert_eq!(scene.reason(name).await, "missing_ingredients", "{name}");
        }
    }
}

#[tokio::test]
async fn no_crafting_table_no_furnace_no_fuel() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::SprucePlanks, 3), (Item::Stick, 2), (Item::RawIron, 1)]).await;
    assert_eq!(scene.reason("craft_wooden_pickaxe").await, "no_crafting_table");
    assert_eq!(scene.reason("smelt_iron").await, "no_furnace");
    scene.put(3, 0, 3, Block::CraftingTable);
    scene.put(3, 0, 0, Block::Furnace);
    scene.sees(&["crafting_table", "furnace"]).await;
    scene.does("craft_wooden_pickaxe").await;
    assert_eq!(scene.reason("smelt_iron").await, "no_fuel", "a pickaxe is not for burning");
    assert_eq!((scene.carries(Item::RawIron), scene.carries(Item::WoodenPickaxe)), (1, 1));
}

#[tokio::test]
async fn no_room() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(2, 0, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    scene.give(&[(Item::OakLog, 2), (Item::Sand, 64 * 35)]).await;
    assert_eq!(scene.reason("craft_planks").await, "no_room");
    assert_eq!(scene.carries(Item::OakLog), 2, "the log came back out of the grid");
    scene.give(&[(Item::OakLog, 62)]).await;
    assert_eq!(scene.reason("mine_log").await, "no_room");
    assert_eq!(scene.server.block(CENTRE.offset(2, 0, 0)).unwrap(), Block::OakLog);
}

#[tokio::test]
async fn no_place() {
    let mut scene = arena(Block::Bedrock).await;
    for x in -8..=8 {
        for z in -8..=8 {
            if (x, z) != (0, 0) {
                scene.put(x, -1, z, Block::Air);
            }
        }
    }
    scene.give(&[(Item::CraftingTable, 1)]).await;
    assert_eq!(scene.reason("place_crafting_table").await, "no_place");
    assert_eq!(scene.carries(Item::CraftingTable), 1);
}

#[tokio::test]
async fn already_equipped_and_already_in_sight() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::IronPickaxe, 1)]).await;
    scene.does("equip_iron_pickaxe").await;
    assert_eq!(scene.reason("equip_iron_pickaxe").await, "already_equipped");
    scene.put(0, 0, 5, Block::DeepslateDiamondOre);
    scene.sees(&["deepslate_diamond_ore"]).await;
    assert_eq!(scene.reason("explore_diamond_down").await, "already_in_sight");
}

#[tokio::test]
async fn no_way() {
    let mut scene = arena(Block::Bedrock).await;
    for x in -1..=1 {
        for z in -1..=1 {
            for y in 0..=3 {
                if (x, z) != (0, 0) || y == 3 {
                    scene.put(x, y, z, Block::Bedrock);
                }
            }
        }
    }
    // This is seen last, so everything else has been seen.
    scene.put(0, 2, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    assert_eq!(scene.reason("explore_diamond_down").await, "no_way");
    assert_eq!(scene.reason("explore_general").await, "no_way");
}

/// An item that drops into lava is lost, and the player keeps away from the lava.
#[tokio::test]
async fn drop_lost_beside_lava() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(3, -2, 0, Block::Bedrock);
    scene.put(3, -1, 0, Block::Lava);
    scene.put(3, 0, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    let reason = scene.reason("mine_log").await;
    assert!(["drop_lost", "nothing_dropped"].contains(&reason.as_str()), "{reason}");
    assert_eq!((scene.carries(Item::OakLog), scene.world.deaths()), (0, 0));
    assert_eq!(scene.look().await.health, 20.0);
}
