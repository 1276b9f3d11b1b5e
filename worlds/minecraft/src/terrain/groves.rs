//! Groves: the placement and kinds of trees. One place in every square of five blocks may have a tree.

use rand::RngExt;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

use super::biome::Biome;
use super::plan::{ColumnPlan, SEA_LEVEL, scattered};
use super::relief::Relief;
use super::{features, trees};
use crate::blocks::Block;
use crate::observation::BlockPos;

/// The width of a square.
const SQUARE: i32 = 5;
/// The maximum distance of a tree's leaves from its trunk.
const REACH: i32 = 7;

/// Plants the trees of a chunk, and the parts of those beside it that reach into it.
pub(super) fn plant(plan: &mut ColumnPlan, relief: &Relief<'_>, seed: u64, chunk_x: i32, chunk_z: i32) {
    let (west, north) = (chunk_x * 16, chunk_z * 16);
    for (drawn, [x, z]) in scattered((seed, 31), [SQUARE, SQUARE - 1, REACH], [chunk_x, chunk_z]) {
        let draw = (drawn & 255) as u32;
        if draw >= MAX_DENSITY {
            continue;
        }
        let place = relief.at(west + x, north + z);
        let lowest = if place.biome == Biome::MangroveSwamp { SEA_LEVEL - 4 } else { SEA_LEVEL };
        if draw >= density(place.biome) || place.height <= lowest {
            continue;
        }
        if (0..16).contains(&x) && (0..16).contains(&z) {
            plan.trees.push(BlockPos::new(west + x, place.height + 1, north + z));
        }
        tree(plan, &mut Pcg32::seed_from_u64(drawn), place.biome, [x, place.height + 1, z]);
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
fn tree(plan: &mut ColumnPlan, rng: &mut Pcg32, biome: Biome, at: [i32; 3]) {
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
