//! The game's ores and blobs: their number per chunk, sizes and heights.
//!
//! The numbers are those of the game's world generation since 1.18 (with the second diamond feature of 1.20), as the
//! Minecraft wiki lists them on the page "Ore (feature)". Veins cross chunk borders. A vein's block exposed to air is
//! discarded with the feature's probability; air in a neighbouring section is not considered.

use std::ops::Range;

use rand::RngExt;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

use super::biome::Biome;
use super::ores::Heights::{self, Triangle, Uniform};
use super::plan::{ColumnPlan, MIN_Y, Onto, mix};
use crate::blocks::Block;

/// One of the game's features.
#[derive(Clone, Copy, Debug)]
struct Feature {
    block: Block,
    /// Veins per hundred chunks.
    per_hundred: u32,
    size: u32,
    heights: Heights,
    /// The percentage of blocks that are discarded if air is beside them; `None` for blobs.
    discarded: Option<u32>,
}

const fn blob(block: Block, per_hundred: u32, size: u32, low: i32, high: i32) -> Feature {
    Feature { block, per_hundred, size, heights: Heights::Uniform(low, high), discarded: None }
}

const fn ore(block: Block, count: u32, size: u32, heights: Heights, discarded: u32) -> Feature {
    Feature { block, per_hundred: count * 100, size, heights, discarded: Some(discarded) }
}

/// The features in the game's order: a later feature replaces only stone that is left.
const FEATURES: [Feature; 31] = [
    blob(Block::Dirt, 700, 33, 0, 160),
    blob(Block::Gravel, 1400, 33, -64, 319),
    blob(Block::Granite, 17, 64, 64, 128),
    blob(Block::Granite, 200, 64, 0, 60),
    blob(Block::Diorite, 17, 64, 64, 128),
    blob(Block::Diorite, 200, 64, 0, 60),
    blob(Block::Andesite, 17, 64, 64, 128),
    blob(Block::Andesite, 200, 64, 0, 60),
    blob(Block::Tuff, 200, 64, -64, 0),
    ore(Block::CoalOre, 30, 17, Uniform(136, 319), 0),
    ore(Block::CoalOre, 20, 17, Triangle(0, 192), 50),
    ore(Block::IronOre, 90, 9, Triangle(80, 384), 0),
    ore(Block::IronOre, 10, 9, Triangle(-24, 56), 0),
    ore(Block::IronOre, 10, 4, Uniform(-64, 72), 0),
    ore(Block::GoldOre, 4, 9, Triangle(-64, 32), 50),
    Feature { per_hundred: 50, ..ore(Block::GoldOre, 1, 9, Uniform(-64, -48), 50) },
    ore(Block::RedstoneOre, 4, 8, Uniform(-64, 15), 0),
    ore(Block::RedstoneOre, 8, 8, Triangle(-96, -32), 0),
    ore(Block::DiamondOre, 7, 4, Triangle(-144, 16), 50),
    ore(Block::DiamondOre, 2, 8, Uniform(-64, -4), 50),
    Feature { per_hundred: 11, ..ore(Block::DiamondOre, 1, 12, Triangle(-144, 16), 70) },
    ore(Block::DiamondOre, 4, 8, Triangle(-144, 16), 100),
    ore(Block::LapisOre, 2, 7, Triangle(-32, 32), 0),
    ore(Block::LapisOre, 4, 7, Uniform(-64, 64), 100),
    ore(Block::CopperOre, 16, 10, Triangle(-16, 112), 0),
    // Hazards and curiosities at the depths of the game.
    blob(Block::MagmaBlock, 150, 9, -60, -46),
    blob(Block::Calcite, 20, 33, -40, 30),
    blob(Block::Clay, 30, 17, 40, 62),
    blob(Block::Lava, 60, 9, -58, 8),
    blob(Block::Lava, 20, 17, -58, -40),
    blob(Block::Water, 60, 9, -40, 60),
];

