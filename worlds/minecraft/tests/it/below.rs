//! Far below: tools that wear out, and rock that is dug by hand.

use ltlcrit_minecraft::EmbeddedWorld;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_worlds::World;

use crate::common::{CENTRE, act, arena, fill, give, put};

/// A player in a hollow of solid stone, as many levels below a log on the surface.
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

/// Wears a tool by so many uses.
fn wear(world: &mut EmbeddedWorld, tool: Item, uses: u32) {
    let inventory = &mut world.game_mut().inventory;
    let slot = inventory.tools().find(|(_, stack, _)| stack.item == tool).unwrap().0;
    (0..uses).for_each(|_| assert!(!inventory.wear(slot)));
}

/// Stairs dig three blocks a level; a shaft with the dug blocks put under the feet, one. The stones of a furnace and a pickaxe
/// stay.
#[test]
fn climbs_on_what_it_digs() {
    let levels = 20;
    let mut world = hollow(levels);
    give(&mut world, &[(Item::StonePickaxe, 1), (Item::Cobblestone, 11)]);
    let before = left(&world, Item::StonePickaxe);
    let outcome = act(&mut world, "mine_log");
    assert!(outcome.succeeded(), "{outcome:?} {:?}", World::trace(&world));
    assert!(world.game().player.feet.y >= CENTRE.y + levels - 4);
    let used = before - left(&world, Item::StonePickaxe);
    assert!(used <= levels as u32 + 4, "{used} blocks for {levels} levels: {:?}", World::trace(&world));
    assert_eq!(world.game().inventory.count(Item::Cobblestone), 11);
}

/// A wooden pickaxe is good for tunnels, and for nothing else once there is a better one with few uses left.
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

/// A wall across a long hall, with a door far aside: the last uses of a pickaxe are not spent on what can be walked around.
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

/// In a valley with rock on all sides but one, a player without a pickaxe goes where it is open, and does not dig for minutes.
#[test]
fn turns_from_rock_without_a_pickaxe() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-40, -1, -40], [64, -1, 40], Block::Bedrock);
    fill(&mut world, [-40, 0, -40], [64, 9, 40], Block::Stone);
    fill(&mut world, [-1, 0, -1], [1, 9, 1], Block::Air);
    fill(&mut world, [-40, 0, -1], [0, 9, 1], Block::Air);
    put(&mut world, -34, 0, 0, Block::OakLog);
    let outcome = act(&mut world, "explore_general");
    assert!(outcome.succeeded(), "{outcome:?} {:?}", World::trace(&world));
    assert!(outcome.ticks < 1000, "{outcome:?} {:?}", World::trace(&world));
}
