//! Features on and in the land: trees of three woods, pockets of lava, water and gravel.

use rand::RngExt;
use rand_pcg::Pcg32;

use super::biome::Biome;
use super::plan::{ColumnPlan, Onto, SEA_LEVEL};
use crate::blocks::Block;
use crate::observation::{BlockPos, positions};

/// Plants a chunk's trees: on ground above the water that is not bare rock.
pub(super) fn plant(plan: &mut ColumnPlan, rng: &mut Pcg32, origin: (i32, i32), bare: impl Fn(usize) -> bool) {
    let attempts = match plan.biomes[8 * 16 + 8] {
        Biome::Forest => rng.random_range(7..10),
        Biome::Taiga => rng.random_range(6..9),
        Biome::WindsweptHills => rng.random_range(2..5),
        _ => rng.random_range(0..3),
    };
    let mut trunks: Vec<(i32, i32)> = Vec::new();
    for _ in 0..attempts {
        // Two blocks from the border, so that the crown stays inside the chunk.
        let (x, z) = (rng.random_range(2..14), rng.random_range(2..14));
        let column = (z * 16 + x) as usize;
        let ground = i32::from(plan.heights[column]);
        let crowded = trunks.iter().any(|(tx, tz)| (tx - x).abs().max((tz - z).abs()) < 3);
        if crowded || ground <= SEA_LEVEL || bare(column) {
            continue;
        }
        trunks.push((x, z));
        plan.trees.push(BlockPos::new(origin.0 + x, ground + 1, origin.1 + z));
        match plan.biomes[column] {
            Biome::Taiga | Biome::WindsweptHills => spruce(plan, rng, [x, ground + 1, z]),
            _ if rng.random_range(0..10) < 3 => broadleaf(plan, rng, [x, ground + 1, z], Block::BirchLog),
            _ => broadleaf(plan, rng, [x, ground + 1, z], Block::OakLog),
        }
    }
}

/// An oak or a birch.
pub(super) fn broadleaf(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3], log: Block) {
    let (leaves, height) = match log {
        Block::BirchLog => (Block::BirchLeaves, rng.random_range(5..8)),
        _ => (Block::OakLeaves, rng.random_range(4..7)),
    };
    trunk(plan, [x, y, z], height, log);
    crown(plan, [x, y + height - 2, z], &[2, 2, 1, 1], leaves);
}

/// A spruce.
pub(super) fn spruce(plan: &mut ColumnPlan, rng: &mut Pcg32, [x, y, z]: [i32; 3]) {
    let height = rng.random_range(6..10);
    trunk(plan, [x, y, z], height, Block::SpruceLog);
    for layer in 2..=height {
        let radius = if layer >= height - 1 { 1 } else { 1 + (height - layer) % 2 };
        disc(plan, [x, y + layer, z], radius, Block::SpruceLeaves);
    }
    plan.lay(x, y + height, z, Block::SpruceLeaves, Onto::Air);
}

/// A column of logs.
pub(super) fn trunk(plan: &mut ColumnPlan, [x, y, z]: [i32; 3], height: i32, log: Block) {
    for layer in 0..height {
        plan.lay(x, y + layer, z, log, Onto::Air);
    }
}

/// Layers of leaves of these radii, from the bottom up.
pub(super) fn crown(plan: &mut ColumnPlan, [x, y, z]: [i32; 3], radii: &[i32], leaves: Block) {
    for (layer, radius) in (0..).zip(radii) {
        disc(plan, [x, y + layer, z], *radius, leaves);
    }
}

/// A square of leaves without its corners.
pub(super) fn disc(plan: &mut ColumnPlan, [x, y, z]: [i32; 3], radius: i32, leaves: Block) {
    for dz in -radius..=radius {
        for dx in -radius..=radius {
            if radius == 0 || dx.abs() + dz.abs() < 2 * radius {
                plan.lay(x + dx, y, z + dz, leaves, Onto::Air);
            }
        }
    }
}

/// Buries a chunk's pockets: lava or water rarely, gravel more often.
pub(super) fn bury(plan: &mut ColumnPlan, rng: &mut Pcg32) {
    if rng.random_range(0..3) == 0 {
        pocket(plan, rng, -58..8, Block::Lava);
    }
    if rng.random_range(0..4) == 0 {
        pocket(plan, rng, -40..40, Block::Water);
    }
    for _ in 0..3 {
        pocket(plan, rng, -58..60, Block::Gravel);
    }
}

fn pocket(plan: &mut ColumnPlan, rng: &mut Pcg32, heights: std::ops::Range<i32>, block: Block) {
    let (x, y, z) = (rng.random_range(3..13), rng.random_range(heights), rng.random_range(3..13));
    let radius = rng.random_range(1..=if block == Block::Gravel { 3 } else { 2 });
    for BlockPos { x: dx, y: dy, z: dz } in ball(radius) {
        plan.lay(x + dx, y + dy, z + dz, block, Onto::Rock);
    }
}

/// The offsets of a ball's blocks.
pub(super) fn ball(radius: i32) -> impl Iterator<Item = BlockPos> {
    let cube = positions(-radius..=radius, -radius..=radius, -radius..=radius);
    cube.filter(move |at| at.squared_distance(BlockPos::new(0, 0, 0)) <= i64::from(radius * radius))
}

/// The offsets of a circle's blocks, along x and z.
pub(super) fn circle(radius: i32) -> impl Iterator<Item = (i32, i32)> {
    let square = positions(-radius..=radius, 0..=0, -radius..=radius).map(|at| (at.x, at.z));
    square.filter(move |(x, z)| x * x + z * z <= radius * radius)
}
