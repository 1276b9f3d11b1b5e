//! Islands in the air with a tree on them, above cliffs.

use rand::RngExt;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

use super::biome::Biome;
use super::features::circle;
use super::groves;
use super::plan::{ColumnPlan, Onto, scattered};
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
    for (drawn, [x, z]) in scattered((seed, 51), [SQUARE, SQUARE, REACH], [chunk_x, chunk_z]) {
        let (east, south) = (chunk_x * 16 + x, chunk_z * 16 + z);
        if !drawn.is_multiple_of(3) || relief.theme(east, south) != Theme::Cliffs {
            continue;
        }
        let place = relief.at(east, south);
        if !place.biome.is_wet() {
            let mut rng = Pcg32::seed_from_u64(drawn);
            let y = place.height + rng.random_range(14..30);
            island(plan, &mut rng, [x, y, z], place.biome);
        }
    }
}

/// An island with its grass at y, pointed below.
fn island(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3], biome: Biome) {
    let radius = rng.random_range(4..=RADIUS);
    for depth in 0..=radius {
        let wide = radius - depth * depth / radius;
        let block = match depth {
            0 => Block::GrassBlock,
            1..3 => Block::Dirt,
            _ => Block::Stone,
        };
        for (dx, dz) in circle(wide) {
            plan.lay(x + dx, y - depth, z + dz, block, Onto::Air);
        }
    }
    groves::tree(plan, rng, biome, [x, y + 1, z]);
}
