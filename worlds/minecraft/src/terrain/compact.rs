//! A small terrain for tests: a meadow with trees, a cliff full of ores to the east, diamonds and the floor not far
//! below.

use rand::RngExt;

use super::biome::Biome;
use super::features;
use super::plan::{Cells, ColumnPlan, MIN_Y, Onto, SECTION_VOLUME, chunk_rng};
use crate::blocks::Block;

const MEADOW: i32 = 64;
/// The lowest rock; bedrock below.
const FLOOR: i32 = 32;
/// The level of diamonds.
pub(super) const DIAMOND_LEVEL: i32 = 40;

/// The compact terrain of one seed. Its shape is the same everywhere; the seed determines ores and trees.
#[derive(Clone, Debug)]
pub struct Compact {
    seed: u64,
}

impl Compact {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed }
    }

    pub(super) fn plan(&self, chunk_x: i32, chunk_z: i32) -> ColumnPlan {
        // Every fourth chunk eastwards begins with a cliff of six blocks.
        let cliff = chunk_x.rem_euclid(4) == 1;
        let heights = std::array::from_fn(|column| if cliff && column % 16 >= 4 { MEADOW + 6 } else { MEADOW } as i16);
        let mut plan = ColumnPlan::new(heights, [Biome::Forest; 256]);
        let mut rng = chunk_rng(self.seed, chunk_x, chunk_z, 1);
        for (ore, heights, count) in [
            (Block::CoalOre, MEADOW + 1..MEADOW + 6, 24),
            (Block::IronOre, MEADOW + 1..MEADOW + 6, 24),
            (Block::IronOre, FLOOR + 2..MEADOW - 4, 60),
            (Block::CoalOre, FLOOR + 2..MEADOW - 4, 60),
            (Block::DiamondOre, FLOOR + 1..DIAMOND_LEVEL + 4, 40),
        ] {
            for _ in 0..count {
                let (x, z) = (rng.random_range(0..16), rng.random_range(0..16));
                plan.lay(x, rng.random_range(heights.clone()), z, ore, Onto::Rock);
            }
        }
        if !cliff {
            let origin = (chunk_x * 16, chunk_z * 16);
            features::plant(&mut plan, &mut chunk_rng(self.seed, chunk_x, chunk_z, 2), origin, |_| false);
        }
        plan
    }

    pub(super) fn section(&self, plan: &ColumnPlan, _chunk_x: i32, section: usize, _chunk_z: i32) -> Cells {
        let bottom = MIN_Y + 16 * section as i32;
        if bottom > MEADOW + 6 && plan.overlays[section].is_empty() {
            return Cells::Uniform(Block::Air);
        }
        let mut blocks = Box::new([Block::Air; SECTION_VOLUME]);
        for (index, block) in blocks.iter_mut().enumerate() {
            let y = bottom + (index / 256) as i32;
            let depth = i32::from(plan.heights[index % 256]) - y;
            *block = match depth {
                ..0 => Block::Air,
                _ if y < FLOOR => Block::Bedrock,
                _ if y > MEADOW => Block::Stone,
                0 => Block::GrassBlock,
                1..4 => Block::Dirt,
                _ => Block::Stone,
            };
        }
        plan.apply(section, &mut blocks);
        Cells::Blocks(blocks)
    }
}
