//! The embedded world's blocks as a [`Land`]: every position is loaded.

use crate::blocks::{BLOCK_KINDS, BLOCKS, Block};
use crate::grid::{Grid, position};
use crate::land::{Cell, Land};
use crate::observation::BlockPos;
use crate::sight::{RANGE, Sight, VisibleKind, distance, section_distance};
use crate::terrain::{MAX_Y, MIN_Y, SECTIONS};

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

    fn visit_visible(
        &mut self,
        eyes: [f64; 3],
        sight: Sight,
        kind: VisibleKind,
        mut visit: impl FnMut(BlockPos, Block, f64),
    ) {
        let chunks = |coordinate: f64| {
            let at = |far: f64| (coordinate + far).floor() as i32 >> 4;
            at(-RANGE)..=at(RANGE)
        };
        let bottom = MIN_Y >> 4;
        for cz in chunks(eyes[2]) {
            for cx in chunks(eyes[0]) {
                for cy in chunks(eyes[1]) {
                    let Ok(section) = usize::try_from(cy - bottom) else { continue };
                    if section >= SECTIONS || section_distance(eyes, [cx, cy, cz]) > RANGE {
                        continue;
                    }
                    let list = match (kind, sight) {
                        (VisibleKind::Stone, _) => &self.exposed(cx, section, cz).stone,
                        (VisibleKind::Landmarks, Sight::Exposed) => &self.exposed(cx, section, cz).landmarks,
                        (VisibleKind::Landmarks, Sight::Loaded) => self.landmarks(cx, section, cz),
                    };
                    for (index, block) in list {
                        let pos = position(cx, section, cz, *index);
                        let away = distance(eyes, pos);
                        if away <= RANGE {
                            visit(pos, *block, away);
                        }
                    }
                }
            }
        }
    }

    fn ground(&mut self, x: i32, z: i32) -> Option<i32> {
        Some(Grid::ground(self, x, z))
    }

    fn biome(&mut self, pos: BlockPos) -> String {
        Grid::biome(self, pos.x, pos.z).name().to_owned()
    }

    fn diamond_level(&mut self) -> i32 {
        self.terrain().diamond_level()
    }

    fn is_firm_around(&mut self, pos: BlockPos) -> bool {
        let is_inner = [pos.x, pos.y, pos.z].iter().all(|part| (1..15).contains(&(part & 15)));
        is_inner && (MIN_Y..MAX_Y).contains(&pos.y) && !self.is_loose_section(pos)
    }

    fn is_firm_section(&mut self, pos: BlockPos) -> bool {
        !self.is_loose_section(pos)
    }
}
