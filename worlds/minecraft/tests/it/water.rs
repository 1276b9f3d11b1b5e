//! Water: flooded caves and the sea. Times are game ticks.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::sight::Sight;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Limits};
use ltlcrit_worlds::LiveWorld;

use crate::common::{CENTRE, act, arena, arena_of, fill, give, observation, put};

/// A flooded tunnel to the east in bedrock, two high, that begins beside the player and ends before `length`.
fn flooded_tunnel(length: i32) -> EmbeddedWorld {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-3, -1, -2], [length + 6, 4, 2], Block::Bedrock);
    fill(&mut world, [-2, 0, -1], [0, 2, 1], Block::Air);
    fill(&mut world, [1, -1, 0], [1, 1, 0], Block::Water);
    fill(&mut world, [1, -2, -1], [length + 6, -2, 1], Block::Bedrock);
    fill(&mut world, [1, -1, 0], [length - 1, 0, 0], Block::Water);
    fill(&mut world, [2, 1, 0], [length - 1, 1, 0], Block::Bedrock);
    world
}

/// Ore at the end of a flooded dead end is fetched if the breath lasts for the way there, the work, and the way back.
#[test]
fn dives_for_ore_only_as_far_as_it_comes_back() {
    for (length, fetched) in [(5, true), (12, false)] {
        let mut world = flooded_tunnel(length);
        put(&mut world, length, -1, 0, Block::IronOre);
        give(&mut world, &[(Item::StonePickaxe, 1)]);
        assert!(act(&mut world, "equip_stone_pickaxe").succeeded());
        let outcome = act(&mut world, "mine_iron_ore");
        let player = &world.game().player;
        assert_eq!((player.health, player.death), (20, None), "{length} steps under water: {outcome:?}");
        assert_eq!(outcome.succeeded(), fetched, "{length} steps under water: {outcome:?}");
        assert!(player.feet.x <= CENTRE.x + 1, "it is back in the air");
        assert!(fetched || outcome.ticks < 100, "it does not even try: {outcome:?}");
    }
}

/// The number of times that the last action came up for air.
fn dives(world: &EmbeddedWorld) -> usize {
    LiveWorld::trace(world).iter().filter(|line| line.contains("for air at")).count()
}

/// Gravel with a flooded hollow over it, and ore behind. Water comes in wherever the body digs, and gravel leaves no
/// block to stop it. After two dives, the ore is given up and left alone.
#[test]
fn dives_for_the_same_ore_twice_at_most() {
    let mut world = arena_of(
        Block::Bedrock,
        EmbeddedOptions { limits: Limits { sight: Sight::Loaded, ..Limits::default() }, ..EmbeddedOptions::compact() },
    );
    fill(&mut world, [-10, -5, -9], [14, 4, 9], Block::Bedrock);
    // The way to the gravel is a ledge that drains the water.
    for (x, floor) in [(0, 0), (-1, -1)] {
        fill(&mut world, [x, floor, -8], [x, 2, 8], Block::Air);
    }
    fill(&mut world, [-9, -2, -8], [-2, 2, 8], Block::Air);
    fill(&mut world, [1, 0, -8], [10, 1, 8], Block::Gravel);
    fill(&mut world, [2, 2, -8], [10, 2, 8], Block::Water);
    put(&mut world, 11, 0, 0, Block::IronOre);
    give(&mut world, &[(Item::StonePickaxe, 1)]);
    assert!(act(&mut world, "equip_stone_pickaxe").succeeded());
    let outcome = act(&mut world, "mine_iron_ore");
    assert_eq!(outcome.failure.as_ref().map(|reason| reason.0.as_ref()), Some("unreachable"));
    assert!((1..=2).contains(&dives(&world)), "{outcome:?} {:#?}", LiveWorld::trace(&world));
    assert_eq!(world.game().player.health, 20);
    let (_, seen) = observation(&mut world);
    assert!(!seen.nearby.contains_key("iron_ore"), "{seen}");
}

/// The distance from the middle of the sea to its shores, in blocks.
const SHORE: i32 = 305;

