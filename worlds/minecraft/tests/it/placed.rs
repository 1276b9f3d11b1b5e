//! The crafting tables and furnaces that a player remembers.

use ltlcrit_minecraft::MinecraftObservation;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;

use crate::common::{CENTRE, act, arena, give, observation, put};

/// The line of placed blocks in the description for actors.
fn line(full: &MinecraftObservation) -> Option<String> {
    full.to_string().lines().find_map(|line| line.strip_prefix("Placed: ").map(str::to_owned))
}

#[test]
fn are_described_with_position_and_distance_also_out_of_sight() {
    let mut world = arena(Block::Stone);
    give(&mut world, &[(Item::CraftingTable, 1), (Item::Furnace, 1)]);
    assert_eq!(line(&observation(&mut world).1), None);
    for name in ["place_crafting_table", "place_furnace"] {
        assert!(act(&mut world, name).succeeded());
    }
    let (holds, full) = observation(&mut world);
    assert!(holds.contains(&"obs_near_crafting_table".to_owned()));
    let expected = "crafting_table at (7, 130, 7), 1.8 blocks away; furnace at (8, 130, 7), 1.5 blocks away";
    assert_eq!(line(&full).as_deref(), Some(expected));

    world.game_mut().player.feet = CENTRE.offset(0, 60, 0);
    let (holds, full) = observation(&mut world);
    assert!(!holds.contains(&"obs_near_crafting_table".to_owned()) && full.nearby.is_empty());
    let expected = "crafting_table at (7, 130, 7), 61.1 blocks away; furnace at (8, 130, 7), 61.1 blocks away";
    assert_eq!(line(&full).as_deref(), Some(expected));
}

#[test]
fn are_remembered_when_seen_and_forgotten_when_seen_to_be_gone() {
    let mut world = arena(Block::Stone);
    put(&mut world, 3, 0, 0, Block::Furnace);
    assert_eq!(observation(&mut world).1.placed.len(), 1);
    let far = CENTRE.offset(0, 60, 0);
    world.game_mut().player.feet = far;
    put(&mut world, 3, 0, 0, Block::Air);
    assert_eq!(observation(&mut world).1.placed.len(), 1, "nobody has looked");
    world.game_mut().player.feet = CENTRE;
    assert_eq!(observation(&mut world).1.placed, []);
    world.game_mut().player.feet = far;
    assert_eq!(observation(&mut world).1.placed, []);
}

#[test]
fn only_the_nearest_are_described() {
    let mut world = arena(Block::Stone);
    // The nearest one in sight is remembered.
    for x in (1..=8).rev() {
        put(&mut world, x, 0, 3, Block::CraftingTable);
        observation(&mut world);
    }
    let placed = observation(&mut world).1.placed;
    assert_eq!(placed.len(), 3);
    assert!(placed.is_sorted_by(|one, other| one.distance <= other.distance));
}

/// Records of earlier programs lack this field, and an observation without such blocks is stored as before.
#[test]
fn records_without_them_are_as_before() {
    let mut world = arena(Block::Stone);
    let (_, full) = observation(&mut world);
    let stored = serde_json::to_string(&full).unwrap();
    assert!(!stored.contains("placed"));
    assert_eq!(serde_json::from_str::<MinecraftObservation>(&stored).unwrap(), full);
}

#[test]
fn names_are_replaced() {
    use ltlcrit_worlds::WorldObservation as _;
    let mut world = arena(Block::Stone);
    put(&mut world, 3, 0, 0, Block::Furnace);
    let full = observation(&mut world).1.with_names(&str::to_uppercase);
    assert_eq!((&*full.placed[0].block, full.placed[0].position), ("FURNACE", BlockPos::new(11, 130, 8)));
}
