//! The places that a player remembers: it returns to what it needs, and takes along what it would miss.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Limits, Sight, vocabulary};
use ltlcrit_worlds::LiveWorld as _;

use crate::common::{CENTRE, act, arena, fill, give, observation, put, reason};

fn sees_logs(world: &mut EmbeddedWorld) -> bool {
    observation(world).0.contains(&"obs_log_in_chunk".to_owned())
}

/// The line of remembered blocks in the description for actors.
fn remembered(world: &mut EmbeddedWorld) -> Option<String> {
    observation(world).1.to_string().lines().find_map(|line| line.strip_prefix("Remembered: ").map(str::to_owned))
}

/// Puts the player on the ground, `x` blocks to the east of the origin.
fn go_to(world: &mut EmbeddedWorld, x: i32) {
    let ground = world.game_mut().ground.grid.ground(x, 0);
    world.game_mut().player.feet = CENTRE.offset(x - CENTRE.x, ground + 1 - CENTRE.y, -CENTRE.z);
}

/// A player with the ingots for the iron pickaxe, but not the wood, walks away from the last grove.
#[test]
fn a_player_in_a_desert_returns_to_the_grove_behind() {
    let limits = Limits { sight: Sight::Loaded, ..Limits::default() };
    let mut world = EmbeddedWorld::new(5, EmbeddedOptions { limits, ..EmbeddedOptions::default() });
    give(&mut world, &[(Item::StonePickaxe, 1), (Item::IronIngot, 3), (Item::OakPlanks, 3)]);
    assert!(sees_logs(&mut world));
    assert_eq!(remembered(&mut world), None, "it is in sight");
    for x in (72..=400).step_by(24) {
        go_to(&mut world, x);
        // No tree grows here.
        while let Some((_, log)) = observation(&mut world).1.nearby.into_iter().find(|(kind, _)| kind.ends_with("_log"))
        {
            world.game_mut().ground.put(log.nearest, Block::Air);
        }
    }
    let line = remembered(&mut world).unwrap();
    assert!(line.contains("_log") && line.contains(" blocks west, 0 steps ago"), "{line}");
    let outcome = act(&mut world, "explore_general");
    assert!(outcome.message.starts_with("Walked back") && outcome.message.ends_with("and found log."), "{outcome:?}");
    assert!(world.trace().iter().any(|line| line.contains("Looks for log.")), "not for iron");
    assert!(sees_logs(&mut world));
}

#[test]
fn a_player_that_explores_takes_its_table_along() {
    let mut world = EmbeddedWorld::new(3, EmbeddedOptions::default());
    give(&mut world, &[(Item::CraftingTable, 1)]);
    assert!(act(&mut world, "place_crafting_table").succeeded());
    act(&mut world, "explore_general");
    assert_eq!(world.game().inventory.count(Item::CraftingTable), 1);
    // With wood for another one, it stays.
    assert!(act(&mut world, "place_crafting_table").succeeded());
    give(&mut world, &[(Item::OakLog, 1)]);
    act(&mut world, "explore_general");
    assert_eq!(world.game().inventory.count(Item::CraftingTable), 0);
}

#[test]
fn a_remembered_table_is_returned_to() {
    for (away, left, code) in
        [(50, true, None), (50, false, Some("unreachable")), (80, true, Some("no_crafting_table"))]
    {
        let mut world = arena(Block::Bedrock);
        fill(&mut world, [0, -1, 0], [100, -1, 0], Block::Bedrock);
        put(&mut world, 0, 0, 1, Block::CraftingTable);
        give(&mut world, &[(Item::OakPlanks, 3), (Item::Stick, 2)]);
        observation(&mut world);
        world.game_mut().player.feet = CENTRE.offset(away, 0, 0);
        assert!(!observation(&mut world).0.contains(&"obs_near_crafting_table".to_owned()));
        if !left {
            put(&mut world, 0, 0, 1, Block::Air);
        }
        match code {
            None => assert!(act(&mut world, "craft_wooden_pickaxe").succeeded()),
            Some(code) => assert_eq!(reason(&mut world, "craft_wooden_pickaxe"), code),
        }
    }
}

/// An ore behind rock was in sight a few steps before. A player without a pickaxe goes back until it is in sight again,
/// and does not dig a tunnel to it by hand.
#[test]
fn a_player_goes_back_only_until_it_sees_what_it_remembers() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-3, -1, -1], [50, 12, 1], Block::Bedrock);
    fill(&mut world, [-2, 0, 0], [49, 1, 0], Block::Air);
    fill(&mut world, [-1, 2, 0], [4, 9, 0], Block::Stone);
    fill(&mut world, [2, 10, 0], [3, 10, 0], Block::Air);
    put(&mut world, 1, 10, 0, Block::IronOre);
    give(&mut world, &[(Item::OakPlanks, 12), (Item::Stick, 4), (Item::OakLog, 8)]);
    give(&mut world, &[(Item::WoodenPickaxe, 1), (Item::StonePickaxe, 1), (Item::Cobblestone, 11)]);
    observation(&mut world);
    world.game_mut().player.feet = CENTRE.offset(40, 0, 0);
    observation(&mut world);
    let outcome = act(&mut world, "explore_general");
    assert!(outcome.message.starts_with("Walked back") && outcome.ticks < 100, "{outcome:?} {:#?}", world.trace());
}

#[test]
fn a_long_exploration_tells_where_it_is() {
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions::compact());
    give(&mut world, &[(Item::IronPickaxe, 1)]);
    act(&mut world, "explore_general");
    let lines = world.trace();
    let line = lines.iter().find(|line| line.contains("Walked 48 blocks, now ")).unwrap();
    assert!(line.contains(" blocks ") && line.ends_with(" of the start, without diamond ore."), "{line}");
}

/// A player that only explores sees new land: it does not walk to and fro between what it remembers.
#[test]
fn a_player_that_explores_again_looks_for_another_place() {
    for seed in 20..26 {
        let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
        let explore = vocabulary().action("action_explore_general").unwrap();
        let messages: Vec<String> = (0..12).map(|_| world.act(explore).unwrap().message).collect();
        let returned = |message: &String| message.starts_with("Walked back");
        assert!(!messages.windows(2).any(|two| two.iter().all(returned)), "{seed}: {messages:#?}");
    }
}