/// The small world under the sea, without land within [`SHORE`] blocks in any direction. The player swims in the
/// middle.
fn sea(limits: Limits) -> EmbeddedWorld {
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions { limits, ..EmbeddedOptions::compact() });
    let game = world.game_mut();
    let grid = &mut game.ground.grid;
    let columns = || (-SHORE..=SHORE).flat_map(|x| (-SHORE..=SHORE).map(move |z| (x, z)));
    let level = columns().map(|(x, z)| grid.ground(x, z)).max().unwrap() + 1;
    for (x, z) in columns() {
        (grid.ground(x, z) + 1..=level).for_each(|y| grid.set(BlockPos::new(x, y, z), Block::Water));
        // Trees.
        for pos in (level + 1..level + 16).map(|y| BlockPos::new(x, y, z)) {
            if grid.block(pos) != Block::Air {
                grid.set(pos, Block::Air);
            }
        }
    }
    game.player.feet = BlockPos::new(0, level, 0);
    world
}

/// The player finds land more than 300 blocks away in one action. An action on a server may take 12,000 ticks.
#[test]
fn crosses_a_sea_without_land_within_300_blocks() {
    let mut world = sea(Limits::default());
    let outcome = act(&mut world, "explore_general");
    assert!(outcome.succeeded() && outcome.ticks < 12_000, "{outcome:?} at {}", world.game().player.feet);
    assert_eq!(world.game().player.health, 20);
}

/// The player looks for land on all sides: within 264 blocks it finds a shore 100 blocks away, whatever its course was.
#[test]
fn a_swimmer_looks_for_land_on_all_sides() {
    let begin = sea(Limits { max_walk: 66, ..Limits::default() });
    let level = begin.game().player.feet.y;
    let near = SHORE - 100;
    for (x, z) in [(near, 0), (-near, 0), (0, near), (0, -near)] {
        let mut world = begin.clone();
        world.game_mut().player.feet = BlockPos::new(x, level, z);
        let outcome = act(&mut world, "explore_general");
        assert!(outcome.succeeded(), "from {x}, {z}: {outcome:?} at {}", world.game().player.feet);
    }
}

/// A log in a channel: water from the west flows in where it was, and carries the drop to the east end.
#[test]
fn follows_a_drop_that_water_carries_away() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [1, 0, -1], [10, 0, 1], Block::Bedrock);
    fill(&mut world, [3, 0, 0], [9, 0, 0], Block::Air);
    put(&mut world, 2, 0, 0, Block::Water);
    put(&mut world, 5, 0, 0, Block::OakLog);
    world.game_mut().ground.open(CENTRE.offset(3, 0, 0));
    world.game_mut().wait(20);
    let outcome = act(&mut world, "mine_log");
    assert!(outcome.succeeded() && outcome.ticks < 300, "{outcome:?}");
    assert!(LiveWorld::trace(&world).iter().any(|line| line.contains("Follows the oak_log")), "it drifted");
    assert!(world.game().player.feet.x > CENTRE.x + 5);
}

/// A lake, `depth` deep, in front of the player, with logs or stones on its bed.
fn lake(depth: i32, bed: Block) -> EmbeddedWorld {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [1, -depth - 2, -4], [9, -1, 4], Block::Bedrock);
    fill(&mut world, [2, -depth, -3], [8, -1, 3], Block::Water);
    fill(&mut world, [3, -depth - 1, -2], [7, -depth - 1, 2], bed);
    world
}

/// A drop from the bed of a lake rises to the surface.
#[test]
fn picks_up_at_the_surface_what_rises_from_the_bed() {
    let mut world = lake(4, Block::Stone);
    give(&mut world, &[(Item::StonePickaxe, 1)]);
    assert!(act(&mut world, "equip_stone_pickaxe").succeeded());
    let outcome = act(&mut world, "mine_stone");
    assert!(outcome.succeeded() && outcome.ticks < 700, "{outcome:?} {:#?}", LiveWorld::trace(&world));
    assert_eq!(world.game().player.health, 20);
}

/// Digging under water takes five times as long: a stone on land is worth a walk past 25 nearer ones on the bed.
#[test]
fn prefers_a_dry_stone_to_diving() {
    let mut world = lake(3, Block::Stone);
    fill(&mut world, [-14, -1, 0], [0, -1, 0], Block::Bedrock);
    put(&mut world, -14, 0, 0, Block::Stone);
    give(&mut world, &[(Item::WoodenPickaxe, 1)]);
    assert!(act(&mut world, "equip_wood_pickaxe").succeeded());
    let outcome = act(&mut world, "mine_stone");
    assert!(outcome.succeeded() && outcome.ticks < 150, "{outcome:?} {:#?}", LiveWorld::trace(&world));
    assert_eq!(world.game_mut().block(CENTRE.offset(-14, 0, 0)), Block::Air);
}
