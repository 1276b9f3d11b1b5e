//! Rock by height: stone, deepslate below it, bedrock at the bottom.

use super::plan::{MIN_Y, SECTION_VOLUME, mix};
use crate::blocks::Block;

/// Fills a section with rock. The corner is the chunk's x, the y of the lowest blocks, and the chunk's z.
pub(super) fn fill(blocks: &mut [Block; SECTION_VOLUME], seed: u64, [chunk_x, bottom, chunk_z]: [i32; 3]) {
    if bottom >= 16 {
        blocks.fill(Block::Stone);
        return;
    }
    blocks.fill(Block::Deepslate);
    if bottom == MIN_Y || bottom == 0 {
        // Stone changes to deepslate over eight blocks, deepslate to bedrock over four.
        let mixed = if bottom == 0 { 8 } else { 4 };
        for (index, block) in blocks.iter_mut().enumerate() {
            let y = bottom + (index / 256) as i32;
            if y - bottom >= mixed {
                if bottom == 0 {
                    *block = Block::Stone;
                }
                continue;
            }
            let (x, z) = (chunk_x * 16 + (index % 16) as i32, chunk_z * 16 + (index / 16 % 16) as i32);
            let chance = (mix(seed, x, y, z) % 8) as i32;
            if bottom == 0 && chance < y {
                *block = Block::Stone;
            } else if bottom == MIN_Y && y - MIN_Y <= chance / 2 {
                *block = Block::Bedrock;
            }
        }
    }
}
