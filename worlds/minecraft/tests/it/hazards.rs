//! The hazards of the embedded world, and their observations.

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::player::DamageSource;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};

use crate::common::{CENTRE, act, arena, fill, give, observation, put, reason};

#[test]
fn lava_burns_and_is_seen() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 3, 0, 0, Block::Lava);
    assert!(observation(&mut world).0.contains(&"obs_lava_near".to_owned()));
    world.game_mut().player.feet = CENTRE.offset(3, 0, 0);
    world.game_mut().wait(40);
    assert_eq!(world.game().player.health, 20 - 16);
    assert!(observation(&mut world).0.contains(&"obs_low_health".to_owned()));
    world.game_mut().player.feet = CENTRE.offset(-4, 0, 0);
    assert!(!observation(&mut world).0.contains(&"obs_lava_near".to_owned()));
    world.game_mut().wait(200);
    assert_eq!(world.game().player.death, Some(DamageSource::Fire), "one burns on after leaving it");
}

#[test]
fn lava_behind_rock_is_not_seen() {
    let mut world = arena(Block::Bedrock);
    for pos in CENTRE.offset(3, 0, 0).neighbours() {
        world.game_mut().ground.put(pos, Block::Stone);
    }
    put(&mut world, 3, 0, 0, Block::Lava);
    assert!(!observation(&mut world).0.contains(&"obs_lava_near".to_owned()));
}

#[test]
fn breath_runs_out_under_water() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 0, 0, 0, Block::Water);
    put(&mut world, 0, 1, 0, Block::Water);
    let (names, full) = observation(&mut world);
    assert!(names.contains(&"obs_head_in_water".to_owned()));
    assert_eq!(full.air, 300);
    world.game_mut().wait(300);
    assert_eq!((world.game().player.health, world.game().player.air), (20 - 2, 0));
    world.game_mut().wait(260);
    assert_eq!(world.game().player.death, Some(DamageSource::Drowning));
}

/// A player on a tower leaps from it if that is the only way on and leaves it some health.
#[test]
fn leaps_if_there_is_no_other_way() {
    for (height, leaps) in [(14, true), (20, false)] {
        let mut world = arena(Block::Bedrock);
        fill(&mut world, [-40, -1, -40], [40, -1, 40], Block::Bedrock);
        fill(&mut world, [0, 0, 0], [0, height - 1, 0], Block::Bedrock);
        world.game_mut().player.feet = CENTRE.offset(0, height, 0);
        let outcome = act(&mut world, "explore_general");
        let player = &world.game().player;
        assert_eq!(player.feet.y, if leaps { CENTRE.y } else { CENTRE.y + height }, "{outcome:?}");
        assert!(player.death.is_none(), "{outcome:?}");
    }
}

#[test]
fn falls_of_more_than_three_blocks_hurt() {
    for (height, health) in [(3, 20), (4, 19), (10, 13), (22, 1), (23, 0)] {
        let mut world = arena(Block::Bedrock);
        world.game_mut().player.feet = CENTRE.offset(0, height, 0);
        world.game_mut().settle();
        let player = &world.game().player;
        assert_eq!((player.feet, player.health), (CENTRE, health), "after {height} blocks");
        assert_eq!(player.death, (health == 0).then_some(DamageSource::Fall));
    }
    let mut world = arena(Block::Bedrock);
    put(&mut world, 0, 0, 0, Block::Water);
    world.game_mut().player.feet = CENTRE.offset(0, 20, 0);
    world.game_mut().settle();
    assert_eq!(world.game().player.health, 20, "water breaks a fall");
}

#[test]
fn sand_falls_and_buries() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 0, 2, 0, Block::Stone);
    put(&mut world, 0, 3, 0, Block::Sand);
    put(&mut world, 0, 4, 0, Block::Gravel);
    world.game_mut().ground.open(CENTRE.offset(0, 2, 0));
    assert_eq!(world.game_mut().block(CENTRE), Block::Sand);
    assert_eq!(world.game_mut().block(CENTRE.up()), Block::Gravel);
    world.game_mut().wait(20);
    assert_eq!(world.game().player.health, 18);
    world.game_mut().wait(200);
    assert_eq!(world.game().player.death, Some(DamageSource::Suffocation));
}

