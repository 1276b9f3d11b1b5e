//! The world's blocks: terrain generated section by section when first asked for, with the changes made since.

use rustc_hash::FxHashMap;

use super::blocks::Block;
use super::observation::BlockPos;
use super::terrain::{Biome, Cells, ColumnPlan, MAX_Y, MIN_Y, SECTION_VOLUME, SECTIONS, Terrain};

/// A block with its position in its section.
pub type Listed = (u16, Block);

/// Lists of a section's blocks that sight asks for, made on demand and dropped when the section changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// All landmarks.
    pub landmarks: Option<Box<[Listed]>>,
    /// Landmarks with a see-through neighbour.
    pub exposed_landmarks: Option<Box<[Listed]>>,
    /// Stone with a see-through neighbour.
    pub exposed_stone: Option<Box<[Listed]>>,
}

#[derive(Clone, Debug)]
struct Section {
    cells: Cells,
    /// Whether any block is see-through.
    open: bool,
    lists: Lists,
}

#[derive(Clone, Debug)]
struct Column {
    x: i32,
    z: i32,
    plan: ColumnPlan,
    sections: [Option<Section>; SECTIONS],
}

/// The loaded world.
#[derive(Clone, Debug)]
pub struct Grid {
    terrain: Terrain,
    columns: Vec<Column>,
    index: FxHashMap<(i32, i32), usize>,
    last: ((i32, i32), usize),
}

/// Chunk coordinate and offset within the chunk.
fn split(coordinate: i32) -> (i32, i32) {
    (coordinate >> 4, coordinate & 15)
}

impl Grid {
    /// The world of a terrain, nothing generated yet.
    pub fn new(terrain: Terrain) -> Self {
        Self { terrain, columns: Vec::new(), index: FxHashMap::default(), last: ((i32::MAX, i32::MAX), 0) }
    }

