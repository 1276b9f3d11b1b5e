//! The plan of a chunk column, made before its sections are filled.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

use super::biome::Biome;
use crate::blocks::Block;
use crate::observation::BlockPos;

/// The lowest block.
pub const MIN_Y: i32 = -64;
/// The number of sections of 16 blocks in a column.
pub const SECTIONS: usize = 24;
/// The first y above the world.
pub const MAX_Y: i32 = MIN_Y + 16 * SECTIONS as i32;
/// The y of the topmost water block of lakes.
pub const SEA_LEVEL: i32 = 62;

/// Blocks of a section: x, z and y, each 0 to 15, in `y * 256 + z * 16 + x`.
pub const SECTION_VOLUME: usize = 4096;

/// The plan of a chunk column.
#[derive(Clone, Debug)]
pub struct ColumnPlan {
    /// The topmost ground block (not water, not trees) by `z * 16 + x`, ignoring caves.
    pub heights: [i16; 256],
    /// The biome by `z * 16 + x`.
    pub biomes: [Biome; 256],
    /// Blocks laid over the ground, by section: position in the section and block, in the order they are laid.
    pub overlays: Vec<Vec<Overlay>>,
    /// The lowest logs of trunks.
    pub trees: Vec<BlockPos>,
}

/// One block laid over the ground, if the block there allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Position in the section.
    pub index: u16,
    /// The block.
    pub block: Block,
    /// The blocks that it replaces.
    pub onto: Onto,
}

/// The blocks that an overlay replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onto {
    /// Air: trees.
    Air,
    /// Air and water: trees that stand in water.
    Open,
    /// Natural stone: pockets and blobs.
    Rock,
    /// Natural stone, replaced by the variant of the ore for that rock.
    Vein,
    /// As [`Self::Vein`], but only if no neighbour in the section is open.
    BuriedVein,
    /// Air on top of a block of the section that bodies can stand on, except ice and leaves: plants.
    Soil,
    /// Grass, dirt and sand: pits.
    Ground,
    /// Everything but bedrock: pits.
    Anything,
}

/// A section's blocks.
#[derive(Clone, Debug)]
pub enum Cells {
    /// The same block everywhere.
    Uniform(Block),
    /// A block for each cell.
    Blocks(Box<[Block; SECTION_VOLUME]>),
}

impl Cells {
    /// The block of a cell.
    pub fn get(&self, index: usize) -> Block {
        match self {
            Self::Uniform(block) => *block,
            Self::Blocks(blocks) => blocks[index],
        }
    }
}

impl ColumnPlan {
    pub(super) fn new(heights: [i16; 256], biomes: [Biome; 256]) -> Self {
        Self { heights, biomes, overlays: vec![Vec::new(); SECTIONS], trees: Vec::new() }
    }

    /// Lays a block at x and z (0 to 15) in the column, at y in the world.
    pub(super) fn lay(&mut self, x: i32, y: i32, z: i32, block: Block, onto: Onto) {
        if (0..16).contains(&x) && (0..16).contains(&z) && (MIN_Y..MAX_Y).contains(&y) {
            let from_bottom = (y - MIN_Y) as usize;
            let index = (((from_bottom % 16) * 256) as i32 + z * 16 + x) as u16;
            self.overlays[from_bottom / 16].push(Overlay { index, block, onto });
        }
    }

    /// Applies a section's overlays.
    pub(super) fn apply(&self, section: usize, blocks: &mut [Block; SECTION_VOLUME]) {
        for Overlay { index, block, onto } in &self.overlays[section] {
            let at = usize::from(*index);
            let cell = blocks[at];
            let laid = match onto {
                Onto::Air => (cell == Block::Air).then_some(*block),
                Onto::Open => matches!(cell, Block::Air | Block::Water).then_some(*block),
                Onto::Rock => cell.is_rock().then_some(*block),
                Onto::Vein => ore_in(cell, *block),
                Onto::BuriedVein => ore_in(cell, *block).filter(|_| is_buried(blocks, at)),
                Onto::Soil => (cell == Block::Air && at >= 256 && is_soil(blocks[at - 256])).then_some(*block),
                Onto::Ground => {
                    matches!(cell, Block::GrassBlock | Block::Dirt | Block::Sand | Block::SnowBlock).then_some(*block)
                }
                Onto::Anything => (cell != Block::Bedrock).then_some(*block),
            };
            if let Some(laid) = laid {
                blocks[at] = laid;
            }
        }
    }
}