#[test]
fn a_buried_player_digs_free() {
    let mut world = arena(Block::Stone);
    for y in 2..6 {
        put(&mut world, 1, y, 0, Block::Gravel);
    }
    // A corridor walled in on both sides, under gravel held up by one stone.
    put(&mut world, 1, 1, 0, Block::Stone);
    put(&mut world, 4, 0, 0, Block::OakLog);
    for x in -1..=5 {
        for y in 0..=2 {
            for z in [-1, 1] {
                put(&mut world, x, y, z, Block::Bedrock);
            }
        }
    }
    put(&mut world, -1, 0, 0, Block::Bedrock);
    put(&mut world, -1, 1, 0, Block::Bedrock);
    assert!(act(&mut world, "mine_log").succeeded());
    assert_eq!(world.game().player.death, None);
}

#[test]
fn water_flows_where_it_can() {
    let mut world = arena(Block::Bedrock);
    put(&mut world, 4, 0, 0, Block::Water);
    put(&mut world, 3, 0, 0, Block::Stone);
    let game = world.game_mut();
    game.ground.open(CENTRE.offset(3, 0, 0));
    game.wait(4);
    assert_eq!(game.block(CENTRE.offset(3, 0, 0)), Block::Air);
    game.wait(20);
    assert_eq!(game.block(CENTRE.offset(3, 0, 0)), Block::Water);
    game.wait(200);
    assert_eq!(game.block(CENTRE.offset(-2, 0, 0)), Block::Water);
    assert_eq!(game.block(CENTRE.offset(-5, 0, 0)), Block::Air, "seven blocks from the source and no farther");
}

/// The player digs for diamonds into a lava pocket. Rubble walls the lava off; without rubble it flows in.
#[test]
fn a_tunnel_stops_lava_with_its_own_rubble() {
    let run = |tool: bool| {
        let mut world = arena(Block::Bedrock);
        let game = world.game_mut();
        // Solid rock with lava four blocks around the player in all directions.
        for x in -7..=7i32 {
            for z in -7..=7i32 {
                for y in -12..=3 {
                    let lava = x.abs().max(z.abs()) == 4 && y > -10;
                    let block = if lava { Block::Lava } else { Block::Stone };
                    game.ground.grid.set(CENTRE.offset(x, y, z), block);
                }
            }
        }
        game.ground.grid.set(CENTRE, Block::Air);
        game.ground.grid.set(CENTRE.up(), Block::Air);
        if tool {
            give(&mut world, &[(Item::StonePickaxe, 1)]);
            act(&mut world, "equip_stone_pickaxe");
        }
        act(&mut world, "explore_diamond_down");
        world.game().player.clone()
    };
    assert_eq!(run(true).health, 20);
    let without = run(false);
    assert!(without.health < 20 || without.feet.y >= CENTRE.y - 4, "bare hands leave no rubble: {without:?}");
}

/// Below a lake, on the way back to the table, water flows in from above. Bare hands dig too slowly to continue there.
#[test]
fn a_flooded_player_digs_no_longer_than_its_air_lasts() {
    let mut world = EmbeddedWorld::new(1040, EmbeddedOptions::default());
    let way = "explore_general mine_log mine_log mine_log craft_planks craft_planks craft_planks craft_crafting_table \
               place_crafting_table craft_stick craft_wooden_pickaxe equip_wood_pickaxe mine_stone mine_stone mine_stone";
    for name in way.split_whitespace() {
        let outcome = act(&mut world, name);
        assert!(outcome.succeeded(), "{name}: {}", outcome.message);
    }
    assert_eq!(act(&mut world, "craft_stone_pickaxe").message, "Crafted 1 stone_pickaxe.");
}

