//! The blocks of a section of 16 x 16 x 16 with a see-through neighbour.

use super::blocks::Block;

/// A block with its position in its section.
pub type IndexedBlock = (u16, Block);

/// The see-through blocks of a section: a bit row along x for every y and z (`y * 16 + z`).
pub type Rows = [u16; 256];

/// The see-through blocks of the sections around a section.
#[derive(Clone, Debug)]
pub struct Neighbours {
    pub below: Rows,
    pub above: Rows,
    pub north: Rows,
    pub south: Rows,
    pub west: Rows,
    pub east: Rows,
}

/// The blocks of a section with a see-through neighbour.
#[derive(Clone, Debug, Default)]
pub struct Exposed {
    /// Landmarks.
    pub landmarks: Vec<IndexedBlock>,
    /// Stone.
    pub stone: Vec<IndexedBlock>,
}

impl Exposed {
    /// Finds the exposed blocks of a section, from its own see-through blocks, those around it, and the block at each
    /// position (`None` if unknown).
    pub fn find(here: &Rows, neighbours: &Neighbours, block: impl Fn(usize) -> Option<Block>) -> Self {
        let Neighbours { below, above, north, south, west, east } = neighbours;
        let mut exposed = Self::default();
        for row in 0..256 {
            let (z, layer) = (row % 16, row / 16);
            let beside = [
                here[row] << 1 | west[row] >> 15,
                here[row] >> 1 | east[row] << 15,
                if z > 0 { here[row - 1] } else { north[row + 15] },
                if z < 15 { here[row + 1] } else { south[row - 15] },
                if layer > 0 { here[row - 16] } else { below[row + 240] },
                if layer < 15 { here[row + 16] } else { above[row - 240] },
            ];
            let mut shown = beside.iter().fold(0, |all, row| all | row);
            while shown != 0 {
                let index = row * 16 + shown.trailing_zeros() as usize;
                shown &= shown - 1;
                match block(index) {
                    Some(block) if block.is_stone() => exposed.stone.push((index as u16, block)),
                    Some(block) if block.is_landmark() => exposed.landmarks.push((index as u16, block)),
                    _ => {}
                }
            }
        }
        exposed
    }
}
