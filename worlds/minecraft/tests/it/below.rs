//! Far below ground: tools that wear out, and rock that is dug by hand.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};
use ltlcrit_worlds::LiveWorld;

use crate::common::{CENTRE, act, arena, fill, give, put};

/// A player in a hollow of solid stone, `levels` below a log on the surface.
fn hollow(levels: i32) -> EmbeddedWorld {
    let mut world = arena(Block::Stone);
    fill(&mut world, [-8, -2, -8], [8, levels - 1, 8], Block::Stone);
    fill(&mut world, [0, 0, 0], [0, 1, 0], Block::Air);
    put(&mut world, 3, levels, 0, Block::OakLog);
    world
}

/// The uses left of the tools of a kind.
fn left(world: &EmbeddedWorld, tool: Item) -> u32 {
    world.game().inventory.tools().filter(|(_, stack, _)| stack.item == tool).map(|(_, _, left)| left).sum()
}

/// Wears a tool by a number of uses.
fn wear(world: &mut EmbeddedWorld, tool: Item, uses: u32) {
    let inventory = &mut world.game_mut().inventory;
    let slot = inventory.tools().find(|(_, stack, _)| stack.item == tool).unwrap().0;
    (0..uses).for_each(|_| assert!(!inventory.wear(slot)));
}

/// Stairs dig three blocks per level; a shaft with the dug blocks placed under the feet digs one. The stones of a
/// furnace and a pickaxe are kept.
#[test]
fn climbs_on_what_it_digs() {
    let levels = 20;
    let mut world = hollow(levels);
    give(&mut world, &[(Item::StonePickaxe, 1), (Item::Cobblestone, 11)]);
    let before = left(&world, Item::StonePickaxe);
    let outcome = act(&mut world, "mine_log");
    assert!(outcome.succeeded(), "{outcome:?} {:?}", LiveWorld::trace(&world));
    assert!(world.game().player.feet.y >= CENTRE.y + levels - 4);
    let used = before - left(&world, Item::StonePickaxe);
    assert!(used <= levels as u32 + 4, "{used} blocks for {levels} levels: {:?}", LiveWorld::trace(&world));
    assert_eq!(world.game().inventory.count(Item::Cobblestone), 11);
}

/// A wooden pickaxe digs tunnels while better pickaxes have few uses left, and is not used for anything else.
#[test]
fn spares_the_better_pickaxe() {
    let mut world = hollow(8);
    give(&mut world, &[(Item::StonePickaxe, 1), (Item::WoodenPickaxe, 1)]);
    wear(&mut world, Item::StonePickaxe, 100);
    assert!(act(&mut world, "mine_log").succeeded());
    assert_eq!(left(&world, Item::StonePickaxe), 31);
    assert!(left(&world, Item::WoodenPickaxe) < Item::WoodenPickaxe.durability());
}

/// The three stones of the next pickaxe, whose sticks are carried, do not go into a wall against water.
#[test]
fn keeps_the_stones_of_the_next_pickaxe() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [1, -1, -1], [4, 2, 1], Block::Bedrock);
    fill(&mut world, [2, 0, 0], [2, 0, 0], Block::Stone);
    fill(&mut world, [1, 0, 0], [1, 1, 0], Block::Air);
    put(&mut world, 3, 0, 0, Block::Water);
    give(&mut world, &[(Item::StonePickaxe, 1), (Item::Cobblestone, 3), (Item::Stick, 2)]);
    assert!(act(&mut world, "equip_stone_pickaxe").succeeded());
    let outcome = act(&mut world, "mine_stone");
    assert!(outcome.succeeded(), "{outcome:?}");
    assert_eq!(world.game().inventory.count(Item::Cobblestone), 4);
}

/// A wall across a long hall, with a door far aside: the last uses of a pickaxe are not spent on a wall that can be
/// walked around.
#[test]
fn goes_around_with_a_worn_pickaxe() {
    for (uses, digs) in [(0, true), (128, false)] {
        let mut world = arena(Block::Bedrock);
        fill(&mut world, [-3, -1, -2], [16, 3, 20], Block::Bedrock);
        fill(&mut world, [-2, 0, -1], [15, 2, 19], Block::Air);
        fill(&mut world, [3, 0, -1], [4, 2, 17], Block::Stone);
        put(&mut world, 12, 0, 0, Block::OakLog);
        give(&mut world, &[(Item::StonePickaxe, 1)]);
        wear(&mut world, Item::StonePickaxe, uses);
        let outcome = act(&mut world, "mine_log");
        assert!(outcome.succeeded(), "{outcome:?}");
        assert!(outcome.ticks < 1000, "{outcome:?}");
        let dug = (-1..=17).any(|z| world.game_mut().block(CENTRE.offset(3, 0, z)) == Block::Air);
        assert_eq!(dug, digs, "with {uses} uses made");
    }
}