/// Smelting takes two thirds of the air, so a player that smelts under water comes up in between.
#[test]
fn a_player_that_smelts_under_water_comes_up_for_air() {
    let mut world = arena(Block::Bedrock);
    for (x, z) in (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x, z))) {
        let wall = i32::abs(x) == 2 || i32::abs(z) == 2;
        for y in 0..=3 {
            let block = if wall { Block::Bedrock } else { Block::Water };
            put(&mut world, x, y, z, if y < 3 || wall { block } else { Block::Air });
        }
    }
    put(&mut world, 1, 0, 0, Block::Furnace);
    give(&mut world, &[(Item::RawIron, 4), (Item::Coal, 1)]);
    for _ in 0..4 {
        let outcome = act(&mut world, "smelt_iron");
        assert!(outcome.succeeded(), "{}", outcome.message);
    }
    assert_eq!((world.game().player.health, world.game().inventory.count(Item::IronIngot)), (20, 4));
    // Without air above, smelting is not possible.
    for (x, z) in (-1..=1).flat_map(|x| (-1..=1).map(move |z| (x, z))) {
        put(&mut world, x, 3, z, Block::Water);
        put(&mut world, x, 4, z, Block::Bedrock);
    }
    give(&mut world, &[(Item::RawIron, 1), (Item::Coal, 1)]);
    world.game_mut().player.feet = CENTRE;
    world.game_mut().wait(150);
    assert_eq!(reason(&mut world, "smelt_iron"), "unreachable");
}

/// A row of stones with water right behind them, east of the player, in a basin.
fn wet_stones(world: &mut EmbeddedWorld, count: i32) {
    let half = count / 2;
    for z in -half - 1..=half + 1 {
        let ends = z.abs() > half;
        put(world, 2, 0, z, if ends { Block::Bedrock } else { Block::Stone });
        put(world, 3, 0, z, if ends { Block::Bedrock } else { Block::Water });
        put(world, 4, 0, z, Block::Bedrock);
    }
}

/// Mined stone counts only beyond the stone that walls used during the action.
#[test]
fn stone_that_walls_took_is_made_up_for() {
    for (carried, more, message) in [
        (Item::Cobblestone, 1, "Mined 1 cobblestone. 1 more made up for what went into walls."),
        (Item::CobbledDeepslate, 1, "Mined 1 cobblestone. 1 more made up for what went into walls."),
        (Item::Dirt, 0, "Mined 1 cobblestone."),
    ] {
        let mut world = arena(Block::Bedrock);
        wet_stones(&mut world, 1);
        put(&mut world, -4, 0, 0, Block::Stone);
        give(&mut world, &[(Item::StonePickaxe, 1), (carried, 1)]);
        act(&mut world, "equip_stone_pickaxe");
        let outcome = act(&mut world, "mine_stone");
        assert_eq!((outcome.failure.as_ref(), outcome.message.as_str()), (None, message));
        let inventory = &world.game().inventory;
        assert_eq!(
            (inventory.count(carried), inventory.count(Item::Cobblestone)),
            match carried {
                Item::Cobblestone => (2, 2),
                _ => (0, 1 + more),
            }
        );
        let game = world.game_mut();
        assert_eq!(game.block(CENTRE.offset(2, 0, 0)), Block::Air);
        assert_eq!(
            game.block(CENTRE.offset(3, 0, 0)),
            Block::placed_with(carried).unwrap(),
            "the wall stays, though it is nearer"
        );
        assert_eq!(game.block(CENTRE.offset(-4, 0, 0)), if more > 0 { Block::Air } else { Block::Stone });
    }
}

#[test]
fn mining_without_gaining_stone_states_the_reason() {
    let start = |stones: i32| {
        let mut world = arena(Block::Bedrock);
        wet_stones(&mut world, stones);
        give(&mut world, &[(Item::StonePickaxe, 1), (Item::Cobblestone, 20)]);
        act(&mut world, "equip_stone_pickaxe");
        world
    };
    // There is only one stone.
    let mut world = start(1);
    let outcome = act(&mut world, "mine_stone");
    assert_eq!(outcome.failure.unwrap().to_string(), "not_visible");
    assert_eq!(
        outcome.message,
        "Mined 1 cobblestone. Walls against water and lava took as much or more. No stone is in sight within 32 blocks."
    );
    assert_eq!(world.game().inventory.count(Item::Cobblestone), 20);
    // All stones are next to water.
    let mut world = start(13);
    let outcome = act(&mut world, "mine_stone");
    assert_eq!(outcome.failure.unwrap().to_string(), "no_way");
    assert_eq!(world.game().inventory.count(Item::Cobblestone), 20);
    let left = (-6..=6).filter(|z| world.game_mut().block(CENTRE.offset(2, 0, *z)) == Block::Stone).count();
    assert_eq!(left, 13 - 8);
}
