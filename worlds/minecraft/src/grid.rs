//! The world's blocks: terrain generated section by section on first use, with the changes made since.

use rustc_hash::FxHashMap;

use super::blocks::{BLOCK_KINDS, BLOCKS, Block};
use super::exposed::{Exposed, IndexedBlock, Neighbours, Rows};
use super::observation::BlockPos;
use super::terrain::{Biome, Cells, ColumnPlan, MAX_Y, MIN_Y, SECTION_VOLUME, SECTIONS, Terrain};

/// The blocks of a section that can be visible, listed on first use and dropped when the section changes.
#[derive(Clone, Debug, Default)]
struct VisibleBlocks {
    /// All landmarks.
    landmarks: Option<Box<[IndexedBlock]>>,
    /// The blocks with a see-through neighbour.
    exposed: Option<Box<Exposed>>,
}

#[derive(Clone, Debug)]
struct Section {
    cells: Cells,
    open: Rows,
    /// True if some block flows or falls.
    loose: bool,
    visible: VisibleBlocks,
}

#[derive(Clone, Debug)]
struct Column {
    x: i32,
    z: i32,
    plan: ColumnPlan,
    /// The indices of the sections in the grid's list, once generated.
    sections: [Option<u32>; SECTIONS],
}

/// The loaded world.
#[derive(Clone, Debug)]
pub struct Grid {
    terrain: Terrain,
    columns: Vec<Column>,
    index: FxHashMap<(i32, i32), usize>,
    sections: Vec<Section>,
    /// The sections used last, by height and the low bits of their chunks' coordinates.
    recent: Vec<(i32, i32, u32)>,
}

const RECENT: usize = 8;

/// Chunk coordinate and offset within the chunk.
fn split(coordinate: i32) -> (i32, i32) {
    (coordinate >> 4, coordinate & 15)
}

impl Grid {
    /// The world of a terrain, with nothing generated yet.
    pub fn new(terrain: Terrain) -> Self {
        let recent = vec![(i32::MAX, i32::MAX, 0); RECENT * RECENT * SECTIONS];
        Self { terrain, columns: Vec::new(), index: FxHashMap::default(), sections: Vec::new(), recent }
    }