/// In a valley with rock on all sides but one, a player without a pickaxe takes the open side and does not dig for
/// minutes.
#[test]
fn turns_from_rock_without_a_pickaxe() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-40, -1, -40], [64, -1, 40], Block::Bedrock);
    fill(&mut world, [-40, 0, -40], [64, 9, 40], Block::Stone);
    fill(&mut world, [-1, 0, -1], [1, 9, 1], Block::Air);
    fill(&mut world, [-40, 0, -1], [0, 9, 1], Block::Air);
    put(&mut world, -34, 0, 0, Block::OakLog);
    let outcome = act(&mut world, "explore_general");
    assert!(outcome.succeeded(), "{outcome:?} {:?}", LiveWorld::trace(&world));
    assert!(outcome.ticks < 1000, "{outcome:?} {:?}", LiveWorld::trace(&world));
}

/// A gallery to the east in bedrock, two high, with iron ore in its wall every 25 blocks. A crafting table and a
/// furnace stand at its start. There is no wood anywhere.
fn gallery(ores: i32) -> EmbeddedWorld {
    let mut world = arena(Block::Bedrock);
    let length = 25 * ores + 4;
    fill(&mut world, [-4, -1, -2], [length + 2, 4, 2], Block::Bedrock);
    fill(&mut world, [-3, 0, 0], [length, 2, 0], Block::Air);
    put(&mut world, -3, 0, 0, Block::CraftingTable);
    put(&mut world, -3, 1, 0, Block::Furnace);
    (1..=ores).for_each(|ore| put(&mut world, 25 * ore, 1, 1, Block::IronOre));
    world
}

/// Three ores lead 100 blocks away from the crafting table, with a worn pickaxe and without wood. The table and the
/// furnace have come along, so that the iron pickaxe is made at the ore.
#[test]
fn takes_the_table_along_to_far_ore() {
    let mut world = gallery(5);
    give(&mut world, &[(Item::StonePickaxe, 1), (Item::Stick, 2), (Item::Coal, 2)]);
    wear(&mut world, Item::StonePickaxe, 120);
    assert!(act(&mut world, "equip_stone_pickaxe").succeeded());
    let start = world.game().ground.tick;
    let mut said = String::new();
    for _ in 0..5 {
        let outcome = act(&mut world, "mine_iron_ore");
        assert!(outcome.succeeded(), "{outcome:?} {:?}", LiveWorld::trace(&world));
        said += &outcome.message;
    }
    assert!(said.contains("Taken along: crafting_table, furnace."), "{said}");
    let far = world.game().player.feet;
    assert!(far.x - CENTRE.x > 110, "{far}");
    assert_eq!(world.game_mut().block(CENTRE.offset(-3, 0, 0)), Block::Air, "the table is taken along");
    assert_eq!(world.game_mut().block(CENTRE.offset(-3, 1, 0)), Block::Air, "and so is the furnace");
    for name in
        ["place_crafting_table", "place_furnace", "smelt_iron", "smelt_iron", "smelt_iron", "craft_iron_pickaxe"]
    {
        let outcome = act(&mut world, name);
        assert!(outcome.succeeded(), "{name}: {outcome:?}");
    }
    let took = world.game().ground.tick - start;
    assert!(took < 2500, "{took} ticks");
    assert!(world.game().player.feet.x - CENTRE.x > 110, "it does not go back");
}

/// The player also takes the table along on the way down.
#[test]
fn takes_the_table_along_on_the_way_down() {
    for (pickaxe, taken) in [(Item::StonePickaxe, 1), (Item::IronPickaxe, 0)] {
        let mut world = EmbeddedWorld::new(1, EmbeddedOptions::compact());
        give(&mut world, &[(Item::CraftingTable, 1), (pickaxe, 1)]);
        assert!(act(&mut world, "place_crafting_table").succeeded());
        act(&mut world, "explore_diamond_down");
        assert_eq!(world.game().inventory.count(Item::CraftingTable), taken, "with {}", pickaxe.name());
    }
}

