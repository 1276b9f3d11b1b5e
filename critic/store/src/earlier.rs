//! Converts stores of the earlier format, which kept records in the engine and had no lines.

use std::fs;
use std::io;
use std::path::Path;

use super::index::{self, FORMAT_KEY, catch_panic};
use super::keys::{self, TREES};
use super::{Store, StoreError, log};

/// The format marker in such a database.
const FORMAT: &str = "ltlcrit store 1";

/// Returns whether a directory has an engine database in the layout of the earlier format.
pub(super) fn is_earlier(path: &Path) -> bool {
    path.join("db").exists() && path.join(log::name(1)).symlink_metadata().is_err()
}

/// Returns the names of the engine's files in a directory; the file with the records is last.
pub(super) fn files(path: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in path.read_dir()? {
        names.extend(entry?.file_name().into_string());
    }
    names.retain(|name| matches!(name.as_str(), "db" | "conf" | "blobs" | "journal") || name.starts_with("snap."));
    names.sort_by_key(|name| name == "db");
    Ok(names)
}

/// Converts the store in a directory to lines. Returns the errors of unreadable records.
pub(super) fn convert(path: &Path) -> Result<Vec<String>, StoreError> {
    let io = |error| StoreError::opening(path, error);
    let place = tempfile::Builder::new().prefix("converting-").tempdir_in(path).map_err(io)?;
    let lines = place.path().join("lines");
    let unread = copy_records(path, &Store::open(&lines)?)?;
    // The first file moves last: it marks the store as converted.
    let mut files = (1..).map(log::name).take_while(|name| lines.join(name).exists()).collect::<Vec<_>>();
    files.push("runs.end".to_owned());
    files.iter().rev().try_for_each(|name| fs::rename(lines.join(name), path.join(name))).map_err(io)?;
    Ok(unread)
}

/// Copies the records of a store to a new store. The engine writes to the files that it opens, so it opens a copy of
/// them. Returns the errors of unreadable records.
pub(super) fn copy_records(from: &Path, to: &Store) -> Result<Vec<String>, StoreError> {
    let reading = |error: io::Error| StoreError::Read { path: from.to_owned(), why: error.to_string() };
    let lock = ltlcrit_files::open(&from.join("db"), u64::MAX).map_err(|error| reading(error.into()))?.into_inner();
    if let Err(fs::TryLockError::WouldBlock) = lock.try_lock_shared() {
        return Err(StoreError::Locked { path: from.to_owned() });
    }
    let copy = tempfile::Builder::new().prefix("copy-").tempdir_in(to.path()).map_err(reading)?;
    for name in files(from).map_err(reading)? {
        copy_all(&from.join(&name), &copy.path().join(&name)).map_err(reading)?;
    }
    let (database, trees) = index::open(copy.path()).map_err(|error| StoreError::reading(from, error))?;
    check_format(from, &database, &trees)?;
    let mut unread = Vec::new();
    for (tree, (name, _)) in trees.iter().zip(TREES) {
        let mut entries = tree.iter();
        while let Some(entry) = catch_panic(|| entries.next().transpose()).transpose() {
            let Ok((key, value)) = entry else {
                unread.push(format!("has {name} that its engine cannot read"));
                break;
            };
            match record(&value) {
                Some((version, json)) => to.tree(name).write(&key, version, json)?,
                None => unread.push(format!("has a damaged record: {}", keys::shown(name, &key))),
            }
        }
    }
    to.flush()?;
    Ok(unread)
}

/// Returns the version and the JSON of a record, if its checksum is right.
fn record(bytes: &[u8]) -> Option<(u8, &str)> {
    let (&[version, s0, s1, s2, s3], payload) = bytes.split_first_chunk::<5>()?;
    let is_whole = crc32fast::hash(payload) == u32::from_le_bytes([s0, s1, s2, s3]);
    Some((version, std::str::from_utf8(payload).ok().filter(|_| is_whole)?))
}

/// Rejects a database with another content.
fn check_format(path: &Path, database: &sled::Db, trees: &[sled::Tree]) -> Result<(), StoreError> {
    let found = catch_panic(|| database.get(FORMAT_KEY)).map_err(|error| StoreError::reading(path, error))?;
    match found {
        Some(format) if format == FORMAT => Ok(()),
        Some(format) if format == index::FORMAT => {
            let why = format!("its {} is missing, and its index alone has no records", log::name(1));
            Err(StoreError::Damaged { path: path.to_owned(), why })
        }
        Some(format) => Err(StoreError::other_format(path, &format)),
        None if database.is_empty() && trees.iter().all(|tree| tree.is_empty()) => Ok(()),
        None => {
            let why = "it is a database without this program's format mark".to_owned();
            Err(StoreError::NotAStore { path: path.to_owned(), why })
        }
    }
}

/// Copies a file, or a directory of files.
fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return ltlcrit_files::copy(from, to, u64::MAX);
    }
    fs::create_dir(to)?;
    from.read_dir()?.try_for_each(|entry| {
        let name = entry?.file_name();
        ltlcrit_files::copy(&from.join(&name), &to.join(&name), u64::MAX)
    })
}
