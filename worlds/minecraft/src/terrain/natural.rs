//! The default terrain: rolling land with forests, windswept hills and lakes, caves below, lava at the bottom.

use noise::{NoiseFn, Perlin};

use super::biome::Biome;
use super::caves::Caves;
use super::plan::{Cells, ColumnPlan, MIN_Y, SEA_LEVEL, SECTION_VOLUME, chunk_rng, drop_beside, mix};
use super::{features, ores, rock};
use crate::blocks::Block;

/// Hollows at or below this y are full of lava, as in the game.
pub(super) const LAVA_LEVEL: i32 = -55;
/// The level at which a descent for diamonds ends: above the lava, near the densest diamonds.
pub(super) const DIAMOND_LEVEL: i32 = -52;

/// The default terrain of one seed.
#[derive(Clone, Debug)]
pub struct Natural {
    seed: u64,
    land: Perlin,
    hills: Perlin,
    detail: Perlin,
    climate: Perlin,
    caves: Caves,
}

impl Natural {
    pub(super) fn new(seed: u64) -> Self {
        let noise = |salt: i32| Perlin::new(mix(seed, salt, 0, 0) as u32);
        Self {
            seed,
            land: noise(1),
            hills: noise(2),
            detail: noise(3),
            climate: noise(4),
            caves: Caves::new(mix(seed, 5, 0, 0)),
        }
    }

    /// The land at a place: height, hilliness (0 to 1), and climate (-1 cold and wet to 1 warm and dry).
    fn land(&self, x: i32, z: i32) -> [f64; 3] {
        let (x, z) = (f64::from(x) + 0.5, f64::from(z) + 0.5);
        let hilliness = ((self.hills.get([x / 190.0 + 0.37, z / 190.0 + 0.71]) + 0.12) * 3.0).clamp(0.0, 1.0);
        let land = 67.0 + 8.0 * self.land.get([x / 150.0, z / 150.0]);
        let ridges = 1.0 - self.land.get([x / 58.0 + 9.3, z / 58.0 + 4.1]).abs() * 2.0;
        let height = land + hilliness * (10.0 + 20.0 * ridges.max(0.0));
        [height, hilliness, self.climate.get([x / 230.0 + 0.5, z / 230.0 + 0.5])]
    }

    pub(super) fn plan(&self, chunk_x: i32, chunk_z: i32) -> ColumnPlan {
        const STEP: usize = 4;
        const POINTS: usize = 16 / STEP + 1;
        let (west, north) = (chunk_x * 16, chunk_z * 16);
        // The slow noises are sampled every four blocks and interpolated; the detail is sampled in every column.
        let lattice: [[f64; 3]; POINTS * POINTS] = std::array::from_fn(|point| {
            self.land(west + (point % POINTS * STEP) as i32, north + (point / POINTS * STEP) as i32)
        });
        let mut heights = [0; 256];
        let mut biomes = [Biome::Plains; 256];
        for column in 0..256usize {
            let (x, z) = (column % 16, column / 16);
            let (u, v) = ((x % STEP) as f64 / STEP as f64, (z % STEP) as f64 / STEP as f64);
            let corner = z / STEP * POINTS + x / STEP;
            let [land, hilliness, climate] = std::array::from_fn(|part| {
                let lerp = |a: usize, b: usize| lattice[a][part] + (lattice[b][part] - lattice[a][part]) * u;
                let (near, far) = (lerp(corner, corner + 1), lerp(corner + POINTS, corner + POINTS + 1));
                near + (far - near) * v
            });
            let at = |start: i32, offset: usize| (f64::from(start + offset as i32) + 0.5) / 21.0;
            let detail = self.detail.get([at(west, x), at(north, z)]);
            let height = land + detail * (1.5 + 4.5 * hilliness);
            heights[column] = height.clamp(48.0, 130.0) as i16;
            biomes[column] = if i32::from(heights[column]) < SEA_LEVEL {
                Biome::Lake
            } else if hilliness > 0.45 {
                Biome::WindsweptHills
            } else {
                match climate {
                    ..-0.18 => Biome::Taiga,
                    0.3.. => Biome::Plains,
                    _ => Biome::Forest,
                }
            };
        }
        let mut plan = ColumnPlan::new(heights, biomes);
        ores::lay(&mut plan, &mut chunk_rng(self.seed, chunk_x, chunk_z, 1));
        features::bury(&mut plan, &mut chunk_rng(self.seed, chunk_x, chunk_z, 2));
        let bare = |column| soil_depth(&heights, &biomes, column) == 0;
        let origin = (chunk_x * 16, chunk_z * 16);
        features::plant(&mut plan, &mut chunk_rng(self.seed, chunk_x, chunk_z, 3), origin, bare);
        plan
    }

    pub(super) fn section(&self, plan: &ColumnPlan, chunk_x: i32, section: usize, chunk_z: i32) -> Cells {
        let bottom = MIN_Y + 16 * section as i32;
        let highest = plan.heights.iter().copied().max().map_or(0, i32::from).max(SEA_LEVEL);
        if bottom > highest && plan.overlays[section].is_empty() {
            return Cells::Uniform(Block::Air);
        }
        let mut blocks = Box::new([Block::Air; SECTION_VOLUME]);
        let lowest = plan.heights.iter().copied().min().map_or(0, i32::from);
        if bottom + 15 < lowest - 4 {
            rock::fill(&mut blocks, self.seed, [chunk_x, bottom, chunk_z]);
        } else {
            fill_surface(&mut blocks, plan, bottom);
        }
        if bottom <= highest {
            self.caves.carve(chunk_x, section, chunk_z, |index| {
                let ground = i32::from(plan.heights[index % 256]);
                let y = bottom + (index / 256) as i32;
                // The bottoms of lakes and the bedrock are not hollowed out.
                let roof = if ground <= SEA_LEVEL + 1 { 8 } else { 0 };
                if y > MIN_Y + 4 && y <= ground - roof && blocks[index].is_solid() {
                    blocks[index] = if y <= LAVA_LEVEL { Block::Lava } else { Block::Air };
                }
            });
        }
        plan.apply(section, &mut blocks);
        Cells::Blocks(blocks)
    }
}

/// Soil, sand or gravel over rock, water up to the sea level.
fn fill_surface(blocks: &mut [Block; SECTION_VOLUME], plan: &ColumnPlan, bottom: i32) {
    for column in 0..256 {
        let ground = i32::from(plan.heights[column]);
        let soil = soil_depth(&plan.heights, &plan.biomes, column);
        let shore = ground <= SEA_LEVEL;
        for layer in 0..16 {
            let y = bottom + layer;
            let depth = ground - y;
            blocks[layer as usize * 256 + column] = match depth {
                ..0 if y <= SEA_LEVEL => Block::Water,
                ..0 => Block::Air,
                _ if depth >= soil => Block::Stone,
                _ if shore && ground < SEA_LEVEL - 3 => Block::Gravel,
                _ if shore => Block::Sand,
                0 => Block::GrassBlock,
                _ => Block::Dirt,
            };
        }
    }
}

/// The thickness of the soil: zero on steep hills, four blocks elsewhere.
fn soil_depth(heights: &[i16; 256], biomes: &[Biome; 256], column: usize) -> i32 {
    let here = heights[column];
    match drop_beside(heights, column) {
        2.. => 0,
        1 if biomes[column] == Biome::WindsweptHills && here > 84 => 0,
        _ => 4,
    }
}
