//! Water: flooded caves and the sea. Times are game ticks.

use ltlcrit_minecraft::EmbeddedWorld;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;

use crate::common::{CENTRE, act, arena, fill, give, put};

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

/// Ore at the end of a flooded dead end is fetched if the breath lasts there, for the work, and back.
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