/// A feature of badlands only.
const BADLANDS: Feature = ore(Block::GoldOre, 50, 9, Uniform(32, 256), 0);

/// Lays the veins of a chunk, and the parts of its neighbours' veins that reach into it.
pub(super) fn lay(plan: &mut ColumnPlan, seed: u64, chunk_x: i32, chunk_z: i32) {
    let top = i32::from(plan.heights.iter().copied().max().unwrap_or(0));
    let badlands = plan.biomes.contains(&Biome::Badlands).then_some(&BADLANDS);
    let mut mask = Mask::default();
    for (number, feature) in FEATURES.iter().chain(badlands).enumerate() {
        let seed = mix(seed, number as i32, 21, 0);
        for (west, north) in (-1..=1).flat_map(|z| (-1..=1).map(move |x| (x, z))) {
            let drawn = |attempt: u32| mix(seed, chunk_x + west, attempt as i32, chunk_z + north);
            let more = drawn(u32::MAX) % 100 < u64::from(feature.per_hundred % 100);
            for attempt in 0..feature.per_hundred / 100 + u32::from(more) {
                let drawn = drawn(attempt);
                let (x, z) = (west * 16 + (drawn & 15) as i32, north * 16 + (drawn >> 4 & 15) as i32);
                let near = |part: i32| (-feature.reach()..16 + feature.reach()).contains(&part);
                if near(x) && near(z) {
                    vein(plan, &mut Pcg32::seed_from_u64(drawn), feature, [x, z], top, &mut mask);
                }
            }
        }
    }
}

impl Feature {
    /// The horizontal distance that a vein can reach from its start, in blocks.
    fn reach(&self) -> i32 {
        (self.size / 8 + self.size / 16 + 2) as i32
    }
}

/// The blocks around a vein's start that belong to it.
struct Mask([u64; Mask::WORDS]);

impl Default for Mask {
    fn default() -> Self {
        Self([0; Self::WORDS])
    }
}

impl Mask {
    const FLAT: i32 = 14;
    const HIGH: i32 = 8;
    const WIDTH: i32 = 2 * Self::FLAT + 1;
    const WORDS: usize = (Self::WIDTH * Self::WIDTH * (2 * Self::HIGH + 1)) as usize / 64 + 1;

    /// Marks a block. Returns whether it was unmarked.
    fn mark(&mut self, [x, y, z]: [i32; 3]) -> bool {
        if x.abs() > Self::FLAT || z.abs() > Self::FLAT || y.abs() > Self::HIGH {
            return false;
        }
        let bit = (((y + Self::HIGH) * Self::WIDTH + z + Self::FLAT) * Self::WIDTH + x + Self::FLAT) as usize;
        let new = self.0[bit / 64] >> (bit % 64) & 1 == 0;
        self.0[bit / 64] |= 1 << (bit % 64);
        new
    }
}

/// The maximum number of balls of a vein. The balls of blobs are so large that six leave no gaps.
const BALLS: usize = 17;
const BLOB_BALLS: u32 = 6;