/// The height of a column above the lowest one beside it in its chunk, in blocks; negative in a hollow.
pub(super) fn drop_beside(heights: &[i16; 256], column: usize) -> i16 {
    let (x, z) = (column % 16, column / 16);
    let beside = [
        (x > 0).then(|| heights[column - 1]),
        (x < 15).then(|| heights[column + 1]),
        (z > 0).then(|| heights[column - 16]),
        (z < 15).then(|| heights[column + 16]),
    ];
    beside.into_iter().flatten().map(|height| heights[column] - height).max().unwrap_or(0)
}

/// The ore of a vein in a rock.
fn ore_in(rock: Block, ore: Block) -> Option<Block> {
    rock.is_rock().then(|| if matches!(rock, Block::Deepslate | Block::Tuff) { ore.in_deepslate() } else { ore })
}

/// Returns whether plants grow on a block.
fn is_soil(block: Block) -> bool {
    matches!(
        block,
        Block::GrassBlock
            | Block::Dirt
            | Block::CoarseDirt
            | Block::Podzol
            | Block::Sand
            | Block::RedSand
            | Block::Terracotta
            | Block::Mud
    )
}

/// Returns whether every neighbour in the section is closed.
fn is_buried(blocks: &[Block; SECTION_VOLUME], at: usize) -> bool {
    let (x, z, y) = (at % 16, at / 16 % 16, at / 256);
    let closed = |inside: bool, beside: usize| !inside || !blocks[beside].is_open();
    closed(x > 0, at.wrapping_sub(1))
        && closed(x < 15, at + 1)
        && closed(z > 0, at.wrapping_sub(16))
        && closed(z < 15, at + 16)
        && closed(y > 0, at.wrapping_sub(256))
        && closed(y < 15, at + 256)
}

/// Hashes a seed and three coordinates.
pub fn mix(seed: u64, x: i32, y: i32, z: i32) -> u64 {
    let mut value = seed
        ^ (x as u32 as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (y as u32 as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ (z as u32 as u64).wrapping_mul(0x1656_67B1_9E37_79F9);
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// The random generator for one purpose (`salt`) in one chunk.
pub(super) fn chunk_rng(seed: u64, chunk_x: i32, chunk_z: i32, salt: i32) -> Pcg32 {
    Pcg32::seed_from_u64(mix(seed, chunk_x, salt, chunk_z))
}

/// The places near a chunk at which its surroundings have one thing in every square of this width: each with its hash
/// and its position relative to the chunk's corner, no more than `reach` outside the chunk. They lie up to `spread`
/// blocks from the corners of their squares.
pub(super) fn scattered(
    (seed, salt): (u64, i32),
    [square, spread, reach]: [i32; 3],
    [chunk_x, chunk_z]: [i32; 2],
) -> impl Iterator<Item = (u64, [i32; 2])> {
    let squares = move |start: i32| (start - reach).div_euclid(square)..=(start + 15 + reach).div_euclid(square);
    let (west, north) = (chunk_x * 16, chunk_z * 16);
    let all = squares(north).flat_map(move |z| squares(west).map(move |x| (x, z)));
    let placed = all.map(move |(x, z)| {
        let drawn = mix(seed, x, salt, z);
        let off = |bits: u64| (bits & 0xFFFF) as i32 % spread;
        (drawn, [x * square + off(drawn >> 8) - west, z * square + off(drawn >> 24) - north])
    });
    placed.filter(move |(_, at)| at.iter().all(|part| (-reach..16 + reach).contains(part)))
}
