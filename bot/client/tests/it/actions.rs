//! Every action succeeds.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::planner::Policy;
use ltlcrit_worlds::World;

use super::scene::{CENTRE, Clock, NAME, Scene, arena, client_options, meadow, server_options};

#[tokio::test]
async fn mines_with_what_is_in_the_hand_and_picks_up() {
    let mut scene = arena(Block::Bedrock).await;
    for (x, block) in [(4, Block::OakLog), (-4, Block::Stone), (-5, Block::DeepslateDiamondOre)] {
        scene.put(x, 0, 0, block);
    }
    scene.put(0, 0, 5, Block::DeepslateIronOre);
    scene.put(0, 0, -5, Block::CoalOre);
    scene.sees(&["oak_log", "stone", "deepslate_diamond_ore", "deepslate_iron_ore", "coal_ore"]).await;
    assert_eq!(scene.does("mine_log").await, "Mined 1 oak_log.");
    scene.give(&[(Item::IronPickaxe, 1)]).await;
    scene.does("equip_iron_pickaxe").await;
    scene.does("mine_stone").await;
    scene.does("mine_iron_ore").await;
    scene.does("mine_coal").await;
    scene.does("mine_diamond").await;
    for item in [Item::OakLog, Item::Cobblestone, Item::RawIron, Item::Coal, Item::Diamond] {
        assert_eq!(scene.carries(item), 1, "{}", item.name());
    }
    assert_eq!(scene.server.block(CENTRE.offset(0, 0, 5)).unwrap(), Block::Air);
}

/// Rubble that was thrown away and returns does not count as gained, and is thrown away again.
#[tokio::test]
async fn rubble_that_comes_back_is_not_carried() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(1, 1, 0, Block::Dirt);
    scene.put(2, 1, 0, Block::OakLog);
    scene.sees(&["oak_log"]).await;
    scene.does("mine_log").await;
    assert_eq!(scene.server.block(CENTRE.offset(1, 1, 0)).unwrap(), Block::Air, "the dirt was in the way");
    assert_eq!(scene.carries(Item::Dirt), 0);
    assert_eq!(scene.server.give(NAME, Item::Dirt, 1).unwrap(), 0);
    // This is seen after the dirt, so the dirt has been seen too.
    scene.give(&[(Item::Cobblestone, 1)]).await;
    let seen = scene.look().await;
    assert_eq!((seen.inventory.get("dirt"), seen.inventory["oak_log"]), (None, 1));
    scene.does("craft_planks").await;
    assert_eq!([Item::Dirt, Item::Cobblestone, Item::OakPlanks].map(|item| scene.carries(item)), [0, 1, 4]);
    // An action that fails at once does not change this.
    assert_eq!(scene.server.give(NAME, Item::Dirt, 1).unwrap(), 0);
    scene.give(&[(Item::Cobblestone, 1)]).await;
    assert_eq!(scene.reason("craft_furnace").await, "missing_ingredients");
    assert_eq!(scene.look().await.inventory.get("dirt"), None);
    // Items beyond the number dug are gifts.
    scene.give(&[(Item::Stick, 1)]).await;
    assert_eq!(scene.server.give(NAME, Item::Dirt, 3).unwrap(), 0);
    scene.until("the gift has come", |seen| seen.inventory.get("dirt") == Some(&2)).await;
}

#[tokio::test]
async fn crafts_once_and_leaves_the_grid_clean() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(3, 0, 3, Block::CraftingTable);
    scene.sees(&["crafting_table"]).await;
    scene.give(&[(Item::BirchLog, 1), (Item::OakPlanks, 1), (Item::SprucePlanks, 8)]).await;
    assert_eq!(scene.does("craft_planks").await, "Crafted 4 birch_planks.");
    assert_eq!(scene.does("craft_stick").await, "Crafted 4 stick.");
    assert_eq!(scene.does("craft_crafting_table").await, "Crafted 1 crafting_table.");
    scene.does("craft_wooden_pickaxe").await;
    scene.give(&[(Item::Cobblestone, 7), (Item::CobbledDeepslate, 4), (Item::IronIngot, 3), (Item::Stick, 2)]).await;
    scene.does("craft_furnace").await;
    scene.does("craft_stone_pickaxe").await;
    scene.does("craft_iron_pickaxe").await;
    let seen = scene.look().await;
    let left = |name: &str| seen.inventory.get(name).copied().unwrap_or(0);
    // 13 planks: 2 for sticks, 4 for the table, 3 for the pickaxe. 11 stones: 8 and 3. 6 sticks: 3 times 2.
    assert_eq!(left("oak_planks") + left("birch_planks") + left("spruce_planks"), 4);
    assert_eq!((left("cobblestone") + left("cobbled_deepslate"), left("stick"), left("iron_ingot")), (0, 0, 0));
    for made in ["wooden_pickaxe", "stone_pickaxe", "iron_pickaxe", "furnace", "crafting_table"] {
        assert_eq!(left(made), 1, "{made}");
    }
    assert_eq!(seen.equipped, None, "what is crafted is not in the hand");
}

