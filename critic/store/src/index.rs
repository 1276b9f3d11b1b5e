//! The index of a store: for each tree, the position of each key's record in the lines.
//!
//! Opening a store reads the index from its lines. A read-only store keeps the index in memory. It can be read while
//! another process writes it, and reading writes nothing. A store open for writing keeps the index in sled. Opening
//! compares it with the lines, and rebuilds it if it is missing, outdated, or damaged.
//!
//! On damaged files the engine panics, and its iterators yield the same error for ever. Calls use [`catch_panic`], and
//! iterators end at their first error.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sled::IVec;
use strum::VariantArray as _;

use super::StoreError;
use super::directory::panic_message;
use super::keys::Kind;
use super::line::{self, Line};
use super::log::{Damage, Place, Pointer, SharedLog};

/// Entries are small and read in order, so a larger cache would only take memory from the worlds of a batch.
const CACHE_BYTES: u64 = 64 << 20;

thread_local! {
    static IN_ENGINE: Cell<bool> = const { Cell::new(false) };
}
static QUIET: Once = Once::new();

/// Calls the engine and converts a panic into an error, without its message on standard error.
fn catch_panic<T>(work: impl FnOnce() -> sled::Result<T>) -> sled::Result<T> {
    QUIET.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_engine = std::thread::current().name().is_some_and(|name| name.starts_with("sled-"));
            if !IN_ENGINE.get() && !is_engine {
                others(info);
            }
        }));
    });
    let before = IN_ENGINE.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IN_ENGINE.set(before);
    result.unwrap_or_else(|panic| Err(sled::Error::ReportableBug(panic_message(&*panic))))
}

/// Opens the engine's files in a directory, with its trees in the order of their kinds.
fn open(files: &Path) -> sled::Result<(sled::Db, Vec<sled::Tree>)> {
    catch_panic(|| {
        let database = sled::Config::new().path(files).cache_capacity(CACHE_BYTES).flush_every_ms(None).open()?;
        let trees = Kind::VARIANTS.iter().map(|kind| database.open_tree(kind.name())).collect::<sled::Result<_>>()?;
        Ok((database, trees))
    })
}

/// The positions of the records of a tree, by key.
pub(super) type Places = BTreeMap<IVec, Pointer>;

/// The index in memory, in the order of the kinds.
pub(super) struct Index(pub Vec<Places>);

impl Index {
    /// Creates an index without entries.
    pub fn new() -> Self {
        Self(vec![Places::new(); Kind::VARIANTS.len()])
    }

    /// Adds a line. A damaged line is listed under its claimed key, unless another line has this key.
    pub fn add(&mut self, pointer: Pointer, line: &Result<Line<'_>, Damage>) {
        let (kind, key) = match line {
            Ok(line) => (line.kind, line.key.as_slice()),
            Err(Damage { about: Some((kind, key)), .. }) => (*kind, key.as_slice()),
            Err(_) => return,
        };
        let places = &mut self.0[kind as usize];
        match line {
            Ok(line) if line.value.is_none() => drop(places.remove(key)),
            Err(_) if places.contains_key(key) => {}
            _ => drop(places.insert(key.into(), pointer)),
        }
    }

    /// Opens the engine in a directory and makes it hold exactly these entries.
    pub(crate) fn in_engine(&self, files: &Path) -> sled::Result<(sled::Db, Vec<Entries>)> {
        let (database, trees) = open(files)?;
        catch_panic(|| {
            for (tree, places) in trees.iter().zip(&self.0) {
                let entries = || places.iter().map(|(key, pointer)| (key.clone(), pointer.to_bytes()));
                let mut known = entries();
                let mut is_same = true;
                for entry in tree {
                    let (key, value) = entry?;
                    is_same &= known.next().is_some_and(|(place, pointer)| place == key && value == pointer);
                }
                if !is_same || known.next().is_some() {
                    tree.clear()?;
                    entries().try_for_each(|(key, pointer)| tree.insert(key, &pointer).map(drop))?;
                }
            }
            Ok(())
        })?;
        Ok((database, trees.into_iter().map(Entries::Engine).collect()))
    }

    /// Returns these entries as read-only trees.
    pub fn in_memory(self) -> Vec<Entries> {
        self.0.into_iter().map(|places| Entries::Memory(places.into_iter().collect())).collect()
    }
}

/// The index of one tree.
#[derive(Clone, Debug)]
pub(super) enum Entries {
    /// In the engine.
    Engine(sled::Tree),
    /// In memory, by key.
    Memory(Arc<[(IVec, Pointer)]>),
}

/// The records of one kind, by key.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub kind: Kind,
    entries: Entries,
    log: SharedLog,
    path: Arc<Path>,
}

impl Tree {
    /// Creates a tree of the store at a path.
    pub fn new(kind: Kind, entries: Entries, log: &SharedLog, path: &Arc<Path>) -> Self {
        Self { kind, entries, log: log.clone(), path: path.clone() }
    }

    /// Returns the position of a key's record.
    fn find(&self, key: &[u8]) -> Result<Option<Pointer>, StoreError> {
        match &self.entries {
            Entries::Memory(entries) => {
                let found = entries.binary_search_by(|(known, _)| (**known).cmp(key));
                Ok(found.ok().map(|at| entries[at].1))
            }
            Entries::Engine(tree) => {
                let found = self.reading(|| tree.get(key))?;
                found.map(|bytes| pointer(&self.path, &bytes)).transpose()
            }
        }
    }

