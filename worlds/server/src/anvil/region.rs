//! Region files: 32 by 32 chunks with a table of where each is.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use ltlcrit_files::FileError;

use super::compression::{LARGEST, unpack};

/// The unit in which chunks lie in a region file, in bytes.
const SECTOR: u64 = 4096;
/// The table's size: the places of the chunks, and their times.
const HEADER: u64 = 2 * SECTOR;
/// The bit of the compression's number that says that the chunk has a file of its own.
const EXTERNAL: u8 = 0x80;

/// A chunk in a region file.
enum Found {
    /// Its NBT.
    Inside(Vec<u8>),
    /// The number of the compression of its own file.
    Outside(u8),
}

/// The name of the region file that has a chunk.
pub(super) fn name(x: i32, z: i32) -> String {
    format!("r.{}.{}.mca", x >> 5, z >> 5)
}

/// The unpacked NBT of a chunk in a folder of region files; `None` if the chunk has never been saved.
pub(super) fn read(directory: &Path, x: i32, z: i32) -> Result<Option<Vec<u8>>, String> {
    let name = name(x, z);
    let path = directory.join(&name);
    let Some(mut file) = open(&path)? else { return Ok(None) };
    match locate(&mut file, x, z).map_err(|error| format!("{}: {error}", path.display()))? {
        None => Ok(None),
        Some(Found::Inside(nbt)) => Ok(Some(nbt)),
        Some(Found::Outside(kind)) => {
            let path = directory.join(format!("c.{x}.{z}.mcc"));
            let failed = |error: String| format!("{}: {error}", path.display());
            let file =
                open(&path)?.ok_or_else(|| failed(format!("there is no such file, although {name} names it")))?;
            let mut packed = Vec::new();
            file.take(LARGEST as u64).read_to_end(&mut packed).map_err(|error| failed(error.to_string()))?;
            unpack(kind, &packed).map(Some).map_err(failed)
        }
    }
}

/// Opens a file, if it is there. Anything but a file, such as a pipe, is refused.
fn open(path: &Path) -> Result<Option<File>, String> {
    match ltlcrit_files::open(path, u64::MAX) {
        Ok(file) => Ok(Some(file.into_inner())),
        Err(FileError::Missing) => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// The unpacked NBT of a chunk inside a region file's bytes. For fuzzing.
#[cfg(any(test, feature = "test-support"))]
pub(crate) fn find(region: &[u8], x: i32, z: i32) -> Result<Option<Vec<u8>>, String> {
    match locate(&mut std::io::Cursor::new(region), x, z)? {
        Some(Found::Inside(nbt)) => Ok(Some(nbt)),
        Some(Found::Outside(_)) | None => Ok(None),
    }
}

fn locate(file: &mut (impl Read + Seek), x: i32, z: i32) -> Result<Option<Found>, String> {
    let length = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    // The game creates files before it has chunks to write.
    if length == 0 {
        return Ok(None);
    }
    if length < HEADER {
        return Err(format!("it ends inside its table, at {length} of {HEADER} bytes"));
    }
    let place = read_at::<4>(file, 4 * ((x & 31) + (z & 31) * 32) as u64)?;
    if place == [0; 4] {
        return Ok(None);
    }
    let start = SECTOR * u64::from(u32::from_be_bytes([0, place[0], place[1], place[2]]));
    let room = SECTOR * u64::from(place[3]);
    if start < HEADER || start + 5 > length {
        return Err(format!("its table has the chunk at byte {start} of {length}"));
    }
    let [a, b, c, d, kind] = read_at::<5>(file, start)?;
    // The length counts the compression's number.
    let size = u64::from(u32::from_be_bytes([a, b, c, d]));
    if size == 0 || size + 4 > room || start + 4 + size > length {
        return Err(format!(
            "the chunk has {size} bytes, and {} of them fit",
            room.min(length - start).saturating_sub(4)
        ));
    }
    if kind & EXTERNAL != 0 {
        return Ok(Some(Found::Outside(kind & !EXTERNAL)));
    }
    let mut packed = vec![0; size as usize - 1];
    file.read_exact(&mut packed).map_err(|error| error.to_string())?;
    unpack(kind, &packed).map(Found::Inside).map(Some)
}

fn read_at<const N: usize>(file: &mut (impl Read + Seek), at: u64) -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes)).map_err(|error| error.to_string())?;
    Ok(bytes)
}
