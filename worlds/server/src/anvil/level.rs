//! `level.dat`: the name, seed and spawn of a saved world.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use ltlcrit_minecraft::observation::BlockPos;
use simdnbt::borrow::NbtCompound;

use super::chunk::OLDEST;
use super::compression::{LARGEST, gzip};
use super::error::SavedWorldError;
use super::nbt::{parse, whole};

/// What a world's files say about the whole of it.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) name: String,
    pub(super) seed: Option<i64>,
    pub(super) spawn: Option<BlockPos>,
}

impl Level {
    /// Reads the files in a world's folder.
    pub(super) fn read(folder: &Path) -> Result<Self, SavedWorldError> {
        let path = folder.join("level.dat");
        let bytes = unpacked(&path)?.ok_or_else(|| SavedWorldError::NotAWorld(folder.to_owned()))?;
        let damaged = |what: &str| SavedWorldError::Damaged { path: path.clone(), what: what.to_owned() };
        let root = parse(&bytes).map_err(|error| damaged(&error))?;
        let data = root.compound("Data").ok_or_else(|| damaged("it has no Data"))?;
        if let Some(version) = whole(data, "DataVersion").filter(|version| *version < OLDEST) {
            return Err(SavedWorldError::TooOld { path: folder.to_owned(), version });
        }
        let seed = match data.compound("WorldGenSettings").and_then(|settings| settings.long("seed")) {
            Some(seed) => Some(seed),
            None => seed_since_26(folder)?,
        };
        let name = data.string("LevelName").map(|name| name.to_str().into_owned()).unwrap_or_default();
        Ok(Self { name, seed, spawn: spawn(data) })
    }
}

/// Where players begin: in a compound since 1.21.9, and before that in three numbers.
fn spawn(data: NbtCompound<'_, '_>) -> Option<BlockPos> {
    let (x, y, z) = match data.compound("spawn") {
        Some(spawn) => {
            let elsewhere = spawn.string("dimension").is_some_and(|name| name.to_str() != "minecraft:overworld");
            match spawn.int_array("pos")?[..] {
                [x, y, z] if !elsewhere => (x, y, z),
                _ => return None,
            }
        }
        None => (whole(data, "SpawnX")?, whole(data, "SpawnY")?, whole(data, "SpawnZ")?),
    };
    let sane = [x, y, z].iter().all(|part| (-30_000_000..30_000_000).contains(part));
    sane.then(|| BlockPos::new(x, y, z))
}

/// The seed where it is since 26.1.
fn seed_since_26(folder: &Path) -> Result<Option<i64>, SavedWorldError> {
    let path = folder.join("data/minecraft/world_gen_settings.dat");
    let Some(bytes) = unpacked(&path)? else { return Ok(None) };
    let root = parse(&bytes).map_err(|what| SavedWorldError::Damaged { path, what })?;
    Ok(root.compound("data").and_then(|data| data.long("seed")))
}

/// The bytes of a gzip file; `None` if there is no such file.
fn unpacked(path: &Path) -> Result<Option<Vec<u8>>, SavedWorldError> {
    match fs::metadata(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Ok(metadata) if !metadata.is_file() => {
            return Err(SavedWorldError::Damaged { path: path.to_owned(), what: "it is not a file".to_owned() });
        }
        _ => {}
    }
    let failed = |source| SavedWorldError::File { path: path.to_owned(), source };
    let mut packed = Vec::new();
    let file = ltlcrit_files::open(path, u64::MAX).map_err(|error| failed(error.into()))?;
    file.take(LARGEST as u64).read_to_end(&mut packed).map_err(failed)?;
    gzip(&packed).map(Some).map_err(|what| SavedWorldError::Damaged { path: path.to_owned(), what })
}