    fn reading<T>(&self, read: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
        catch_panic(read).map_err(|error| StoreError::reading(&self.path, error))
    }

    /// Returns the record of a key.
    pub fn get<T: DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, StoreError> {
        self.find(key)?.map(|pointer| self.record(key, pointer)).transpose()
    }

    /// Returns whether the record of a key is at a position.
    pub fn is_at(&self, key: &[u8], place: Place) -> bool {
        self.find(key).is_ok_and(|found| found.is_some_and(|pointer| pointer.place == place))
    }

    pub fn contains(&self, key: &[u8]) -> Result<bool, StoreError> {
        Ok(self.find(key)?.is_some())
    }

    /// Returns the last key.
    pub fn last(&self) -> Result<Option<IVec>, StoreError> {
        match &self.entries {
            Entries::Memory(entries) => Ok(entries.last().map(|(key, _)| key.clone())),
            Entries::Engine(tree) => Ok(self.reading(|| tree.last())?.map(|(key, _)| key)),
        }
    }

    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.last()?.is_none())
    }

    /// Reads the record of a key at its position.
    pub fn record<T: DeserializeOwned>(&self, key: &[u8], pointer: Pointer) -> Result<T, StoreError> {
        self.with_line(key, pointer, |line| line.decode())
    }

    /// Calls `work` with the JSON of a key's record.
    pub(crate) fn with_json<T>(&self, key: &[u8], work: impl FnOnce(&str) -> T) -> Result<Option<T>, StoreError> {
        let Some(pointer) = self.find(key)? else { return Ok(None) };
        self.with_line(key, pointer, |line| Ok(work(line.json()))).map(Some)
    }

    fn with_line<T>(
        &self,
        key: &[u8],
        pointer: Pointer,
        work: impl FnOnce(Line<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let corrupt = |why: String| StoreError::Corrupt { place: self.kind.shown(key), why };
        let bytes = self.log.read(pointer)?;
        let line = Line::parse(&bytes).map_err(|(why, _)| corrupt(why))?;
        if (line.kind, line.key.as_slice()) != (self.kind, key) {
            return Err(corrupt(format!("its line is of {}", line.kind.shown(&line.key))));
        }
        work(line)
    }

    /// Writes the record of a key and replaces an earlier one.
    pub fn insert<T: Serialize>(&self, key: &[u8], record: &T) -> Result<(), StoreError> {
        self.write(key, line::VERSION, &line::json(self.kind, key, record)?)
    }

    pub fn remove(&self, key: &[u8]) -> Result<(), StoreError> {
        if self.contains(key)? { self.write(key, line::VERSION, "null") } else { Ok(()) }
    }

    /// Writes a record of a given version as JSON.
    pub fn write(&self, key: &[u8], version: u8, json: &str) -> Result<(), StoreError> {
        let mut writer = self.log.writer()?;
        let pointer = self.log.append(&mut writer, &line::encode(self.kind, key, version, json))?;
        let Entries::Engine(tree) = &self.entries else { return Ok(()) };
        let put = catch_panic(|| match json {
            "null" => tree.remove(key),
            _ => tree.insert(key, &pointer.to_bytes()),
        });
        put.map(drop).map_err(|error| StoreError::writing(&self.path, error))
    }

    /// Returns all entries, by key.
    pub fn iter(&self) -> Iter {
        self.with_prefix(&[])
    }

    /// Returns the entries of a run, by key.
    pub fn of_run(&self, run: u64) -> Iter {
        self.with_prefix(&run.to_be_bytes())
    }

    fn with_prefix(&self, prefix: &[u8]) -> Iter {
        match &self.entries {
            Entries::Engine(tree) => {
                let path = self.path.clone();
                match self.reading(|| tree.scan_prefix(prefix).collect::<sled::Result<Vec<_>>>()) {
                    Ok(entries) => {
                        Box::new(entries.into_iter().map(move |(key, bytes)| Ok((key, pointer(&path, &bytes)?))))
                    }
                    Err(error) => Box::new(std::iter::once(Err(error))),
                }
            }
            Entries::Memory(entries) => {
                let from = entries.partition_point(|(key, _)| **key < *prefix);
                let count = entries[from..].partition_point(|(key, _)| key.starts_with(prefix));
                let entries = entries.clone();
                Box::new((from..from + count).map(move |at| Ok(entries[at].clone())))
            }
        }
    }
}

fn pointer(path: &Path, bytes: &[u8]) -> Result<Pointer, StoreError> {
    let wrong = || StoreError::Damaged { path: path.to_owned(), why: "its index is wrong".to_owned() };
    Pointer::from_bytes(bytes).ok_or_else(wrong)
}

/// An iterator over keys in order, with the positions of their records.
pub(super) type Iter = Box<dyn DoubleEndedIterator<Item = Result<(IVec, Pointer), StoreError>> + Send>;

/// The time for which a killed process may still hold its lock.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Retries for [`LOCK_TIMEOUT`] while another process holds the lock.
pub(super) fn unless_locked<T>(mut attempt: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        match attempt() {
            Err(StoreError::Locked { .. }) if Instant::now() < deadline => std::thread::sleep(LOCK_RETRY_INTERVAL),
            result => return result,
        }
    }
}
