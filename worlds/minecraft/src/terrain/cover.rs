//! Ground cover: grass and flowers, cactus, pits of powder snow, spikes of ice and icebergs.

use rand::RngExt;
use rand_pcg::Pcg32;

use super::biome::Biome;
use super::features::{ball, circle};
use super::plan::{ColumnPlan, Onto, SEA_LEVEL};
use crate::blocks::Block;
use crate::observation::BlockPos;

/// Covers a chunk.
pub(super) fn lay(plan: &mut ColumnPlan, rng: &mut Pcg32) {
    for _ in 0..48 {
        let (x, z) = (rng.random_range(0..16), rng.random_range(0..16));
        let column = (z * 16 + x) as usize;
        let y = i32::from(plan.heights[column]) + 1;
        if let Some(plant) = plant(plan.biomes[column], rng) {
            plan.lay(x, y, z, plant, Onto::Soil);
        }
    }
    match plan.biomes[8 * 16 + 8] {
        Biome::SnowySlopes | Biome::SnowyPlains if rng.random_range(0..2) == 0 => pit(plan, rng),
        Biome::IceSpikes => (0..rng.random_range(0..3)).for_each(|_| spike(plan, rng)),
        Biome::FrozenOcean if rng.random_range(0..6) == 0 => iceberg(plan, rng),
        _ => {}
    }
}

/// A random plant of a biome, or `None`.
fn plant(biome: Biome, rng: &mut Pcg32) -> Option<Block> {
    let die = rng.random_range(0..100);
    Some(match biome {
        Biome::Desert | Biome::Badlands => match die {
            0..4 => Block::Cactus,
            4..12 => Block::DeadBush,
            _ => return None,
        },
        Biome::Plains | Biome::Forest | Biome::CherryGrove | Biome::DarkForest if die < 8 => {
            if die % 2 == 0 {
                Block::Poppy
            } else {
                Block::Dandelion
            }
        }
        Biome::SnowyTaiga if die < 30 => Block::Fern,
        Biome::Jungle if die < 40 => Block::Fern,
        Biome::Plains | Biome::Jungle if die < 90 => Block::ShortGrass,
        Biome::Forest | Biome::CherryGrove | Biome::WindsweptHills | Biome::MangroveSwamp if die < 45 => {
            Block::ShortGrass
        }
        _ => return None,
    })
}

/// Powder snow in the ground, two to four blocks wide and three deep.
fn pit(plan: &mut ColumnPlan, rng: &mut Pcg32) {
    let (west, north, width) = (rng.random_range(0..12), rng.random_range(0..12), rng.random_range(2..5));
    for z in north..north + width {
        for x in west..west + width {
            let ground = i32::from(plan.heights[(z * 16 + x) as usize]);
            for y in ground - 2..=ground {
                plan.lay(x, y, z, Block::PowderSnow, Onto::Ground);
            }
            plan.lay(x, ground + 1, z, Block::Air, Onto::Anything);
        }
    }
}

/// A cone of packed ice.
fn spike(plan: &mut ColumnPlan, rng: &mut Pcg32) {
    let (x, z, radius) = (rng.random_range(3..13), rng.random_range(3..13), rng.random_range(1..4));
    let ground = i32::from(plan.heights[(z * 16 + x) as usize]);
    let height = radius * rng.random_range(4..8);
    for y in -2..height {
        let wide = radius - radius * y.max(0) / height;
        for (dx, dz) in circle(wide) {
            plan.lay(x + dx, ground + 1 + y, z + dz, Block::PackedIce, Onto::Open);
        }
    }
}

/// A hill of packed and blue ice in the sea.
fn iceberg(plan: &mut ColumnPlan, rng: &mut Pcg32) {
    let (x, z, radius) = (rng.random_range(5..11), rng.random_range(5..11), rng.random_range(3..6));
    for at in ball(radius) {
        let inside = at.squared_distance(BlockPos::new(0, 0, 0)) < i64::from(radius);
        let block = if inside { Block::BlueIce } else { Block::PackedIce };
        plan.lay(x + at.x, SEA_LEVEL + at.y, z + at.z, block, Onto::Open);
    }
}
