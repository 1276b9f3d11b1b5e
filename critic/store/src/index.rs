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
use std::ops::Bound;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sled::IVec;

use super::StoreError;
use super::directory::panic_message;
use super::keys::{self, TREES};
use super::line::{self, Line};
use super::log::{Damage, Place, Pointer, SharedLog};

/// Entries are small and read in order, so a larger cache would only take memory from the worlds of a batch.
const CACHE_BYTES: u64 = 64 << 20;
/// The key of the format in the database.
pub(super) const FORMAT_KEY: &str = "format";
/// The format of the database.
pub(super) const FORMAT: &str = "ltlcrit index 1";

thread_local! {
    static IN_ENGINE: Cell<bool> = const { Cell::new(false) };
}
static QUIET: Once = Once::new();

/// Calls the engine and converts a panic into an error, without its message on standard error.
pub(super) fn catch_panic<T>(work: impl FnOnce() -> sled::Result<T>) -> sled::Result<T> {
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

/// Opens the engine's files in a directory, with its trees in the order of [`TREES`].
pub(super) fn open(files: &Path) -> sled::Result<(sled::Db, Vec<sled::Tree>)> {
    catch_panic(|| {
        let database = sled::Config::new().path(files).cache_capacity(CACHE_BYTES).flush_every_ms(None).open()?;
        let trees = TREES.iter().map(|(name, _)| database.open_tree(name)).collect::<sled::Result<_>>()?;
        Ok((database, trees))
    })
}

/// The positions of the records of a tree, by key.
pub(super) type Places = BTreeMap<IVec, Pointer>;

/// The index in memory, by tree in the order of [`TREES`].
pub(super) struct Index(pub Vec<Places>);

impl Index {
    /// Creates an index without entries.
    pub fn new() -> Self {
        Self(TREES.map(|_| Places::new()).into())
    }

    /// Adds a line. A damaged line is listed under its claimed key, unless another line has this key.
    pub fn add(&mut self, pointer: Pointer, line: &Result<Line<'_>, Damage>) {
        let (tree, key) = match line {
            Ok(line) => (line.tree, &line.key),
            Err(Damage { about: Some((tree, key)), .. }) => (*tree, key),
            Err(_) => return,
        };
        let place = TREES.iter().position(|(name, _)| *name == tree);
        let (Some(places), key) = (place.and_then(|place| self.0.get_mut(place)), key.as_slice()) else { return };
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
            database.insert(FORMAT_KEY, FORMAT)?;
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
        self.0.into_iter().map(|places| Entries::Memory(Arc::new(places))).collect()
    }
}

/// The index of one tree.
#[derive(Clone, Debug)]
pub(super) enum Entries {
    /// In the engine.
    Engine(sled::Tree),
    /// In memory.
    Memory(Arc<Places>),
}

/// The records of one kind, by key.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Its name.
    pub name: &'static str,
    entries: Entries,
    log: SharedLog,
    path: Arc<Path>,
}

impl Tree {
    /// Creates a tree of the store at a path.
    pub fn new(name: &'static str, entries: Entries, log: &SharedLog, path: &Arc<Path>) -> Self {
        Self { name, entries, log: log.clone(), path: path.clone() }
    }

