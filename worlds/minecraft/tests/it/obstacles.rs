//! Land as in the game: drops, cliffs, mazes, floods. Primitives overcome the obstacles, or report that they did not.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::{EmbeddedWorld, PrimitiveState};
use ltlcrit_worlds::LiveWorld;

use crate::common::{CENTRE, act, arena, fill, give, put};

/// Iron ore in the roof of a deep shaft, beside the player. Without care, its drop falls 20 blocks.
fn ore_over_a_drop() -> EmbeddedWorld {
    let mut world = arena(Block::Stone);
    fill(&mut world, [1, -22, -1], [3, -1, 1], Block::Bedrock);
    fill(&mut world, [2, -21, 0], [2, -1, 0], Block::Air);
    put(&mut world, 2, 0, 0, Block::IronOre);
    give(&mut world, &[(Item::StonePickaxe, 1)]);
    assert!(act(&mut world, "equip_stone_pickaxe").succeeded());
    world
}

#[test]
fn a_hole_below_ore_is_closed_before_the_ore_is_dug() {
    let mut world = ore_over_a_drop();
    give(&mut world, &[(Item::Cobblestone, 1)]);
    let outcome = act(&mut world, "mine_iron_ore");
    assert!(outcome.succeeded(), "{outcome:?}");
    assert_eq!(world.game().inventory.count(Item::RawIron), 1);
    assert_eq!(world.game_mut().block(CENTRE.offset(2, -1, 0)), Block::Cobblestone);
}

#[test]
fn ore_that_stays_is_preferred_to_ore_over_a_drop() {
    let mut world = ore_over_a_drop();
    put(&mut world, -6, 0, 0, Block::IronOre);
    assert!(act(&mut world, "mine_iron_ore").succeeded());
    assert_eq!(world.game_mut().block(CENTRE.offset(-6, 0, 0)), Block::Air);
    assert_eq!(world.game_mut().block(CENTRE.offset(2, 0, 0)), Block::IronOre);
}

/// A place that failed is not tried again at once, and observations leave it out.
#[test]
fn what_cannot_be_reached_is_given_up_with_a_reason() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [5, 0, -1], [7, 2, 1], Block::Bedrock);
    put(&mut world, 6, 1, 0, Block::OakLog);
    put(&mut world, 6, 2, 0, Block::Air);
    // The log is visible, but only from above, and walls of bedrock keep the player away.
    fill(&mut world, [4, 3, -2], [8, 6, 2], Block::Bedrock);
    fill(&mut world, [5, 3, -1], [7, 5, 1], Block::Air);
    let outcome = act(&mut world, "mine_log");
    assert_eq!(outcome.failure.as_ref().map(|reason| reason.0.as_ref()), Some("unreachable"));
    assert!(outcome.message.contains("all ways on are closed off"), "{}", outcome.message);
    let (_, full) = crate::common::observation(&mut world);
    assert!(!full.nearby.contains_key("oak_log"), "{full}");
}

/// A comb of walls of bedrock: every path is many times as long as the distance, and more than one search can expand.
#[test]
fn goes_on_from_where_a_search_ended() {
    let mut world = arena(Block::Bedrock);
    let length = 24;
    fill(&mut world, [-2, -1, -32], [2 * length + 2, -1, 32], Block::Bedrock);
    fill(&mut world, [-2, 0, -33], [2 * length + 2, 3, -33], Block::Bedrock);
    fill(&mut world, [-2, 0, 33], [2 * length + 2, 3, 33], Block::Bedrock);
    for wall in 0..length / 2 {
        let gap = if wall % 2 == 0 { 32 } else { -32 };
        fill(&mut world, [2 + 2 * wall, 0, -32], [2 + 2 * wall, 3, 32], Block::Bedrock);
        fill(&mut world, [2 + 2 * wall, 0, gap], [2 + 2 * wall, 3, gap], Block::Air);
    }
    put(&mut world, length + 2, 0, 0, Block::OakLog);
    let outcome = act(&mut world, "mine_log");
    assert!(outcome.succeeded(), "{outcome:?}");
}

#[test]
fn a_player_without_wood_or_pickaxe_looks_for_logs() {
    let mut world = EmbeddedWorld::new(5, Default::default());
    let without_logs = |world: &mut EmbeddedWorld| {
        let (_, full) = crate::common::observation(world);
        !full.nearby.keys().any(|name| name.ends_with("_log"))
    };
    // Deep in the rock, where no log is in sight.
    let feet = world.game().player.feet;
    world.game_mut().player.feet = feet.offset(0, -60, 0);
    for y in 0..2 {
        world.game_mut().ground.put(feet.offset(0, y - 60, 0), Block::Air);
    }
    world.game_mut().ground.put(feet.offset(0, -61, 0), Block::Stone);
    assert!(without_logs(&mut world));
    let outcome = act(&mut world, "explore_general");
    assert!(outcome.message.ends_with("found log."), "{outcome:?}");
}

/// A block mined above the head drops to the feet: no block is spent on reaching it, and its drop is not left up there.
#[test]
fn a_log_high_in_a_tree_falls_to_the_ground() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 3, 5, 0, Block::OakLog);
    put(&mut world, 3, 6, 0, Block::OakLeaves);
    give(&mut world, &[(Item::Cobblestone, 4)]);
    assert_eq!(act(&mut world, "mine_log").message, "Mined 1 oak_log.");
    assert_eq!(world.game().inventory.count(Item::Cobblestone), 4);
}