    /// The terrain underneath.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    fn column(&mut self, x: i32, z: i32) -> usize {
        if let Some(found) = self.index.get(&(x, z)) {
            return *found;
        }
        let plan = self.terrain.plan(x, z);
        self.columns.push(Column { x, z, plan, sections: [None; SECTIONS] });
        self.index.insert((x, z), self.columns.len() - 1);
        self.columns.len() - 1
    }

    /// A section of a chunk, generated on first use.
    fn section(&mut self, cx: i32, section: usize, cz: i32) -> &mut Section {
        let slot = ((cx as usize % RECENT) * RECENT + cz as usize % RECENT) * SECTIONS + section;
        let (x, z, found) = self.recent[slot];
        if (x, z) == (cx, cz) {
            return &mut self.sections[found as usize];
        }
        let column = self.column(cx, cz);
        let Column { x, z, plan, sections } = &mut self.columns[column];
        let found = *sections[section].get_or_insert_with(|| {
            let cells = self.terrain.section(plan, *x, section, *z);
            let (open, loose) = match &cells {
                Cells::Uniform(block) => ([if block.is_see_through() { u16::MAX } else { 0 }; 256], is_loose(*block)),
                Cells::Blocks(blocks) => rows(blocks),
            };
            self.sections.push(Section { cells, open, loose, visible: VisibleBlocks::default() });
            self.sections.len() as u32 - 1
        });
        self.recent[slot] = (cx, cz, found);
        &mut self.sections[found as usize]
    }

    /// The blocks of a section (0 is the lowest) of a chunk.
    pub fn cells(&mut self, cx: i32, section: usize, cz: i32) -> &Cells {
        &self.section(cx, section, cz).cells
    }

    /// The plan of the column that contains a position.
    pub fn plan(&mut self, x: i32, z: i32) -> &ColumnPlan {
        let column = self.column(x >> 4, z >> 4);
        &self.columns[column].plan
    }

    /// The biome at a place.
    pub fn biome(&mut self, x: i32, z: i32) -> Biome {
        self.plan(x, z).biomes[((z & 15) * 16 + (x & 15)) as usize]
    }

    /// The y of the ground in the generated terrain, without caves and changes.
    pub fn ground(&mut self, x: i32, z: i32) -> i32 {
        i32::from(self.plan(x, z).heights[((z & 15) * 16 + (x & 15)) as usize])
    }

    /// The block at a position: bedrock below the world, air above it.
    pub fn block(&mut self, pos: BlockPos) -> Block {
        if pos.y < MIN_Y {
            return Block::Bedrock;
        }
        if pos.y >= MAX_Y {
            return Block::Air;
        }
        let ((cx, x), (cz, z)) = (split(pos.x), split(pos.z));
        let from_bottom = (pos.y - MIN_Y) as usize;
        self.section(cx, from_bottom / 16, cz).cells.get((from_bottom % 16) * 256 + (z * 16 + x) as usize)
    }

    /// Changes a block; positions outside the world's height are ignored.
    pub fn set(&mut self, pos: BlockPos, block: Block) {
        if !(MIN_Y..MAX_Y).contains(&pos.y) {
            return;
        }
        let ((cx, x), (cz, z)) = (split(pos.x), split(pos.z));
        let from_bottom = (pos.y - MIN_Y) as usize;
        let section = self.section(cx, from_bottom / 16, cz);
        if let Cells::Uniform(everywhere) = section.cells {
            section.cells = Cells::Blocks(Box::new([everywhere; SECTION_VOLUME]));
        }
        if let Cells::Blocks(blocks) = &mut section.cells {
            blocks[(from_bottom % 16) * 256 + (z * 16 + x) as usize] = block;
        }
        let (row, bit) = ((from_bottom % 16) * 16 + z as usize, 1 << x);
        section.open[row] = if block.is_see_through() { section.open[row] | bit } else { section.open[row] & !bit };
        section.loose |= is_loose(block);
        section.visible = VisibleBlocks::default();
        // Blocks of the neighbouring sections may have become exposed or hidden.
        for beside in pos.neighbours() {
            if (beside.x >> 4, beside.y >> 4, beside.z >> 4) != (pos.x >> 4, pos.y >> 4, pos.z >> 4)
                && (MIN_Y..MAX_Y).contains(&beside.y)
            {
                let column = self.column(beside.x >> 4, beside.z >> 4);
                if let Some(section) = self.columns[column].sections[((beside.y - MIN_Y) / 16) as usize] {
                    self.sections[section as usize].visible = VisibleBlocks::default();
                }
            }
        }
    }

    /// Every generated block that differs from the terrain: position, block in the terrain, block now.
    pub fn changes(&self) -> Vec<(BlockPos, Block, Block)> {
        let mut changes = Vec::new();
        for Column { x, z, plan, sections } in &self.columns {
            for (section, found) in sections.iter().enumerate().filter_map(|(at, found)| Some((at, (*found)?))) {
                let made = self.terrain.section(plan, *x, section, *z);
                let now = &self.sections[found as usize].cells;
                changes.extend((0..SECTION_VOLUME).filter_map(|index| {
                    let (was, is) = (made.get(index), now.get(index));
                    (was != is).then(|| (position(*x, section, *z, index as u16), was, is))
                }));
            }
        }
        changes
    }

    /// Returns whether any block in the section of a position may flow or fall.
    pub(super) fn is_loose_section(&mut self, pos: BlockPos) -> bool {
        (MIN_Y..MAX_Y).contains(&pos.y) && self.section(pos.x >> 4, ((pos.y - MIN_Y) / 16) as usize, pos.z >> 4).loose
    }

    /// The see-through rows of a section. Below the world no block is see-through; above it all are.
    fn rows(&mut self, cx: i32, section: i32, cz: i32) -> Rows {
        match usize::try_from(section) {
            Err(_) => [0; 256],
            Ok(section) if section >= SECTIONS => [u16::MAX; 256],
            Ok(section) => self.section(cx, section, cz).open,
        }
    }

    /// All landmarks of a section.
    pub(super) fn landmarks(&mut self, cx: i32, section: usize, cz: i32) -> &[IndexedBlock] {
        let Section { cells, visible, .. } = self.section(cx, section, cz);
        visible.landmarks.get_or_insert_with(|| match cells {
            Cells::Uniform(_) => Box::default(),
            Cells::Blocks(blocks) => listed(blocks, Block::is_landmark),
        })
    }

    /// The blocks of a section with a see-through neighbour.
    pub(super) fn exposed(&mut self, cx: i32, section: usize, cz: i32) -> &Exposed {
        if self.section(cx, section, cz).visible.exposed.is_none() {
            let exposed = Box::new(self.find_exposed(cx, section, cz));
            self.section(cx, section, cz).visible.exposed = Some(exposed);
        }
        self.section(cx, section, cz).visible.exposed.get_or_insert_default()
    }

    fn find_exposed(&mut self, cx: i32, section: usize, cz: i32) -> Exposed {
        let y = section as i32;
        let here = self.rows(cx, y, cz);
        let neighbours = Neighbours {
            below: self.rows(cx, y - 1, cz),
            above: self.rows(cx, y + 1, cz),
            north: self.rows(cx, y, cz - 1),
            south: self.rows(cx, y, cz + 1),
            west: self.rows(cx - 1, y, cz),
            east: self.rows(cx + 1, y, cz),
        };
        match &self.section(cx, section, cz).cells {
            Cells::Uniform(_) => Exposed::default(),
            Cells::Blocks(blocks) => Exposed::find(&here, &neighbours, |index| Some(blocks[index])),
        }
    }
}

