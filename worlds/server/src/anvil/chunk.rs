//! Saved chunks: the block states and biomes of a column, from its NBT.

use azalea_block::BlockState;
use ltlcrit_minecraft::terrain::{MIN_Y, SECTION_VOLUME, SECTIONS};
use simdnbt::borrow::{NbtCompound, NbtTag};

use super::names::{block_state, shown};
use super::nbt::{parse, whole};
use super::packed::Packed;
use crate::registries::{PLAINS, biome_named};

/// The data version of Minecraft 1.18, since which chunks have the form that is read here.
pub(super) const OLDEST: i32 = 2860;
/// The number of biome cells of a section, each four by four by four blocks.
const BIOME_CELLS: usize = 64;
/// The largest number of sections that are read. The game writes two more than there are, for light.
const MOST_SECTIONS: usize = 2 * SECTIONS;

/// A saved chunk.
#[derive(Debug)]
pub(crate) struct SavedChunk {
    /// From the lowest to the highest.
    sections: Vec<SavedSection>,
}

/// A section of a saved chunk.
#[derive(Debug)]
pub(crate) struct SavedSection {
    states: Packed,
    biomes: Packed,
}

/// A chunk's NBT as it was understood.
#[derive(Debug)]
pub(crate) struct ReadChunk {
    /// The chunk; `None` if the game has not finished making it.
    pub(crate) chunk: Option<SavedChunk>,
    /// The names of blocks and biomes that the game does not have.
    pub(crate) unknown: Vec<String>,
}

impl SavedChunk {
    /// Section `section`; 0 is the lowest.
    pub(crate) fn section(&self, section: usize) -> &SavedSection {
        &self.sections[section]
    }
}

impl SavedSection {
    /// Air, with the biome of plains.
    fn empty() -> Self {
        Self { states: Packed::uniform(BlockState::AIR.id()), biomes: Packed::uniform(PLAINS) }
    }

    /// The different states that occur, and the place of each cell's state among them.
    pub(crate) fn states(&self) -> (Vec<BlockState>, impl Iterator<Item = usize>) {
        let palette = self.states.palette().iter().map(|id| state(*id)).collect();
        (palette, (0..SECTION_VOLUME).map(|cell| self.states.place(cell)))
    }

    /// The state of a cell.
    pub(crate) fn state(&self, cell: usize) -> BlockState {
        state(self.states.get(cell))
    }

    /// The biomes' numbers in the protocol.
    pub(crate) fn biomes(&self) -> [u32; BIOME_CELLS] {
        std::array::from_fn(|cell| u32::from(self.biomes.get(cell)))
    }
}

fn state(id: u16) -> BlockState {
    BlockState::try_from(id).unwrap_or(BlockState::AIR)
}

/// Reads the unpacked NBT of the chunk at (x, z).
///
/// # Errors
/// The bytes are not such a chunk.
pub(crate) fn read(nbt: &[u8], x: i32, z: i32) -> Result<ReadChunk, String> {
    let root = parse(nbt)?;
    let root = root.as_compound();
    let version = whole(root, "DataVersion");
    if version.is_some_and(|version| version < OLDEST) || root.contains("Level") {
        let version = version.map_or("none".to_owned(), |version| version.to_string());
        return Err(format!(
            "it was saved by a Minecraft before 1.18 (data version {version}): open the world once in 1.18 or later, with \
             Optimize World"
        ));
    }
    if let (Some(at_x), Some(at_z)) = (whole(root, "xPos"), whole(root, "zPos"))
        && (at_x, at_z) != (x, z)
    {
        return Err(format!("it says that it is chunk {at_x} {at_z}"));
    }
    let mut unknown = Vec::new();
    let status = root.string("Status").map(|status| status.to_str());
    if status.is_some_and(|status| !matches!(&*status, "full" | "minecraft:full")) {
        return Ok(ReadChunk { chunk: None, unknown });
    }
    let list = root.list("sections").ok_or("it has no sections")?.compounds();
    let count = list.as_ref().map_or(0, |list| list.len());
    if count > MOST_SECTIONS {
        return Err(format!("it has {count} sections; the game writes {} at most", SECTIONS + 2));
    }
    let mut sections: Vec<SavedSection> = (0..SECTIONS).map(|_| SavedSection::empty()).collect();
    for found in list.into_iter().flatten() {
        let y = whole(found, "Y").ok_or("a section has no Y")?;
        let failed = |error: String| format!("section {y}: {error}");
        let Some(states) = found.compound("block_states") else { continue };
        let states = read_states(states, &mut unknown).map_err(failed)?;
        let biomes = match found.compound("biomes") {
            Some(biomes) => read_biomes(biomes, &mut unknown).map_err(failed)?,
            None => Packed::uniform(PLAINS),
        };
        let place = usize::try_from(y - (MIN_Y >> 4)).ok().filter(|place| *place < SECTIONS);
        match place {
            Some(place) => sections[place] = SavedSection { states, biomes },
            None if states.palette() == [BlockState::AIR.id()] => {}
            None => return Err(format!("section {y} is outside the overworld's height, which is -4 to 19")),
        }
    }
    unknown.sort_unstable();
    unknown.dedup();
    Ok(ReadChunk { chunk: Some(SavedChunk { sections }), unknown })
}

fn read_states(container: NbtCompound<'_, '_>, unknown: &mut Vec<String>) -> Result<Packed, String> {
    let list = container.list("palette").and_then(|list| list.compounds()).ok_or("its blocks have no palette")?;
    let mut palette = Vec::new();
    for entry in list.into_iter().take(SECTION_VOLUME + 1) {
        let name = entry.string("Name").ok_or("a block has no name")?.to_str();
        let state = block_state(&name, entry.compound("Properties"));
        if state.is_none() {
            unknown.push(shown(&name));
        }
        // As in the game.
        palette.push(state.unwrap_or(BlockState::AIR).id());
    }
    Packed::new(palette, words(container.get("data")), SECTION_VOLUME, 4)
}

fn read_biomes(container: NbtCompound<'_, '_>, unknown: &mut Vec<String>) -> Result<Packed, String> {
    let list = container.list("palette").and_then(|list| list.strings()).ok_or("its biomes have no palette")?;
    let mut palette = Vec::new();
    for name in list.iter().take(BIOME_CELLS + 1) {
        let name = name.to_str();
        let number = biome_named(&name);
        if number.is_none() {
            unknown.push(shown(&name));
        }
        palette.push(number.unwrap_or(PLAINS));
    }
    Packed::new(palette, words(container.get("data")), BIOME_CELLS, 1)
}

fn words(data: Option<NbtTag<'_, '_>>) -> Vec<i64> {
    data.and_then(|data| data.long_array()).unwrap_or_default()
}
