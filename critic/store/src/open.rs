//! Opens a store: the lines first, then the index over them.
//!
//! One process writes a store at a time; the file `lock` is locked meanwhile. Reading needs no lock and writes nothing.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ltlcrit_files::{FileError, append, create_private_directory};
use strum::VariantArray as _;

use super::directory::refuse_other_content;
use super::index::{Entries, Index, Tree, unless_locked};
use super::keys::Kind;
use super::log::{self, Damage, Log, Place};
use super::{Store, StoreError};

/// The lock file of the process that writes the store.
const LOCK: &str = "lock";

impl Store {
    /// Opens the store at a path, or creates an empty one if the path does not exist. Waits half a second for a store
    /// in use.
    ///
    /// # Errors
    /// A directory that is in use, cannot be written or is not a store; a store whose last lines are missing.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        unless_locked(|| Self::try_open(path))
    }

    fn try_open(path: &Path) -> Result<Self, StoreError> {
        refuse_other_content(path)?;
        let io = |error| StoreError::opening(path, error);
        create_private_directory(path).map_err(io)?;
        let lock = lock(path)?;
        let mut remarks = Vec::new();
        // An index without lines is left of a damaged store.
        if path.join(log::name(1)).exists() || !path.join("db").exists() {
            Log::begin(path).map_err(io)?;
        }
        let Opened { log, index, end, damage } = Opened::new(path, &mut remarks)?;
        if let Some(damage) = damage {
            return Err(StoreError::Damaged { path: path.to_owned(), why: damage.message() });
        }
        let engine = match index.in_engine(path).map_err(|error| StoreError::engine(path, error)) {
            Err(StoreError::Damaged { .. }) => {
                let aside = move_aside(path).map_err(io)?;
                let what = "had a damaged index, which was made again from its lines; the damaged files are in";
                remarks.push(format!("{what} `{}`", aside.display()));
                index.in_engine(path).map_err(|error| StoreError::engine(path, error))
            }
            result => result,
        };
        let (database, entries) = engine?;
        Ok(Self::of(path, log.writable(end, database, lock)?, entries, remarks))
    }

    fn of(path: &Path, log: Log, entries: Vec<Entries>, remarks: Vec<String>) -> Self {
        let (log, shown) = (Arc::new(log), Arc::from(path));
        let trees = Kind::VARIANTS.iter().zip(entries).map(|(kind, entries)| Tree::new(*kind, entries, &log, &shown));
        let (trees, path) = (trees.collect(), path.to_owned());
        Self { path, numbers: Arc::default(), log: log.clone(), remarks: remarks.into(), trees }
    }

    /// Opens an existing store.
    ///
    /// # Errors
    /// Those of [`Store::open`], and a missing store.
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        must_exist(path)?;
        Self::open(path)
    }

    /// Opens an existing store for a command that only reads. It has every step stored so far, including those of a
    /// process that has it open. Nothing is written.
    ///
    /// # Errors
    /// A missing store, a path that is not a store, or files that cannot be read.
    pub fn open_to_read(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        must_exist(path)?;
        let mut remarks = Vec::new();
        if Self::is_locked(path).unwrap_or(false) {
            remarks.push("is in use by another process: shown as it is now".to_owned());
        }
        let Opened { log, index, damage, .. } = Opened::new(path, &mut remarks)?;
        remarks.extend(damage.map(|damage| format!("is damaged: {}", damage.message())));
        Ok(Self::of(path, log, index.in_memory(), remarks))
    }

    /// Remarks on the state of the store when it was opened, each a sentence without its subject, the store.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Returns whether a directory holds the files of a store.
    pub fn is_at(directory: &Path) -> bool {
        ["runs.jsonl", LOCK].iter().all(|name| directory.join(name).is_file())
    }

    /// Returns whether a process has the store at a path open for writing. Only processes that share locks with this
    /// one count: those of this machine, and others if a shared file system forwards locks.
    ///
    /// # Errors
    /// A file that cannot be read, or a file system without locks.
    pub fn is_locked(path: impl AsRef<Path>) -> io::Result<bool> {
        let lock = match ltlcrit_files::open(&path.as_ref().join(LOCK), u64::MAX) {
            Ok(lock) => lock.into_inner(),
            Err(FileError::Missing) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        match lock.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Returns the damage of the lines, in order, and the damage at their end.
    pub(super) fn damage(&self) -> Result<(Vec<Damage>, Option<Damage>), StoreError> {
        let known = self.log.known_end();
        let mut found = Vec::new();
        let end = self.log.scan(&mut |_, line| {
            found.extend(line.err());
            Ok(())
        })?;
        Ok((found, Log::cut_short(known, end)))
    }
}

/// The lines of a store, as they were found.
struct Opened {
    log: Log,
    index: Index,
    end: Place,
    /// The damage of missing lines at the end.
    damage: Option<Damage>,
}

impl Opened {
    fn new(path: &Path, remarks: &mut Vec<String>) -> Result<Self, StoreError> {
        let log = Log::to_read(path)?;
        let (mut index, mut damaged) = (Index::new(), 0_u64);
        // The order matters, since the end may move on meanwhile.
        let known = log.known_end();
        let end = log.scan(&mut |pointer, line| {
            damaged += u64::from(line.is_err());
            index.add(pointer, &line);
            Ok(())
        })?;
        if damaged > 0 {
            remarks.push(format!("has {damaged} damaged lines, which `ltlcrit store verify` lists"));
        }
        Ok(Self { log, index, end, damage: Log::cut_short(known, end) })
    }
}

/// Locks the store for this process.
fn lock(path: &Path) -> Result<File, StoreError> {
    let lock = append(&path.join(LOCK)).map_err(|error| StoreError::opening(path, error.into()))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(StoreError::opening(path, error)),
    }
}

/// Moves the engine's files to a new directory within the store.
fn move_aside(path: &Path) -> io::Result<PathBuf> {
    let mut places = (1_u64..).map(|number| path.join(format!("replaced-{number}")));
    let place = places.find(|place| place.symlink_metadata().is_err()).unwrap_or_default();
    create_private_directory(&place)?;
    for entry in path.read_dir()? {
        let name = entry?.file_name();
        let shown = name.to_string_lossy();
        if matches!(&*shown, "db" | "conf" | "blobs") || shown.starts_with("snap.") {
            fs::rename(path.join(&name), place.join(&name))?;
        }
    }
    Ok(place)
}

/// Rejects a path without a store, and one with other content.
pub(super) fn must_exist(path: &Path) -> Result<(), StoreError> {
    refuse_other_content(path)?;
    match [log::name(1).as_str(), "db"].iter().any(|name| path.join(name).exists()) {
        true => Ok(()),
        false => Err(StoreError::Missing(path.to_owned())),
    }
}