/// A block that the carried items can replace stays, and so does one that remains near.
#[test]
fn leaves_a_table_that_is_not_missed() {
    for (ores, planks, stays) in [(1, 0, true), (5, 4, true), (5, 0, false)] {
        let mut world = gallery(ores);
        give(&mut world, &[(Item::StonePickaxe, 1)]);
        if planks > 0 {
            give(&mut world, &[(Item::OakPlanks, planks)]);
        }
        assert!(act(&mut world, "equip_stone_pickaxe").succeeded());
        for _ in 0..ores {
            assert!(act(&mut world, "mine_iron_ore").succeeded());
        }
        let there = world.game_mut().block(CENTRE.offset(-3, 0, 0)) == Block::CraftingTable;
        assert_eq!(there, stays, "{ores} ores, {planks} planks");
    }
}

/// With a worn pickaxe, ore behind rock, and the materials of another pickaxe, the player reports it at once and does
/// not dig by hand.
#[test]
fn makes_another_pickaxe_before_it_digs_by_hand() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-3, -1, -2], [20, 4, 2], Block::Bedrock);
    fill(&mut world, [-2, 0, -1], [0, 2, 1], Block::Air);
    fill(&mut world, [1, 0, 0], [14, 1, 0], Block::Stone);
    // The ore is seen through the gap over the rock, but no body fits.
    fill(&mut world, [1, 2, 0], [15, 2, 0], Block::Air);
    put(&mut world, 15, 1, 0, Block::IronOre);
    let carried = [(Item::StonePickaxe, 1), (Item::Stick, 2), (Item::Cobblestone, 3), (Item::CraftingTable, 1)];
    give(&mut world, &carried);
    wear(&mut world, Item::StonePickaxe, 124);
    assert!(act(&mut world, "equip_stone_pickaxe").succeeded());
    let start = world.game().ground.tick;
    let outcome = act(&mut world, "mine_iron_ore");
    assert_eq!(outcome.failure.as_ref().map(|reason| reason.0.as_ref()), Some("wrong_tool"), "{outcome:?}");
    assert!(outcome.message.contains("craft another pickaxe"), "{}", outcome.message);
    for name in ["place_crafting_table", "craft_stone_pickaxe", "mine_iron_ore"] {
        let outcome = act(&mut world, name);
        assert!(outcome.succeeded(), "{name}: {outcome:?} {:?}", LiveWorld::trace(&world));
    }
    let took = world.game().ground.tick - start;
    assert!(took < 1000, "{took} ticks");
}

/// An open shaft, two wide, without a block to climb on: each level takes one use of the pickaxe, dug out of the wall.
/// Stairs would take three, most of them by hand.
#[test]
fn climbs_an_open_shaft_on_the_stones_of_its_wall() {
    let levels = 18;
    let mut world = hollow(levels);
    fill(&mut world, [0, 0, 0], [0, levels, 0], Block::Air);
    give(&mut world, &[(Item::StonePickaxe, 1)]);
    wear(&mut world, Item::StonePickaxe, 131 - 26);
    let outcome = act(&mut world, "mine_log");
    assert!(outcome.succeeded() && outcome.ticks < 900, "{outcome:?} {:#?}", LiveWorld::trace(&world));
    assert!(left(&world, Item::StonePickaxe) >= 4);
}

/// A player goes down no farther than its tools bring it up again, and says so. With the iron pickaxe, or with the
/// materials of another pickaxe, it goes on.
#[test]
fn keeps_the_uses_for_the_way_up() {
    let spare = [(Item::Stick, 2), (Item::Cobblestone, 3), (Item::CraftingTable, 1)];
    for (pickaxe, more, stops) in
        [(Item::StonePickaxe, &[][..], true), (Item::StonePickaxe, &spare[..], false), (Item::IronPickaxe, &[], false)]
    {
        let mut world = arena(Block::Stone);
        fill(&mut world, [-8, -40, -8], [8, -2, 8], Block::Stone);
        give(&mut world, &[(pickaxe, 1)]);
        give(&mut world, more);
        wear(&mut world, pickaxe, pickaxe.durability() - 30);
        let outcome = act(&mut world, "explore_diamond_down");
        let down = CENTRE.y - world.game().player.feet.y;
        let told = outcome.message.contains("for the way up");
        assert_eq!((told, down < 17), (stops, stops), "{down} blocks: {outcome:?}");
        if stops {
            put(&mut world, 3, 0, 0, Block::OakLog);
            let outcome = act(&mut world, "mine_log");
            assert!(outcome.succeeded(), "{outcome:?} {:#?}", LiveWorld::trace(&world));
            assert!(outcome.ticks < 1200, "not by hand: {outcome:?} {:#?}", LiveWorld::trace(&world));
        }
    }
}