    /// Returns the position of a key's record.
    fn find(&self, key: &[u8]) -> Result<Option<Pointer>, StoreError> {
        match &self.entries {
            Entries::Memory(entries) => Ok(entries.get(key).copied()),
            Entries::Engine(tree) => {
                let found = catch_panic(|| tree.get(key)).map_err(|error| StoreError::reading(&self.path, error))?;
                found.map(|bytes| pointer(&self.path, &bytes)).transpose()
            }
        }
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
        self.iter().next_back().transpose().map(|last| last.map(|(key, _)| key))
    }

    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.iter().next().transpose()?.is_none())
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
        let corrupt = |why: String| StoreError::Corrupt { place: keys::shown(self.name, key), why };
        let bytes = self.log.read(pointer)?;
        let line = Line::parse(&bytes).map_err(|(why, _)| corrupt(why))?;
        if (line.tree, line.key.as_slice()) != (self.name, key) {
            return Err(corrupt(format!("its line is of {}", keys::shown(line.tree, &line.key))));
        }
        work(line)
    }

    /// Writes the record of a key and replaces an earlier one.
    pub fn insert<T: Serialize>(&self, key: &[u8], record: &T) -> Result<(), StoreError> {
        self.write(key, line::VERSION, &line::json(self.name, key, record)?)
    }

    pub fn remove(&self, key: &[u8]) -> Result<(), StoreError> {
        if self.contains(key)? { self.write(key, line::VERSION, "null") } else { Ok(()) }
    }

    /// Writes a record of a given version as JSON.
    pub fn write(&self, key: &[u8], version: u8, json: &str) -> Result<(), StoreError> {
        let mut writer = self.log.writer()?;
        let pointer = self.log.append(&mut writer, &line::encode(self.name, key, version, json))?;
        let Entries::Engine(tree) = &self.entries else { return Ok(()) };
        let put = catch_panic(|| match json {
            "null" => tree.remove(key),
            _ => tree.insert(key, &pointer.to_bytes()),
        });
        put.map(drop).map_err(|error| StoreError::writing(&self.path, error))
    }

    /// Returns all entries, by key.
    pub fn iter(&self) -> Iter {
        self.within(Bound::Unbounded, Bound::Unbounded)
    }

    /// Returns the entries of a run, by key.
    pub fn of_run(&self, run: u64) -> Iter {
        let bound = |run: u64| IVec::from(run.to_be_bytes().as_slice());
        let high = run.checked_add(1).map_or(Bound::Unbounded, |next| Bound::Excluded(bound(next)));
        self.within(Bound::Included(bound(run)), high)
    }

    fn within(&self, low: Bound<IVec>, high: Bound<IVec>) -> Iter {
        let rest = match &self.entries {
            Entries::Engine(tree) => Rest::Engine(tree.range((low, high))),
            Entries::Memory(entries) => Rest::Memory { entries: entries.clone(), low, high },
        };
        Iter { rest: Some(rest), path: self.path.clone() }
    }
}

fn pointer(path: &Path, bytes: &[u8]) -> Result<Pointer, StoreError> {
    let wrong = || StoreError::Damaged { path: path.to_owned(), why: "its index is wrong".to_owned() };
    Pointer::from_bytes(bytes).ok_or_else(wrong)
}

/// Iterates over keys in order, with the positions of their records. The first error is the last item.
pub(super) struct Iter {
    rest: Option<Rest>,
    path: Arc<Path>,
}

enum Rest {
    Engine(sled::Iter),
    /// The entries between two bounds, which always differ.
    Memory {
        entries: Arc<BTreeMap<IVec, Pointer>>,
        low: Bound<IVec>,
        high: Bound<IVec>,
    },
}

impl Iter {
    fn step(&mut self, forward: bool) -> Option<Result<(IVec, Pointer), StoreError>> {
        let item = match self.rest.as_mut()? {
            Rest::Engine(rest) => {
                let next =
                    catch_panic(|| if forward { rest.next() } else { rest.next_back() }.transpose()).transpose()?;
                let entry = next.map_err(|error| StoreError::reading(&self.path, error));
                entry.and_then(|(key, bytes)| Ok((key, pointer(&self.path, &bytes)?)))
            }
            Rest::Memory { entries, low, high } => {
                let mut range = entries.range((low.clone(), high.clone()));
                let (key, pointer) = if forward { range.next() } else { range.next_back() }?;
                let item = (key.clone(), *pointer);
                *(if forward { low } else { high }) = Bound::Excluded(item.0.clone());
                Ok(item)
            }
        };
        if item.is_err() {
            self.rest = None;
        }
        Some(item)
    }
}

impl Iterator for Iter {
    type Item = Result<(IVec, Pointer), StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step(true)
    }
}

impl DoubleEndedIterator for Iter {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(false)
    }
}

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