fn is_loose(block: Block) -> bool {
    block.is_fluid() || block.falls()
}

// The tables indexed by masked kinds have 128 places.
const _: () = assert!(BLOCK_KINDS <= 128);

/// The see-through rows of blocks, and whether any of the blocks is loose.
fn rows(blocks: &[Block; SECTION_VOLUME]) -> (Rows, bool) {
    const SEE_THROUGH: u8 = 1;
    const LOOSE: u8 = 2;
    // The length is a power of two, so that masking the index replaces a bounds check: this loop runs for every
    // generated block.
    let traits: [u8; 128] = std::array::from_fn(|kind| {
        BLOCKS
            .get(kind)
            .map_or(0, |block| u8::from(block.is_see_through()) * SEE_THROUGH + u8::from(is_loose(*block)) * LOOSE)
    });
    let mut rows = [0; 256];
    let mut any = 0;
    for (bits, row) in rows.iter_mut().zip(blocks.as_chunks::<16>().0) {
        for (x, block) in row.iter().enumerate() {
            let found = traits[*block as usize & 127];
            any |= found;
            *bits |= u16::from(found & SEE_THROUGH) << x;
        }
    }
    (rows, any & LOOSE != 0)
}

fn listed(blocks: &[Block; SECTION_VOLUME], wanted: impl Fn(Block) -> bool) -> Box<[IndexedBlock]> {
    blocks.iter().enumerate().filter(|(_, block)| wanted(**block)).map(|(index, b)| (index as u16, *b)).collect()
}

/// The position of a listed block.
pub fn position(cx: i32, section: usize, cz: i32, index: u16) -> BlockPos {
    let index = i32::from(index);
    BlockPos::new(cx * 16 + (index & 15), MIN_Y + section as i32 * 16 + (index >> 8), cz * 16 + (index >> 4 & 15))
}
