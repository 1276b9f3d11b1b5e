//! The plan of a chunk column: what every kind of terrain makes before its sections are filled.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use crate::blocks::Block;
use crate::observation::BlockPos;

/// The lowest block.
pub const MIN_Y: i32 = -64;
/// The number of sections of 16 blocks in a column.
pub const SECTIONS: usize = 16;
/// The first y above the world.
pub const MAX_Y: i32 = MIN_Y + 16 * SECTIONS as i32;
/// The y of the topmost water block of lakes.
pub const SEA_LEVEL: i32 = 62;

/// Blocks of a section: x, z and y, each 0 to 15, in `y * 256 + z * 16 + x`.
pub const SECTION_VOLUME: usize = 4096;

/// The land's character at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Biome {
    Plains,
    Forest,
    Taiga,
    WindsweptHills,
    Lake,
}

impl Biome {
    /// The game's identifier without `minecraft:`.
    pub fn name(self) -> &'static str {
        match self {
            Biome::Plains => "plains",
            Biome::Forest => "forest",
            Biome::Taiga => "taiga",
            Biome::WindsweptHills => "windswept_hills",
            Biome::Lake => "river",
        }
    }
}

/// The plan of a chunk column, made before its sections are filled.
#[derive(Clone, Debug)]
pub struct ColumnPlan {
    /// The topmost ground block (not water, not trees) by `z * 16 + x`, caves not considered.
    pub heights: [i16; 256],
    /// The biome by `z * 16 + x`.
    pub biomes: [Biome; 256],
    /// Blocks laid over the ground, by section: position in the section and block, in the order they are laid.
    pub overlays: Vec<Vec<Overlay>>,
    /// Trunks' lowest logs.
    pub trees: Vec<BlockPos>,
}

/// One block laid over the ground, if the block there allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Position in the section.
    pub index: u16,
    /// The block.
    pub block: Block,
    /// Whether it replaces air (trees) or rock (ores and pockets).
    pub onto_air: bool,
}

/// A section's blocks.
#[derive(Clone, Debug)]
pub enum Cells {
    /// The same block everywhere.
    Uniform(Block),
    /// A block for each cell.
    Blocks(Box<[Block; SECTION_VOLUME]>),
}

impl ColumnPlan {
    pub(super) fn new(heights: [i16; 256], biomes: [Biome; 256]) -> Self {
        Self { heights, biomes, overlays: vec![Vec::new(); SECTIONS], trees: Vec::new() }
    }

    /// Lays a block at x and z (0 to 15) in the column, at y in the world.
    pub(super) fn lay(&mut self, x: i32, y: i32, z: i32, block: Block, onto_air: bool) {
        if (0..16).contains(&x) && (0..16).contains(&z) && (MIN_Y..MAX_Y).contains(&y) {
            let from_bottom = (y - MIN_Y) as usize;
            let index = (((from_bottom % 16) * 256) as i32 + z * 16 + x) as u16;
            self.overlays[from_bottom / 16].push(Overlay { index, block, onto_air });
        }
    }

    /// Applies a section's overlays; returns whether anything was laid.
    pub(super) fn apply(&self, section: usize, blocks: &mut [Block; SECTION_VOLUME]) {
        for overlay in &self.overlays[section] {
            let cell = &mut blocks[usize::from(overlay.index)];
            let fits = if overlay.onto_air { *cell == Block::Air } else { cell.is_rock() };
            if fits {
                *cell = overlay.block;
            }
        }
    }
}

/// A well-mixed number from a seed and three coordinates.
pub fn mix(seed: u64, x: i32, y: i32, z: i32) -> u64 {
    let mut value = seed
        ^ (x as u32 as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (y as u32 as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ (z as u32 as u64).wrapping_mul(0x1656_67B1_9E37_79F9);
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// The random numbers of one purpose (`salt`) in one chunk.
pub(super) fn chunk_rng(seed: u64, chunk_x: i32, chunk_z: i32, salt: i32) -> Pcg32 {
    Pcg32::seed_from_u64(mix(seed, chunk_x, salt, chunk_z))
}
