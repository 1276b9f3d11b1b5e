//! Far below: tools that wear out, and rock that is dug by hand.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_worlds::World;

use crate::common::{act, arena, fill, put};

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
