//! Groves: the placement and kinds of trees. One place in every square of five blocks may have a tree.

use rand::RngExt;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

use super::biome::Biome;
use super::plan::{ColumnPlan, SEA_LEVEL, mix};
use super::relief::Relief;
use super::{features, houses, trees};
use crate::blocks::Block;
use crate::observation::BlockPos;

/// The width of a square.
const SQUARE: i32 = 5;
/// The maximum distance of a tree's leaves from its trunk.
const REACH: i32 = 7;

/// Plants the trees of a chunk, and the parts of those beside it that reach into it.
pub(super) fn plant(plan: &mut ColumnPlan, relief: &Relief<'_>, seed: u64, chunk_x: i32, chunk_z: i32) {
    let (west, north) = (chunk_x * 16, chunk_z * 16);
    let squares = |start: i32| (start - REACH).div_euclid(SQUARE)..=(start + 15 + REACH).div_euclid(SQUARE);
    for square_z in squares(north) {
        for square_x in squares(west) {
            let drawn = mix(seed, square_x, 31, square_z);
            let off = |bits: u64| (bits % (SQUARE as u64 - 1)) as i32;
            let (x, z) = (square_x * SQUARE + off(drawn >> 8 & 0xFFFF), square_z * SQUARE + off(drawn >> 24 & 0xFFFF));
            let near = |part: i32, start: i32| (start - REACH..start + 16 + REACH).contains(&part);
            if (drawn & 255) as u32 >= MAX_DENSITY || !near(x, west) || !near(z, north) {
                continue;
            }
            let place = relief.at(x, z);
            let lowest = if place.biome == Biome::MangroveSwamp { SEA_LEVEL - 4 } else { SEA_LEVEL };
            if (drawn & 255) as u32 >= density(place.biome) || place.height <= lowest {
                continue;
            }
            if place.biome == Biome::Plains && houses::is_built_up(relief, seed, x, z) {
                continue;
            }
            let inside = (0..16).contains(&(x - west)) && (0..16).contains(&(z - north));
            if inside {
                plan.trees.push(BlockPos::new(x, place.height + 1, z));
            }
            let at = [x - west, place.height + 1, z - north];
            tree(plan, &mut Pcg32::seed_from_u64(drawn), place.biome, at);
        }
    }
}

/// The maximum density.
const MAX_DENSITY: u32 = 190;

/// The number of squares with a tree, out of 256.
fn density(biome: Biome) -> u32 {
    match biome {
        Biome::DarkForest => MAX_DENSITY,
        Biome::PaleGarden => 150,
        Biome::Jungle => 110,
        Biome::MangroveSwamp => 80,
        Biome::Forest | Biome::Taiga | Biome::SnowyTaiga => 70,
        Biome::CherryGrove => 40,
        Biome::WindsweptHills => 24,
        Biome::GravellyHills | Biome::SnowySlopes => 10,
        Biome::Plains | Biome::SnowyPlains => 5,
        _ => 0,
    }
}

/// A tree of a biome.
pub(super) fn tree(plan: &mut ColumnPlan, rng: &mut Pcg32, biome: Biome, at: [i32; 3]) {
    let die = rng.random_range(0..100);
    match biome {
        Biome::DarkForest if die < 75 => trees::roofed(plan, rng, at, [Block::DarkOakLog, Block::DarkOakLeaves]),
        Biome::PaleGarden => trees::roofed(plan, rng, at, [Block::PaleOakLog, Block::PaleOakLeaves]),
        Biome::Jungle if die < 14 => trees::jungle_giant(plan, rng, at),
        Biome::Jungle => trees::jungle(plan, rng, at),
        Biome::MangroveSwamp => trees::mangrove(plan, rng, at),
        Biome::CherryGrove => trees::cherry(plan, rng, at),
        Biome::WindsweptHills | Biome::GravellyHills if die < 40 => features::broadleaf(plan, rng, at, Block::OakLog),
        Biome::Taiga
        | Biome::WindsweptHills
        | Biome::GravellyHills
        | Biome::SnowyTaiga
        | Biome::SnowyPlains
        | Biome::SnowySlopes => features::spruce(plan, rng, at),
        _ if die % 10 < 3 => features::broadleaf(plan, rng, at, Block::BirchLog),
        _ => features::broadleaf(plan, rng, at, Block::OakLog),
    }
}