    /// The terrain underneath.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    fn column(&mut self, x: i32, z: i32) -> usize {
        if self.last.0 == (x, z) {
            return self.last.1;
        }
        let found = match self.index.get(&(x, z)) {
            Some(found) => *found,
            None => {
                let plan = self.terrain.plan(x, z);
                self.columns.push(Column { x, z, plan, sections: [const { None }; SECTIONS] });
                self.index.insert((x, z), self.columns.len() - 1);
                self.columns.len() - 1
            }
        };
        self.last = ((x, z), found);
        found
    }

    fn section(&mut self, column: usize, section: usize) -> &mut Section {
        let Column { x, z, plan, sections } = &mut self.columns[column];
        sections[section].get_or_insert_with(|| {
            let cells = self.terrain.section(plan, *x, section, *z);
            let open = match &cells {
                Cells::Uniform(block) => block.is_see_through(),
                Cells::Blocks(blocks) => blocks.iter().any(|block| block.is_see_through()),
            };
            Section { cells, open, lists: Lists::default() }
        })
    }

    /// The plan of the column a position is in.
    pub fn plan(&mut self, x: i32, z: i32) -> &ColumnPlan {
        let column = self.column(x >> 4, z >> 4);
        &self.columns[column].plan
    }

    /// The biome at a place.
    pub fn biome(&mut self, x: i32, z: i32) -> Biome {
        self.plan(x, z).biomes[((z & 15) * 16 + (x & 15)) as usize]
    }

    /// The y of the ground as the terrain was made, caves and changes not considered.
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
        let column = self.column(cx, cz);
        match &self.section(column, from_bottom / 16).cells {
            Cells::Uniform(block) => *block,
            Cells::Blocks(blocks) => blocks[(from_bottom % 16) * 256 + (z * 16 + x) as usize],
        }
    }

    /// Changes a block; positions outside the world's height are left alone.
    pub fn set(&mut self, pos: BlockPos, block: Block) {
        if !(MIN_Y..MAX_Y).contains(&pos.y) {
            return;
        }
        let ((cx, x), (cz, z)) = (split(pos.x), split(pos.z));
        let from_bottom = (pos.y - MIN_Y) as usize;
        let column = self.column(cx, cz);
        let section = self.section(column, from_bottom / 16);
        if let Cells::Uniform(everywhere) = section.cells {
            section.cells = Cells::Blocks(Box::new([everywhere; SECTION_VOLUME]));
        }
        if let Cells::Blocks(blocks) = &mut section.cells {
            blocks[(from_bottom % 16) * 256 + (z * 16 + x) as usize] = block;
        }
        section.open |= block.is_see_through();
        section.lists = Lists::default();
        // Blocks of the sections around may have become exposed or hidden.
        for beside in pos.neighbours() {
            if (beside.x >> 4, beside.y >> 4, beside.z >> 4) != (pos.x >> 4, pos.y >> 4, pos.z >> 4)
                && (MIN_Y..MAX_Y).contains(&beside.y)
            {
                let column = self.column(beside.x >> 4, beside.z >> 4);
                if let Some(section) = &mut self.columns[column].sections[((beside.y - MIN_Y) / 16) as usize] {
                    section.lists = Lists::default();
                }
            }
        }
    }

    /// Whether a block has a neighbour one sees through.
    pub fn is_exposed(&mut self, pos: BlockPos) -> bool {
        pos.neighbours().into_iter().any(|beside| self.block(beside).is_see_through())
    }

    /// Whether any block of a section is see-through; `false` outside the world's height.
    fn is_open(&mut self, cx: i32, section: i32, cz: i32) -> bool {
        let Ok(section) = usize::try_from(section) else { return false };
        if section >= SECTIONS {
            return true;
        }
        let column = self.column(cx, cz);
        self.section(column, section).open
    }

    /// All landmarks of a section.
    pub(super) fn landmarks(&mut self, cx: i32, section: usize, cz: i32) -> &[Listed] {
        let column = self.column(cx, cz);
        let section = self.section(column, section);
        let Section { cells, lists, .. } = section;
        lists.landmarks.get_or_insert_with(|| match cells {
            Cells::Uniform(_) => Box::default(),
            Cells::Blocks(blocks) => listed(blocks, Block::is_landmark),
        })
    }

    /// The landmarks of a section that have a see-through neighbour.
    pub(super) fn exposed_landmarks(&mut self, cx: i32, section: usize, cz: i32) -> &[Listed] {
        let column = self.column(cx, cz);
        if self.section(column, section).lists.exposed_landmarks.is_none() {
            let all = self.landmarks(cx, section, cz).to_vec();
            let exposed = self.keep_exposed(cx, section, cz, all);
            let column = self.column(cx, cz);
            self.section(column, section).lists.exposed_landmarks = Some(exposed);
        }
        let column = self.column(cx, cz);
        self.section(column, section).lists.exposed_landmarks.as_deref().unwrap_or_default()
    }

    /// The stone of a section that has a see-through neighbour.
    pub(super) fn exposed_stone(&mut self, cx: i32, section: usize, cz: i32) -> &[Listed] {
        let column = self.column(cx, cz);
        if self.section(column, section).lists.exposed_stone.is_none() {
            let exposed = self.find_exposed_stone(cx, section, cz);
            let column = self.column(cx, cz);
            self.section(column, section).lists.exposed_stone = Some(exposed);
        }
        let column = self.column(cx, cz);
        self.section(column, section).lists.exposed_stone.as_deref().unwrap_or_default()
    }

    fn keep_exposed(&mut self, cx: i32, section: usize, cz: i32, all: Vec<Listed>) -> Box<[Listed]> {
        all.into_iter().filter(|(index, _)| self.is_exposed(position(cx, section, cz, *index))).collect()
    }

    fn find_exposed_stone(&mut self, cx: i32, section: usize, cz: i32) -> Box<[Listed]> {
        let column = self.column(cx, cz);
        let this = self.section(column, section);
        let open = this.open;
        let Cells::Blocks(blocks) = &this.cells else { return Box::default() };
        let mut found = Vec::new();
        let mut border = Vec::new();
        for (index, block) in blocks.iter().enumerate().filter(|(_, block)| block.is_stone()) {
            let (x, z, y) = (index % 16, index / 16 % 16, index / 256);
            let inner = (1..15).contains(&x) && (1..15).contains(&z) && (1..15).contains(&y);
            if inner {
                let beside = [index - 1, index + 1, index - 16, index + 16, index - 256, index + 256];
                if open && beside.into_iter().any(|near| blocks[near].is_see_through()) {
                    found.push((index as u16, *block));
                }
            } else {
                border.push((index as u16, *block));
            }
        }
        let around = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)];
        if open || around.into_iter().any(|(dx, dy, dz)| self.is_open(cx + dx, section as i32 + dy, cz + dz)) {
            found.extend(self.keep_exposed(cx, section, cz, border));
        }
        found.into()
    }
}

fn listed(blocks: &[Block; SECTION_VOLUME], wanted: impl Fn(Block) -> bool) -> Box<[Listed]> {
    blocks.iter().enumerate().filter(|(_, block)| wanted(**block)).map(|(index, b)| (index as u16, *b)).collect()
}

/// The position of a listed block.
pub(super) fn position(cx: i32, section: usize, cz: i32, index: u16) -> BlockPos {
    let index = i32::from(index);
    BlockPos::new(cx * 16 + index % 16, MIN_Y + section as i32 * 16 + index / 256, cz * 16 + index / 16 % 16)
}
