//! Implements [`Land`] over azalea's chunks, with a cache of sections as cells.

use azalea::core::data_registry::DataRegistryWithKey;
use azalea::core::position::{BlockPos as AzaleaPos, ChunkPos};
use azalea::local_player::WorldHolder;
use azalea::registry::data::DamageKind;
use azalea::registry::{DataRegistry, DataRegistryKey};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::exposed::{Exposed, Neighbours, Rows};
use ltlcrit_minecraft::land::{Cell, DigReluctance, Land};
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::sight::{Sight, VisibleKind};
use rustc_hash::FxHashMap;

use super::classify::{CellId, UNKNOWN, cells};
use super::link::Link;

/// Blocks in a section.
const VOLUME: usize = 4096;
/// The target y of a descent for diamonds, with bedrock at the game's usual height.
const DIAMOND_LEVEL: i32 = -58;
/// The target height above bedrock otherwise, in blocks.
const ABOVE_BEDROCK: i32 = 9;
/// The lowest y and the first y above the world, until the server has sent them.
const HEIGHT: (i32, i32) = (-64, 320);

/// The position of a section, in units of 16 blocks: x, y, z.
type SectionPos = (i32, i32, i32);

/// A cached section.
#[derive(Debug)]
struct Section {
    cells: SectionCells,
    open: Rows,
    /// True if any block in it flows or falls.
    loose: bool,
    landmarks: Option<Vec<(u16, Block)>>,
    exposed: Option<Exposed>,
}

#[derive(Debug)]
enum SectionCells {
    Uniform(CellId),
    Each(Box<[CellId; VOLUME]>),
}

impl Section {
    fn uniform(cell: CellId) -> Self {
        let open = if cells().get(cell).see_through { u16::MAX } else { 0 };
        let loose = cells().get(cell).is_loose();
        Self { cells: SectionCells::Uniform(cell), open: [open; 256], loose, landmarks: None, exposed: None }
    }

    fn each(of: Box<[CellId; VOLUME]>) -> Self {
        let table = cells();
        let mut open = [0; 256];
        let mut loose = false;
        for (index, id) in of.iter().enumerate() {
            let cell = table.get(*id);
            open[index >> 4] |= u16::from(cell.see_through) << (index & 15);
            loose |= cell.is_loose();
        }
        Self { cells: SectionCells::Each(of), open, loose, landmarks: None, exposed: None }
    }

    fn get(&self, index: usize) -> CellId {
        match &self.cells {
            SectionCells::Uniform(cell) => *cell,
            SectionCells::Each(cells) => cells.get(index).copied().unwrap_or(UNKNOWN),
        }
    }

    fn set(&mut self, index: usize, id: CellId) {
        if let SectionCells::Uniform(everywhere) = self.cells {
            self.cells = SectionCells::Each(Box::new([everywhere; VOLUME]));
        }
        if let SectionCells::Each(cells) = &mut self.cells
            && let Some(kept) = cells.get_mut(index)
        {
            *kept = id;
        }
        let cell = cells().get(id);
        let (row, bit) = (index >> 4, 1 << (index & 15));
        self.open[row] = if cell.see_through { self.open[row] | bit } else { self.open[row] & !bit };
        self.loose |= cell.is_loose();
        self.landmarks = None;
    }

    fn listed(&self) -> Vec<(u16, Block)> {
        let SectionCells::Each(of) = &self.cells else { return Vec::new() };
        let table = cells();
        let landmark = |(index, id): (usize, &CellId)| {
            Some((index as u16, table.get(*id).block.filter(|block| block.is_landmark())?))
        };
        of.iter().enumerate().filter_map(landmark).collect()
    }
}

/// The land that a player has received.
pub(super) struct ClientLand {
    link: Link,
    holder: Option<WorldHolder>,
    /// The lowest y, and the first y above the world.
    height: (i32, i32),
    sections: FxHashMap<SectionPos, Section>,
}

/// The section of a position, and the index in the section.
fn section_of(pos: BlockPos) -> (SectionPos, usize) {
    let index = (pos.y & 15) << 8 | (pos.z & 15) << 4 | pos.x & 15;
    ((pos.x >> 4, pos.y >> 4, pos.z >> 4), index as usize)
}