/// With a wooden pickaxe, the player looks for stone, which is below the soil, not for iron ore, which it cannot mine.
#[test]
fn digs_for_stone_with_a_wooden_pickaxe() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-48, -9, -48], [48, -1, 48], Block::Dirt);
    fill(&mut world, [-48, -14, -48], [48, -10, 48], Block::Stone);
    fill(&mut world, [-48, -15, -48], [48, -15, 48], Block::Bedrock);
    give(&mut world, &[(Item::WoodenPickaxe, 1), (Item::OakLog, 3)]);
    assert!(act(&mut world, "equip_wood_pickaxe").succeeded());
    let before = world.game().player.feet.y;
    let outcome = act(&mut world, "explore_general");
    assert!(outcome.message.ends_with("found stone."), "{outcome:?}");
    let depth = before - world.game().player.feet.y;
    assert!(depth <= 14, "{depth}: {outcome:?} {:?}", LiveWorld::trace(&world));
    // Most uses are left. The earlier legs, which dig down from this floor high above the land, took the rest.
    let (_, _, left) = world.game().inventory.tools().next().unwrap();
    assert!(left >= 30, "{left} uses are left");
}

/// A player on a rock in a bottomless chasm lays a floor of carried blocks; with too few blocks it stays.
#[test]
fn bridges_a_chasm() {
    for (blocks, crosses) in [(4, true), (3, false)] {
        let mut world = arena(Block::Bedrock);
        fill(&mut world, [-8, -20, -8], [12, -1, 8], Block::Air);
        put(&mut world, 0, -1, 0, Block::Bedrock);
        fill(&mut world, [5, -1, -1], [8, -1, 1], Block::Bedrock);
        put(&mut world, 8, 0, 0, Block::OakLog);
        give(&mut world, &[(Item::Cobblestone, blocks)]);
        let outcome = act(&mut world, "mine_log");
        assert_eq!(outcome.succeeded(), crosses, "{outcome:?}");
        assert_eq!(world.game().inventory.count(Item::Cobblestone), if crosses { 0 } else { blocks });
        assert!(LiveWorld::trace(&world).iter().any(|line| line.contains("blocks laid as floors")));
    }
}

/// Under a lake without a way to swim up, a player digs up before it drowns.
#[test]
fn digs_up_for_air() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-6, 0, -6], [6, 6, 6], Block::Stone);
    fill(&mut world, [0, 0, 0], [1, 1, 0], Block::Water);
    give(&mut world, &[(Item::IronPickaxe, 1)]);
    world.game_mut().player.air = 60;
    act(&mut world, "equip_iron_pickaxe");
    let player = &world.game().player;
    assert!(player.death.is_none() && player.air == 300 && player.health == 20, "{player:?}");
}

/// Stairs cost nine blocks for three levels; shafts of a harmless drop cost five.
#[test]
fn descends_three_blocks_a_step_where_that_is_safe() {
    let mut world = arena(Block::Stone);
    fill(&mut world, [-20, -60, -20], [20, -1, 20], Block::Stone);
    give(&mut world, &[(Item::IronPickaxe, 1)]);
    assert!(act(&mut world, "equip_iron_pickaxe").succeeded());
    let before = world.game().player.feet.y;
    let uses = |world: &EmbeddedWorld| world.game().inventory.tools().next().map_or(0, |(_, _, left)| left);
    let full = uses(&world);
    act(&mut world, "explore_diamond_down");
    let levels = u32::try_from(before - world.game().player.feet.y).unwrap();
    assert!(world.game().player.health == 20 && levels > 55);
    let used = full - uses(&world);
    assert!(used <= 2 * levels, "{used} blocks for {levels} levels");
}

#[test]
fn a_table_leaves_a_way_out() {
    let mut world = arena(Block::Bedrock);
    // A dead end: walls around, one way out to the east.
    fill(&mut world, [-1, 0, -1], [1, 3, 1], Block::Bedrock);
    fill(&mut world, [0, 0, 0], [0, 1, 0], Block::Air);
    fill(&mut world, [1, 0, 0], [6, 1, 0], Block::Air);
    fill(&mut world, [1, 0, -1], [6, 2, -1], Block::Bedrock);
    fill(&mut world, [1, 0, 1], [6, 2, 1], Block::Bedrock);
    fill(&mut world, [1, 2, 0], [6, 2, 0], Block::Bedrock);
    put(&mut world, 8, 0, 0, Block::OakLog);
    give(&mut world, &[(Item::CraftingTable, 1)]);
    let placed = act(&mut world, "place_crafting_table");
    let mined = act(&mut world, "mine_log");
    assert!(mined.succeeded(), "{placed:?} {mined:?}");
}

#[test]
fn a_table_is_not_placed_under_water() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-3, 0, -3], [3, 1, 3], Block::Bedrock);
    fill(&mut world, [-2, 0, -2], [2, 1, 2], Block::Water);
    give(&mut world, &[(Item::CraftingTable, 1)]);
    let outcome = act(&mut world, "place_crafting_table");
    assert!(outcome.succeeded(), "{outcome:?}");
    let head = world.game().player.head();
    assert_ne!(world.game_mut().block(head), Block::Water);
}

/// The trace shows each plan and the reason for its end.
#[test]
fn the_trace_tells_the_plans() {
    let state = PrimitiveState::new(1);
    assert!(state.trace().is_empty());
    let mut world = arena(Block::Bedrock);
    put(&mut world, 6, 0, 0, Block::OakLog);
    assert!(act(&mut world, "mine_log").succeeded());
    let trace = world.trace();
    assert!(trace.iter().any(|line| line.contains("arrives")), "{trace:?}");
}
