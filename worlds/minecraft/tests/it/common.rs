//! Scenes and shorthands for the tests of the embedded world.
#![allow(dead_code)]

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, MinecraftObservation, vocabulary};
use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::{Outcome, World};

pub fn action(name: &str) -> ActionId {
    vocabulary().action(&format!("action_{name}")).unwrap()
}

pub fn act(world: &mut EmbeddedWorld, name: &str) -> Outcome {
    world.act(action(name)).unwrap()
}

/// The reason code an action fails with.
pub fn reason(world: &mut EmbeddedWorld, name: &str) -> String {
    let outcome = act(world, name);
    outcome.failure.unwrap_or_else(|| panic!("{name} succeeded: {}", outcome.message)).to_string()
}

/// A floor of one kind of block, 17 by 17, high above the land and out of its sight, with the player in the middle.
pub fn arena(floor: Block) -> EmbeddedWorld {
    arena_of(floor, EmbeddedOptions::compact())
}

/// The same arena in a world with other options.
pub fn arena_of(floor: Block, options: EmbeddedOptions) -> EmbeddedWorld {
    let mut world = EmbeddedWorld::new(1, options);
    let game = world.game_mut();
    for x in 0..17 {
        for z in 0..17 {
            game.ground.put(BlockPos::new(x, HEIGHT - 1, z), floor);
        }
    }
    game.player.feet = CENTRE;
    world
}

pub const HEIGHT: i32 = 130;
pub const CENTRE: BlockPos = BlockPos::new(8, HEIGHT, 8);

pub fn give(world: &mut EmbeddedWorld, items: &[(Item, u32)]) {
    for (item, count) in items {
        assert_eq!(world.game_mut().inventory.add(*item, *count), 0);
    }
}

/// A block beside the player, `x` to the east of the middle.
pub fn put(world: &mut EmbeddedWorld, x: i32, y: i32, z: i32, block: Block) {
    world.game_mut().ground.put(CENTRE.offset(x, y, z), block);
}

/// Fills a box of blocks, both corners included, relative to the centre.
pub fn fill(world: &mut EmbeddedWorld, from: [i32; 3], to: [i32; 3], block: Block) {
    for x in from[0]..=to[0] {
        for y in from[1]..=to[1] {
            for z in from[2]..=to[2] {
                put(world, x, y, z, block);
            }
        }
    }
}

pub fn observation(world: &mut EmbeddedWorld) -> (Vec<String>, MinecraftObservation) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let seen = runtime.block_on(world.observe()).unwrap();
    let names = vocabulary().names(&seen.holds).into_iter().map(str::to_owned).collect();
    (names, seen.details.get().unwrap())
}