impl ClientLand {
    pub fn new(link: Link) -> Self {
        Self { link, holder: None, height: HEIGHT, sections: FxHashMap::default() }
    }

    /// Continues with another link.
    pub(crate) fn relink(&mut self, link: Link) {
        self.link = link;
    }

    /// The name of a kind of damage by its number on this server.
    pub fn damage_kind(&self, number: u32) -> Option<String> {
        let world = self.holder.as_ref()?.shared.read();
        let name = DamageKind::new_raw(number).key_owned(&world.registries)?.into_ident();
        Some(name.path().replace('_', " "))
    }

    /// Removes the changes since the last call from the cache.
    pub fn refresh(&mut self) {
        let changes = self.link.state(|state| state.changes.any().then(|| std::mem::take(&mut state.changes)));
        let Some(changes) = changes else { return };
        if changes.all {
            self.holder = self.link.holder();
            self.sections.clear();
            if let Some(holder) = &self.holder {
                let world = holder.shared.read();
                let (low, tall) = (world.chunks.min_y(), world.chunks.height());
                self.height = (low, low + i32::try_from(tall).unwrap_or(0));
            }
            return;
        }
        for chunk in changes.chunks {
            // A change affects the chunk itself, and the exposed blocks of its neighbours.
            self.sections.retain(|(x, _, z), _| (*x, *z) != (chunk.x, chunk.z));
            for ((x, _, z), section) in &mut self.sections {
                if (x - chunk.x).abs() + (z - chunk.z).abs() == 1 {
                    section.exposed = None;
                }
            }
        }
        for pos in changes.blocks {
            self.reread(BlockPos::new(pos.x, pos.y, pos.z));
        }
    }

    /// Reads a block again.
    pub(crate) fn reread(&mut self, pos: BlockPos) {
        let Some(holder) = &self.holder else { return };
        let state = holder.shared.read().get_block_state(AzaleaPos::new(pos.x, pos.y, pos.z));
        let id = state.map_or(UNKNOWN, |state| cells().id(state));
        let (here, index) = section_of(pos);
        let Some(section) = self.sections.get_mut(&here) else { return };
        if section.get(index) == id {
            return;
        }
        section.set(index, id);
        section.exposed = None;
        for beside in pos.neighbours() {
            let (there, _) = section_of(beside);
            if there != here
                && let Some(section) = self.sections.get_mut(&there)
            {
                section.exposed = None;
            }
        }
    }

    /// The missing chunks within `range` blocks of a position.
    pub(crate) fn missing_around(&self, pos: BlockPos, range: f64) -> Vec<ChunkPos> {
        let around = |part: i32| (part - range as i32) >> 4..=(part + range as i32) >> 4;
        let world = self.holder.as_ref().map(|holder| holder.shared.read());
        let chunks = around(pos.z).flat_map(|z| around(pos.x).map(move |x| ChunkPos::new(x, z)));
        chunks.filter(|chunk| world.as_ref().is_none_or(|world| world.chunks.get(chunk).is_none())).collect()
    }

    /// A section, read on first use.
    fn section(&mut self, at: SectionPos) -> &mut Section {
        let (holder, height) = (&self.holder, self.height);
        self.sections
            .entry(at)
            .or_insert_with(|| read(holder.as_ref(), height.0, at).unwrap_or(Section::uniform(UNKNOWN)))
    }

    /// The see-through rows of a section. Below the world no block is see-through; above it all are.
    fn rows(&mut self, at: SectionPos) -> Rows {
        match at.1 << 4 {
            y if y < self.height.0 => [0; 256],
            y if y >= self.height.1 => [u16::MAX; 256],
            _ => self.section(at).open,
        }
    }

    fn exposed(&mut self, at: SectionPos) -> &Exposed {
        if self.section(at).exposed.is_none() {
            let exposed = self.find_exposed(at);
            self.section(at).exposed = Some(exposed);
        }
        self.section(at).exposed.get_or_insert_default()
    }

