//! Islands in the air with a tree on them, above cliffs.

use rand::RngExt;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

use super::biome::Biome;
use super::groves;
use super::plan::{ColumnPlan, Onto, mix};
use super::relief::Relief;
use super::theme::Theme;
use crate::blocks::Block;

/// One square of this width in three has an island.
const SQUARE: i32 = 40;
/// The maximum radius of an island.
const RADIUS: i32 = 7;
/// The maximum distance of an island's parts from its middle, set by its tree's leaves.
const REACH: i32 = RADIUS + 3;

/// Hangs the islands of a chunk.
pub(super) fn hang(plan: &mut ColumnPlan, relief: &Relief<'_>, seed: u64, chunk_x: i32, chunk_z: i32) {
    let (west, north) = (chunk_x * 16, chunk_z * 16);
    let squares = |start: i32| (start - REACH).div_euclid(SQUARE)..=(start + 15 + REACH).div_euclid(SQUARE);
    for square_z in squares(north) {
        for square_x in squares(west) {
            let drawn = mix(seed, square_x, 51, square_z);
            let off = |bits: u64| (bits % SQUARE as u64) as i32;
            let (x, z) = (square_x * SQUARE + off(drawn >> 8 & 0xFFFF), square_z * SQUARE + off(drawn >> 24 & 0xFFFF));
            let near = |part: i32, start: i32| (start - REACH..start + 16 + REACH).contains(&part);
            if !drawn.is_multiple_of(3) || !near(x, west) || !near(z, north) {
                continue;
            }
            let place = relief.at(x, z);
            if relief.theme(x, z) == Theme::Cliffs && !place.biome.is_wet() {
                let mut rng = Pcg32::seed_from_u64(drawn);
                let y = place.height + rng.random_range(14..30);
                island(plan, &mut rng, [x - west, y, z - north], place.biome);
            }
        }
    }
}

/// An island with its grass at y, pointed below.
fn island(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3], biome: Biome) {
    let radius = rng.random_range(4..=RADIUS);
    for depth in 0..=radius {
        let wide = radius - depth * depth / radius;
        for dz in -wide..=wide {
            for dx in -wide..=wide {
                if dx * dx + dz * dz <= wide * wide {
                    let block = match depth {
                        0 => Block::GrassBlock,
                        1..3 => Block::Dirt,
                        _ => Block::Stone,
                    };
                    plan.lay(x + dx, y - depth, z + dz, block, Onto::Air);
                }
            }
        }
    }
    groves::tree(plan, rng, biome, [x, y + 1, z]);
}
