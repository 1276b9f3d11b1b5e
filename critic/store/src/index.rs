//! The index of a store: for each tree, where in the lines the record of a key is.
//!
//! It is told from the lines whenever a store is opened. A store that is only read keeps it in memory, so that it is read while
//! another process writes it, and without writing anything. A store that is written keeps it in sled, which is compared with
//! the lines then, and made again when it is missing, behind, or damaged.
//!
//! On damaged files the engine panics, and its iterators yield the same error for ever. Calls go through [`catch_panic`], and
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

/// Entries are small and read in order, so a large cache would only take memory from the worlds of a batch.
const CACHE_BYTES: u64 = 64 << 20;
/// The key of the format in the database.
pub(super) const FORMAT_KEY: &str = "format";
/// The format of the database.
pub(super) const FORMAT: &str = "ltlcrit index 1";

thread_local! {
    static IN_ENGINE: Cell<bool> = const { Cell::new(false) };
}
static QUIET: Once = Once::new();

/// Calls the engine and turns a panic into an error, without its message on standard error.
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

/// The files of the engine in a directory, with its trees in the order of [`TREES`].
pub(super) fn open(files: &Path) -> sled::Result<(sled::Db, Vec<sled::Tree>)> {
    catch_panic(|| {
        let database = sled::Config::new().path(files).cache_capacity(CACHE_BYTES).flush_every_ms(None).open()?;
        let trees = TREES.iter().map(|(name, _)| database.open_tree(name)).collect::<sled::Result<_>>()?;
        Ok((database, trees))
    })
}

/// Where the record of each key of a tree is.
pub(super) type Places = BTreeMap<IVec, Pointer>;

/// The index in memory, by tree in the order of [`TREES`].
pub(super) struct Index(pub Vec<Places>);

impl Index {
    /// An index without entries.
    pub fn new() -> Self {
        Self(TREES.map(|_| Places::new()).into())
    }

    /// Takes in a line. A damaged one is found under the key that it claims to have, unless another line has this key.
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

    /// Opens the engine in a directory with these entries and no others.
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

    /// These entries, to be read.
    pub fn in_memory(self) -> Vec<Entries> {
        self.0.into_iter().map(|places| Entries::Memory(Arc::new(places))).collect()
    }
}

/// The index of a tree.
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
    /// A tree of the store at a path.
    pub fn new(name: &'static str, entries: Entries, log: &SharedLog, path: &Arc<Path>) -> Self {
        Self { name, entries, log: log.clone(), path: path.clone() }
    }

    /// Where the record of a key is.
    fn find(&self, key: &[u8]) -> Result<Option<Pointer>, StoreError> {
        match &self.entries {
            Entries::Memory(entries) => Ok(entries.get(key).copied()),
            Entries::Engine(tree) => {
                let found = catch_panic(|| tree.get(key)).map_err(|error| StoreError::reading(&self.path, error))?;
                found.map(|bytes| pointer(&self.path, &bytes)).transpose()
            }
        }
    }

    /// The record of a key.
    pub fn get<T: DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, StoreError> {
        self.find(key)?.map(|pointer| self.record(key, pointer)).transpose()
    }

    /// Whether the record of a key is at a place.
    pub fn is_at(&self, key: &[u8], place: Place) -> bool {
        self.find(key).is_ok_and(|found| found.is_some_and(|pointer| pointer.place == place))
    }

    pub fn contains(&self, key: &[u8]) -> Result<bool, StoreError> {
        Ok(self.find(key)?.is_some())
    }

    /// The last key.
    pub fn last(&self) -> Result<Option<IVec>, StoreError> {
        self.iter().next_back().transpose().map(|last| last.map(|(key, _)| key))
    }

    pub fn is_empty(&self) -> Result<bool, StoreError> {
        Ok(self.iter().next().transpose()?.is_none())
    }

    /// The record of a key, at its place.
    pub fn record<T: DeserializeOwned>(&self, key: &[u8], pointer: Pointer) -> Result<T, StoreError> {
        self.with_line(key, pointer, |line| line.decode())
    }

    /// Works with the JSON of the record of a key.
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

    /// Writes the record of a key, in place of an earlier one.
    pub fn insert<T: Serialize>(&self, key: &[u8], record: &T) -> Result<(), StoreError> {
        self.write(key, line::VERSION, &line::json(self.name, key, record)?)
    }

    pub fn remove(&self, key: &[u8]) -> Result<(), StoreError> {
        if self.contains(key)? { self.write(key, line::VERSION, "null") } else { Ok(()) }
    }

    /// Writes a record of a version as JSON.
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

    /// All entries, by key.
    pub fn iter(&self) -> Iter {
        self.within(Bound::Unbounded, Bound::Unbounded)
    }

    /// The entries of a run, by key.
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

/// Keys in order, and where their records are. The first error is the last item.
pub(super) struct Iter {
    rest: Option<Rest>,
    path: Arc<Path>,
}

enum Rest {
    Engine(sled::Iter),
    /// The entries between two bounds, which are never the same key.
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

/// A killed process may still hold its lock for a moment.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Tries again for [`LOCK_TIMEOUT`] while another process holds the lock.
pub(super) fn unless_locked<T>(mut attempt: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        match attempt() {
            Err(StoreError::Locked { .. }) if Instant::now() < deadline => std::thread::sleep(LOCK_RETRY_INTERVAL),
            result => return result,
        }
    }
}