    fn find_exposed(&mut self, (x, y, z): SectionPos) -> Exposed {
        if matches!(self.section((x, y, z)).cells, SectionCells::Uniform(_)) {
            return Exposed::default();
        }
        let here = self.rows((x, y, z));
        let neighbours = Neighbours {
            below: self.rows((x, y - 1, z)),
            above: self.rows((x, y + 1, z)),
            north: self.rows((x, y, z - 1)),
            south: self.rows((x, y, z + 1)),
            west: self.rows((x - 1, y, z)),
            east: self.rows((x + 1, y, z)),
        };
        let table = cells();
        let section = self.section((x, y, z));
        Exposed::find(&here, &neighbours, |index| table.get(section.get(index)).block)
    }
}

/// Reads a section from azalea's chunks; `None` if it is not loaded.
fn read(holder: Option<&WorldHolder>, low: i32, (x, y, z): SectionPos) -> Option<Section> {
    let table = cells();
    let chunk = holder?.shared.read().chunks.get(&ChunkPos::new(x, z))?;
    let chunk = chunk.read();
    let states = &chunk.sections.get(usize::try_from(y - (low >> 4)).ok()?)?.states;
    let first = table.id(states.get_at_index(0));
    if states.bits_per_entry == 0 {
        return Some(Section::uniform(first));
    }
    let mut each = Box::new([first; VOLUME]);
    let mut uniform = true;
    for (index, kept) in each.iter_mut().enumerate() {
        *kept = table.id(states.get_at_index(index));
        uniform &= *kept == first;
    }
    Some(if uniform { Section::uniform(first) } else { Section::each(each) })
}

impl Land for ClientLand {
    fn cell(&mut self, pos: BlockPos) -> Cell {
        if pos.y >= self.height.1 {
            return Cell::of(Block::Air);
        }
        if pos.y < self.height.0 {
            return Cell::UNKNOWN;
        }
        let (at, index) = section_of(pos);
        cells().get(self.section(at).get(index))
    }

    fn listed(&mut self, [x, y, z]: [i32; 3], sight: Sight, kind: VisibleKind) -> &[(u16, Block)] {
        let at = (x, y, z);
        if !(self.height.0..self.height.1).contains(&(y * 16)) {
            return &[];
        }
        match (kind, sight) {
            (VisibleKind::Stone, _) => &self.exposed(at).stone,
            (VisibleKind::Landmarks, Sight::Exposed) => &self.exposed(at).landmarks,
            (VisibleKind::Landmarks, Sight::Loaded) => {
                let section = self.section(at);
                let listed = section.landmarks.take().unwrap_or_else(|| section.listed());
                section.landmarks.insert(listed)
            }
        }
    }

    fn ground(&mut self, x: i32, z: i32) -> Option<i32> {
        let loaded = self.holder.as_ref()?.shared.read().chunks.get(&ChunkPos::new(x >> 4, z >> 4)).is_some();
        if !loaded {
            return None;
        }
        let mut y = self.height.1 - 1;
        while y >= self.height.0 {
            if let SectionCells::Uniform(id) = self.section((x >> 4, y >> 4, z >> 4)).cells
                && !cells().get(id).is_floor()
            {
                // There is no floor down to the bottom of the section.
                y = (y >> 4 << 4) - 1;
                continue;
            }
            let cell = self.cell(BlockPos::new(x, y, z));
            if cell.is_floor() && !cell.leaves && cell.reluctance != DigReluctance::Wood {
                return Some(y);
            }
            y -= 1;
        }
        None
    }

    fn biome(&mut self, pos: BlockPos) -> String {
        let named = || {
            let world = self.holder.as_ref()?.shared.read();
            let biome = world.get_biome(AzaleaPos::new(pos.x, pos.y, pos.z))?;
            let name = biome.key_owned(&world.registries)?.into_ident();
            Some(name.path().to_owned())
        };
        named().unwrap_or_else(|| "unknown".to_owned())
    }

    fn diamond_level(&mut self, from: BlockPos) -> i32 {
        let (low, high) = self.height;
        let floor = (low..high).take_while(|y| self.cell(BlockPos { y: *y, ..from }).is(Block::Bedrock)).last();
        match floor {
            Some(floor) if floor + 2 > DIAMOND_LEVEL => floor + ABOVE_BEDROCK,
            _ => DIAMOND_LEVEL.max(low + 6),
        }
    }

    fn is_firm_section(&mut self, pos: BlockPos) -> bool {
        (self.height.0..self.height.1).contains(&pos.y) && !self.section(section_of(pos).0).loose
    }
}