/// Lays a vein: balls along a slanted line, thick in its middle, as in the game.
fn vein(plan: &mut ColumnPlan, rng: &mut Pcg32, feature: &Feature, [x, z]: [i32; 2], top: i32, mask: &mut Mask) {
    let y = feature.heights.draw(rng);
    if y > top + Mask::HIGH || y < MIN_Y - Mask::HIGH {
        return;
    }
    let size = f64::from(feature.size);
    let angle = rng.random_range(0.0..std::f64::consts::PI);
    let (along_x, along_z) = (angle.sin() * size / 8.0, angle.cos() * size / 8.0);
    // Most of the veins around a chunk miss it.
    let fattest = size / 16.0 + 0.5;
    let misses = |along: f64, start: i32| middles(0.0, along.abs() + fattest, start, 0..16).is_empty();
    if misses(along_x, x) || misses(along_z, z) {
        return;
    }
    let slant = [f64::from(rng.random_range(-2..=0)), f64::from(rng.random_range(-2..=0))];
    let balls = if feature.size as usize > BALLS { BLOB_BALLS } else { feature.size };
    // All random numbers are drawn before the first block, so that every chunk draws the same for a vein that crosses
    // its border.
    let mut radii = [0.0; BALLS];
    for (ball, radius) in (0..balls).zip(&mut radii) {
        let swell = (f64::from(ball) / f64::from(balls) * std::f64::consts::PI).sin() + 1.0;
        *radius = (swell * rng.random_range(0.0..1.0) * size / 16.0 + 1.0) / 2.0;
    }
    mask.0.fill(0);
    for (ball, radius) in (0..balls).zip(radii) {
        let share = f64::from(ball) / f64::from(balls);
        // The vein starts at a corner of a block, as in the game: small veins often have fewer blocks.
        let centre =
            [along_x * (1.0 - 2.0 * share), slant[0] + (slant[1] - slant[0]) * share, along_z * (1.0 - 2.0 * share)];
        if middles(centre[0], radius, x, 0..16).is_empty() || middles(centre[2], radius, z, 0..16).is_empty() {
            continue;
        }
        for dy in middles(centre[1], radius, y, MIN_Y..top + 1) {
            let flat = radius.powi(2) - (f64::from(dy) + 0.5 - centre[1]).powi(2);
            for dz in middles(centre[2], flat.max(0.0).sqrt(), z, 0..16) {
                let row = flat - (f64::from(dz) + 0.5 - centre[2]).powi(2);
                for dx in middles(centre[0], row.max(0.0).sqrt(), x, 0..16) {
                    if mask.mark([dx, dy, dz]) {
                        let onto = match feature.discarded {
                            None => Onto::Rock,
                            Some(chance) if rng.random_range(0..100) < chance => Onto::BuriedVein,
                            Some(_) => Onto::Vein,
                        };
                        plan.lay(x + dx, y + dy, z + dz, feature.block, onto);
                    }
                }
            }
        }
    }
}

/// The offsets of blocks along one axis whose middles are within a radius of a centre, and which are within a range
/// once `start` is added.
fn middles(centre: f64, radius: f64, start: i32, within: Range<i32>) -> Range<i32> {
    // This is much faster than the library's function; the values are between -40 and 40.
    let ceil = |value: f64| 64 - (64.0 - value) as i32;
    let (low, high) = (ceil(centre - radius - 0.5), ceil(centre + radius - 0.5));
    low.max(within.start - start)..high.min(within.end - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest veins of the game by size, as its wiki lists them.
    #[test]
    fn veins_have_the_games_sizes() {
        for (size, largest, least) in [(4, 5, 1), (7, 10, 4), (8, 10, 5), (9, 13, 6), (17, 37, 18), (33, 160, 70)] {
            let feature = blob(Block::Granite, 100, size, 40, 40);
            let blocks = (0..400).map(|seed| {
                let mut plan = ColumnPlan::new([100; 256], [Biome::Forest; 256]);
                vein(&mut plan, &mut Pcg32::seed_from_u64(seed), &feature, [8, 8], 100, &mut Mask::default());
                plan.overlays.iter().map(Vec::len).sum::<usize>()
            });
            let most = blocks.max().unwrap_or(0);
            assert!((least..=largest).contains(&most), "size {size}: {most}");
        }
    }

    /// A vein that crosses a border is the same from both sides.
    #[test]
    fn veins_cross_borders_whole() {
        let feature = blob(Block::Granite, 100, 33, 40, 40);
        let lay = |x: i32| {
            let mut plan = ColumnPlan::new([100; 256], [Biome::Forest; 256]);
            vein(&mut plan, &mut Pcg32::seed_from_u64(7), &feature, [x, 8], 100, &mut Mask::default());
            plan.overlays.iter().map(Vec::len).sum::<usize>()
        };
        assert_eq!(lay(15) + lay(-1), lay(7));
        assert!(lay(15) > 0 && lay(-1) > 0);
    }
}
