//! The embedded world's blocks as a [`Land`]: every position is loaded.

use crate::blocks::{BLOCK_KINDS, BLOCKS, Block};
use crate::grid::Grid;
use crate::land::{Cell, Land};
use crate::observation::BlockPos;
use crate::sight::{Sight, VisibleKind};
use crate::terrain::{MIN_Y, SECTIONS};

impl Land for Grid {
    fn cell(&mut self, pos: BlockPos) -> Cell {
        // The length is a power of two, so that masking the index replaces a bounds check.
        const CELLS: [Cell; 128] = {
            let mut cells = [Cell::UNKNOWN; 128];
            let mut kind = 0;
            while kind < BLOCK_KINDS {
                cells[kind] = Cell::of(BLOCKS[kind]);
                kind += 1;
            }
            cells
        };
        CELLS[self.block(pos) as usize & 127]
    }

    fn listed(&mut self, [x, y, z]: [i32; 3], sight: Sight, kind: VisibleKind) -> &[(u16, Block)] {
        let Some(section) = usize::try_from(y - (MIN_Y >> 4)).ok().filter(|section| *section < SECTIONS) else {
            return &[];
        };
        match (kind, sight) {
            (VisibleKind::Stone, _) => &self.exposed(x, section, z).stone,
            (VisibleKind::Landmarks, Sight::Exposed) => &self.exposed(x, section, z).landmarks,
            (VisibleKind::Landmarks, Sight::Loaded) => self.landmarks(x, section, z),
        }
    }

    fn ground(&mut self, x: i32, z: i32) -> Option<i32> {
        Some(Grid::ground(self, x, z))
    }

    fn biome(&mut self, pos: BlockPos) -> String {
        Grid::biome(self, pos.x, pos.z).name().to_owned()
    }

    fn diamond_level(&mut self, _: BlockPos) -> i32 {
        self.terrain().diamond_level()
    }

    fn is_firm_section(&mut self, pos: BlockPos) -> bool {
        !self.is_loose_section(pos)
    }
}
