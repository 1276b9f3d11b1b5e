//! The storage engine's trees; its errors and panics become errors of the store.
//!
//! On damaged files the engine panics, and its iterators yield the same error for ever. All access to trees goes
//! through [`Tree`], which turns panics into errors and ends iterators at their first error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sled::IVec;

use super::StoreError;
use super::directory::panic_message;

/// A key and its value.
pub(super) type Pair = (IVec, IVec);

/// Calls the engine and turns a panic into an error.
pub(super) fn catch_panic<T>(work: impl FnOnce() -> sled::Result<T>) -> sled::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(sled::Error::ReportableBug(panic_message(&*panic))))
}

/// A tree of the engine.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    tree: sled::Tree,
    path: Arc<Path>,
    read_only: bool,
}

impl Tree {
    /// A tree of the store at a path.
    pub fn new(tree: sled::Tree, path: &Arc<Path>, read_only: bool) -> Self {
        Self { tree, path: path.clone(), read_only }
    }

    pub fn get(&self, key: impl AsRef<[u8]>) -> Result<Option<IVec>, StoreError> {
        self.read(|| self.tree.get(key))
    }

    pub fn contains(&self, key: impl AsRef<[u8]>) -> Result<bool, StoreError> {
        self.read(|| self.tree.contains_key(key))
    }

    pub fn last(&self) -> Result<Option<Pair>, StoreError> {
        self.read(|| self.tree.last())
    }

    pub fn is_empty(&self) -> Result<bool, StoreError> {
        self.read(|| self.tree.first()).map(|first| first.is_none())
    }

    pub fn insert(&self, key: impl AsRef<[u8]>, value: Vec<u8>) -> Result<(), StoreError> {
        self.write(|| self.tree.insert(key, value)).map(drop)
    }

    /// Inserts under a key that has no value; returns whether it had none.
    pub fn insert_new(&self, key: impl AsRef<[u8]>, value: Vec<u8>) -> Result<bool, StoreError> {
        self.write(|| self.tree.compare_and_swap(key, None as Option<&[u8]>, Some(value))).map(|swap| swap.is_ok())
    }

    pub fn remove(&self, key: impl AsRef<[u8]>) -> Result<(), StoreError> {
        self.write(|| self.tree.remove(key)).map(drop)
    }

    /// Everything in the tree, by key.
    pub fn entries(&self) -> Entries {
        Entries { rest: Some(self.tree.iter()), path: self.path.clone() }
    }

    /// Everything whose key begins with these bytes, by key.
    pub fn entries_of(&self, prefix: [u8; 8]) -> Entries {
        Entries { rest: Some(self.tree.scan_prefix(prefix)), path: self.path.clone() }
    }

    fn read<T>(&self, work: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
        catch_panic(work).map_err(|error| StoreError::reading(&self.path, error))
    }

    fn write<T>(&self, work: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
        if self.read_only {
            return Err(StoreError::Copy { path: self.path.to_path_buf() });
        }
        catch_panic(work).map_err(|error| StoreError::writing(&self.path, error))
    }
}

/// Keys and values in order. The first error is the last item.
pub(super) struct Entries {
    rest: Option<sled::Iter>,
    path: Arc<Path>,
}

impl Entries {
    fn step(
        &mut self,
        next: impl FnOnce(&mut sled::Iter) -> Option<sled::Result<Pair>>,
    ) -> Option<Result<Pair, StoreError>> {
        let rest = self.rest.as_mut()?;
        let item = catch_panic(|| next(rest).transpose()).transpose()?;
        if item.is_err() {
            self.rest = None;
        }
        Some(item.map_err(|error| StoreError::reading(&self.path, error)))
    }
}

impl Iterator for Entries {
    type Item = Result<Pair, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step(Iterator::next)
    }
}

impl DoubleEndedIterator for Entries {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(DoubleEndedIterator::next_back)
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
