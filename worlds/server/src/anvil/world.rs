//! A saved world, as terrain that is read chunk by chunk.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use azalea_block::BlockState;
use azalea_registry::builtin::BlockKind;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::terrain::{Cells, MIN_Y, SECTION_VOLUME, SECTIONS, TerrainSource};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::chunk::{self, ReadChunk, SavedChunk};
use super::compression::LARGEST;
use super::error::SavedWorldError;
use super::level::Level;
use super::names::shown;
use super::region;
use crate::block_rules::{fluid_level, rules};

/// The largest number of chunks that are remembered. The grid has their blocks too, so few are read twice.
const REMEMBERED: usize = 1024;
/// The largest number of damaged chunks, and of unknown names, that are told.
const TOLD: usize = 20;
/// The folders of the overworld's region files: since 26.1, and before.
const REGIONS: [&str; 2] = ["dimensions/minecraft/overworld/region", "region"];

/// A world that Minecraft has saved.
#[derive(Debug)]
pub(crate) struct SavedWorld {
    folder: PathBuf,
    regions: PathBuf,
    level: Level,
    chunks: Mutex<Chunks>,
    /// The bytes of NBT that reading chunks has unpacked so far.
    unpacked: AtomicUsize,
}

#[derive(Debug, Default)]
struct Chunks {
    /// The chunks read so far; `None` for those that the world does not have.
    read: FxHashMap<(i32, i32), Option<Arc<SavedChunk>>>,
    /// The damaged chunks that have been told.
    damaged: FxHashSet<(i32, i32)>,
    /// The unknown names that have been told.
    unknown: FxHashSet<String>,
}

/// What a save file remembers of the world it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorldIdentity {
    name: String,
    seed: Option<i64>,
}

impl Display for WorldIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the saved world {:?}", shown(&self.name))?;
        self.seed.map_or(Ok(()), |seed| write!(f, " with seed {seed}"))
    }
}

impl SavedWorld {
    /// Opens the world in a folder.
    ///
    /// # Errors
    /// The folder is not a world of 1.18 or later.
    pub(crate) fn open(folder: &Path) -> Result<Self, SavedWorldError> {
        let level = Level::read(folder)?;
        let regions = REGIONS.map(|name| folder.join(name)).into_iter().find(|regions| has_files(regions));
        let regions = regions.ok_or_else(|| SavedWorldError::NoRegions(folder.to_owned()))?;
        Ok(Self { folder: folder.to_owned(), regions, level, chunks: Mutex::default(), unpacked: AtomicUsize::new(0) })
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The position where it lets players begin.
    pub(crate) fn spawn(&self) -> Option<BlockPos> {
        self.level.spawn
    }

    /// What tells it from other worlds.
    pub(crate) fn identity(&self) -> WorldIdentity {
        WorldIdentity { name: self.level.name.clone(), seed: self.level.seed }
    }

    /// The bytes of NBT that reading chunks has unpacked so far: how much work it was.
    pub(crate) fn unpacked(&self) -> usize {
        self.unpacked.load(Ordering::Relaxed)
    }

    /// A chunk; `None` if the world does not have it, or if it is damaged.
    pub(crate) fn chunk(&self, x: i32, z: i32) -> Option<Arc<SavedChunk>> {
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = chunks.read.get(&(x, z)) {
            return known.clone();
        }
        let chunk = self.read(x, z, &mut chunks).map(Arc::new);
        if chunks.read.len() >= REMEMBERED {
            chunks.read.clear();
        }
        chunks.read.insert((x, z), chunk.clone());
        chunk
    }

    /// Reads a chunk's file; `None` if the world does not have the chunk.
    pub(super) fn load(&self, x: i32, z: i32) -> Result<Option<ReadChunk>, String> {
        let nbt = region::read(&self.regions, x, z);
        // What cannot be read may have been unpacked up to the bound.
        let unpacked = nbt.as_ref().map_or(LARGEST, |nbt| nbt.as_ref().map_or(0, Vec::len));
        self.unpacked.fetch_add(unpacked, Ordering::Relaxed);
        let Some(nbt) = nbt? else { return Ok(None) };
        let file = self.regions.join(region::name(x, z));
        chunk::read(&nbt, x, z).map(Some).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Reads a chunk, and tells what is wrong with it.
    fn read(&self, x: i32, z: i32, chunks: &mut Chunks) -> Option<SavedChunk> {
        match self.load(x, z) {
            Ok(None) => None,
            Ok(Some(read)) => {
                for name in read.unknown {
                    if chunks.unknown.len() < TOLD && !chunks.unknown.contains(&name) {
                        tracing::warn!("the world has {name}, unknown to Minecraft {}: it is left out", crate::VERSION);
                        chunks.unknown.insert(name);
                    }
                }
                read.chunk
            }
            Err(error) => {
                if chunks.damaged.len() < TOLD && chunks.damaged.insert((x, z)) {
                    tracing::error!("chunk {x} {z} cannot be read, so there are barriers instead of it: {error}");
                    if chunks.damaged.len() == TOLD {
                        tracing::error!("more damaged chunks are not told");
                    }
                }
                None
            }
        }
    }

    /// The state of a block as it was saved.
    pub(crate) fn state(&self, pos: BlockPos) -> BlockState {
        let Some((section, cell)) = cell(pos) else { return BlockState::AIR };
        match self.chunk(pos.x >> 4, pos.z >> 4) {
            Some(chunk) => chunk.section(section).state(cell),
            None => missing(),
        }
    }
}

/// The state of every block of a chunk that the world does not have: players must not leave the world there.
pub(crate) fn missing() -> BlockState {
    BlockKind::Barrier.into()
}

fn has_files(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some())
}

/// The section of a position, and the cell in it.
fn cell(pos: BlockPos) -> Option<(usize, usize)> {
    let height = usize::try_from(pos.y - MIN_Y).ok().filter(|height| *height < 16 * SECTIONS)?;
    Some((height / 16, height % 16 * 256 + ((pos.z & 15) * 16 + (pos.x & 15)) as usize))
}

impl TerrainSource for SavedWorld {
    fn section(&self, chunk_x: i32, section: usize, chunk_z: i32) -> Cells {
        let Some(chunk) = self.chunk(chunk_x, chunk_z) else { return Cells::Uniform(rules(missing()).block) };
        let (states, places) = chunk.section(section).states();
        let palette: Vec<Block> = states.into_iter().map(|state| rules(state).block).collect();
        if let Some(first) = palette.first()
            && palette.iter().all(|block| block == first)
        {
            return Cells::Uniform(*first);
        }
        let mut blocks = Box::new([Block::Air; SECTION_VOLUME]);
        for (block, place) in blocks.iter_mut().zip(places) {
            *block = palette[place];
        }
        Cells::Blocks(blocks)
    }

    fn fluid_level(&self, pos: BlockPos) -> u8 {
        fluid_level(self.state(pos))
    }
}