#[tokio::test]
async fn smelts_on_the_fire_that_is_left() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(3, 0, 0, Block::Furnace);
    scene.sees(&["furnace"]).await;
    scene.give(&[(Item::RawIron, 2), (Item::Coal, 1)]).await;
    assert_eq!(scene.does("smelt_iron").await, "Smelted 1 iron_ingot, burning coal.");
    assert!(scene.look().await.furnace_fire > 1300);
    assert!(scene.holds("obs_has_fuel").await);
    assert_eq!(scene.does("smelt_iron").await, "Smelted 1 iron_ingot on the fire left in the furnace.");
    assert_eq!((scene.carries(Item::IronIngot), scene.carries(Item::Coal), scene.carries(Item::RawIron)), (2, 0, 0));
}

/// A server under load: its clock runs at half the speed of the client's.
#[tokio::test]
async fn smelts_where_time_passes_slowly() {
    let clock = Clock::start();
    let server = clock.serve_slowly(server_options(), 2);
    let world = clock.join(client_options(server.address())).await;
    let mut scene = Scene { world, server, clock };
    scene.give(&[(Item::Furnace, 1), (Item::RawIron, 1), (Item::Coal, 1)]).await;
    scene.does("place_furnace").await;
    assert_eq!(scene.does("smelt_iron").await, "Smelted 1 iron_ingot, burning coal.");
}

#[tokio::test]
async fn equips_from_anywhere() {
    let mut scene = arena(Block::Bedrock).await;
    // The hotbar is full, so the pickaxe lies behind it.
    scene.give(&[(Item::Dirt, 64 * 12), (Item::StonePickaxe, 1), (Item::WoodenPickaxe, 1)]).await;
    assert_eq!(scene.does("equip_stone_pickaxe").await, "Equipped stone_pickaxe.");
    assert!(scene.holds("obs_stone_pickaxe_equipped").await);
    scene.does("equip_wood_pickaxe").await;
    assert!(scene.holds("obs_wood_pickaxe_equipped").await && !scene.holds("obs_stone_pickaxe_equipped").await);
    let dirt = scene.carries(Item::Dirt);
    assert_eq!(dirt, 64 * 12, "nothing was lost in moving");
}

#[tokio::test]
async fn places_beside_itself() {
    let mut scene = arena(Block::Bedrock).await;
    scene.give(&[(Item::CraftingTable, 1), (Item::Furnace, 2)]).await;
    scene.does("place_crafting_table").await;
    scene.does("place_furnace").await;
    let seen = scene.look().await;
    for kind in ["crafting_table", "furnace"] {
        let at = seen.nearby[kind].nearest;
        assert_eq!(scene.server.block(at).unwrap().name(), kind);
    }
    assert_eq!((scene.carries(Item::CraftingTable), scene.carries(Item::Furnace)), (0, 1));
}

#[tokio::test]
async fn explores_over_the_land() {
    let clock = Clock::start();
    let server = clock.serve(server_options());
    let mut options = client_options(server.address());
    options.limits.max_walk = 24;
    let world = clock.join(options).await;
    let mut scene = Scene { world, server, clock };
    let before = scene.look().await.position;
    // Everything but diamonds is in sight there. The player looks for diamonds and finds none within three legs of
    // eight blocks.
    assert_eq!(scene.reason("explore_general").await, "nothing_found");
    let after = scene.look().await;
    let went = (after.position.x - before.x).abs().max((after.position.z - before.z).abs());
    assert!((12..=30).contains(&went), "{before} to {}", after.position);
    assert_eq!((after.health, scene.world.deaths()), (20.0, 0));
}

/// A complete run, from bare hands to the diamond.
#[tokio::test]
async fn gets_the_diamond() {
    let mut scene = meadow().await;
    let mut policy = Policy::default();
    let mut last = None;
    for _ in 0..70 {
        let seen = scene.world.observe().await.unwrap();
        if scene.world.goal_reached(&seen) {
            assert_eq!((scene.carries(Item::Diamond), scene.world.deaths()), (1, 0));
            return;
        }
        let action = policy.next(&seen.details.get().unwrap(), last.as_ref()).unwrap();
        last = Some(scene.world.execute(action).await.unwrap());
    }
    panic!("no diamond after 70 steps; the last: {last:?}");
}

/// A table's window has as many slots as the player's own, in another layout: the client does not confuse its grid with
/// the inventory.
#[tokio::test]
async fn crafts_at_a_table_with_a_full_hotbar() {
    let mut scene = arena(Block::Bedrock).await;
    scene.put(2, 0, 0, Block::CraftingTable);
    let fill = [Item::Dirt, Item::Coal, Item::RawIron, Item::IronIngot, Item::OakLog, Item::Furnace, Item::Charcoal];
    scene.give(&fill.map(|item| (item, 1))).await;
    // All of both items is in the last two slots of the hotbar.
    scene.give(&[(Item::Cobblestone, 40), (Item::Stick, 4)]).await;
    scene.sees(&["crafting_table"]).await;
    for furnaces in 2..=4 {
        scene.does("craft_furnace").await;
        assert_eq!(scene.carries(Item::Furnace), furnaces);
    }
    scene.does("craft_stone_pickaxe").await;
    assert_eq!((scene.carries(Item::StonePickaxe), scene.carries(Item::Stick)), (1, 2));
    assert_eq!(scene.look().await.equipped.as_deref(), Some("stick"), "what is crafted is not in the hand");
}
