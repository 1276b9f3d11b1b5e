//! The choice of the block to mine.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::sight::Sight;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Limits};

use crate::common::{CENTRE, act, arena, fill, give};

/// If the only exposed stone is in a cave far below, a player that sees it mines stone on the way instead.
#[test]
fn takes_the_first_stone_on_the_way() {
    let options =
        EmbeddedOptions { limits: Limits { sight: Sight::Loaded, ..Limits::default() }, ..EmbeddedOptions::compact() };
    let mut world = EmbeddedWorld::new(1, options);
    let game = world.game_mut();
    for x in -8..=8_i32 {
        for z in -8..=8_i32 {
            for y in -20..0 {
                let shell = x.abs() == 8 || z.abs() == 8 || y == -20 || y >= -3;
                let cave = x.abs() < 3 && z.abs() < 3 && (-17..-14).contains(&y);
                let block = if shell { Block::Dirt } else { Block::Stone };
                game.ground.put(CENTRE.offset(x, y, z), if cave { Block::Air } else { block });
            }
        }
    }
    game.player.feet = CENTRE;
    give(&mut world, &[(Item::WoodenPickaxe, 1)]);
    assert!(act(&mut world, "equip_wood_pickaxe").succeeded());
    for _ in 0..3 {
        let outcome = act(&mut world, "mine_stone");
        assert!(outcome.succeeded(), "{outcome:?}");
    }
    let inventory = &world.game().inventory;
    assert_eq!(inventory.count(Item::Cobblestone), 3);
    let left = inventory.tools().next().map_or(0, |(_, _, left)| left);
    assert!(left >= 59 - 10, "the cave is more than twenty blocks of rock away: {left} uses left");
    assert!(world.game().player.feet.y >= CENTRE.y - 8, "{}", world.game().player.feet);
}

/// The top of a trunk across a pit is in reach, but its drop stays on the rest of the trunk, which has no path to it.
/// The player removes the trunk below the drop.
#[test]
fn a_drop_on_a_trunk_is_brought_down() {
    let mut world = arena(Block::Bedrock);
    fill(&mut world, [-3, -7, -3], [6, 3, 3], Block::Bedrock);
    fill(&mut world, [-2, 0, 0], [5, 2, 0], Block::Air);
    fill(&mut world, [1, -3, 0], [5, -1, 0], Block::Air);
    fill(&mut world, [2, -6, 0], [5, -4, 0], Block::Air);
    fill(&mut world, [3, -1, 0], [3, 0, 0], Block::OakLog);
    let outcome = act(&mut world, "mine_log");
    assert!(outcome.succeeded(), "{outcome:?}");
}
