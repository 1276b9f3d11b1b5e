//! Saves the readable records of a damaged store.

mod bytes;
pub(super) mod log;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use log::LoggedChange;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::engine::unless_locked;
use super::format::{FORMAT, FORMAT_KEY};
use super::keys::step_of;
use super::{
    BookRevision, ConflictRecord, InFlight, LawProposal, Problem, RunId, RunOutcome, StepRecord, Store, StoreError,
    Timing, codec, journal,
};

/// The result of [`Store::salvage`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Salvage {
    /// Records saved, by tree.
    pub saved: BTreeMap<&'static str, u64>,
    /// Runs without a known loss.
    pub whole_runs: u64,
    /// The records known to be missing.
    pub lost: Vec<Problem>,
    /// The damaged segments of the log; their records may be in other segments too.
    pub damaged_segments: u64,
    /// Records that were found but cannot be read.
    pub unreadable: u64,
}

impl Salvage {
    /// Whether nothing is known to be missing.
    pub fn is_complete(&self) -> bool {
        self.lost.is_empty() && self.unreadable == 0 && self.damaged_segments == 0
    }
}

impl Store {
    /// Writes the readable records of the store at one path into a new store at another. Reads the damaged store
    /// without the storage engine, which would write to it.
    ///
    /// # Errors
    /// A source that is missing, in use or not a store; a target that exists or cannot be written.
    pub fn salvage(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<Salvage, StoreError> {
        let (from, to) = (from.as_ref(), to.as_ref());
        if !from.join("db").is_file() {
            return Err(StoreError::Missing { path: from.to_owned() });
        }
        let reading = |error: std::io::Error| StoreError::Read { path: from.to_owned(), why: error.to_string() };
        let lock = File::open(from.join("db")).map_err(reading)?;
        unless_locked(|| match lock.try_lock_shared() {
            Err(std::fs::TryLockError::WouldBlock) => Err(StoreError::Locked { path: from.to_owned() }),
            // On a system without locks no other process can be kept from writing.
            _ => Ok(()),
        })?;
        let is_taken =
            to.try_exists().map_err(|error| StoreError::Write { path: to.to_owned(), why: error.to_string() })?;
        if is_taken || is_within(to, from) {
            return Err(StoreError::Exists { path: to.to_owned() });
        }
        let journaled = journal::Journal::of(from).runs().map_err(reading)?;
        let salvaged = Self::open(to).and_then(|store| store.fill(from, &journaled));
        if salvaged.is_err() {
            // An incomplete store is worse than none.
            let _ = std::fs::remove_dir_all(to);
        }
        salvaged
    }

    /// Fills this new store from the log of a damaged one.
    fn fill(&self, from: &Path, journaled: &BTreeMap<u64, Option<u64>>) -> Result<Salvage, StoreError> {
        let (trees, pages, stored) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut rescue = Rescue { store: self, from, trees, pages, stored, unreadable: 0 };
        let damaged_segments = log::read(from, &mut |change| rescue.take(change))?;
        let unreadable = rescue.unreadable;
        // The log may still contain an outcome that was removed.
        for (run, _) in journaled.iter().filter(|(_, ended)| ended.is_none()) {
            self.outcomes.remove(run.to_be_bytes())?;
        }
        self.flush()?;
        self.write_journal()?;
        let report = self.verify_against(journaled)?;
        let broken: BTreeSet<u64> = report.problems.iter().filter_map(|problem| problem.run).collect();
        let whole_runs =
            self.run_ids().filter(|run| run.as_ref().is_ok_and(|run| !broken.contains(&run.0))).count() as u64;
        Ok(Salvage { saved: report.records, whole_runs, lost: report.problems, damaged_segments, unreadable })
    }

    /// Writes a journal of the runs that are stored.
    fn write_journal(&self) -> Result<(), StoreError> {
        let mut last_steps = BTreeMap::new();
        for run in self.run_ids() {
            last_steps.insert(run?, None);
        }
        for entry in self.steps.entries() {
            let (run, step) = step_of("steps", &entry?.0)?;
            last_steps.insert(RunId(run), Some(step));
        }
        let mut runs = BTreeMap::new();
        for (run, last) in last_steps {
            let outcome = self.outcome(run)?;
            runs.insert(run, last.and(outcome).map(|outcome| outcome.last_step));
        }
        self.journal.add(&runs).map_err(|error| self.not_written(error))
    }
}

/// Whether a path that does not exist yet would be inside a directory.
fn is_within(path: &Path, directory: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (parent.canonicalize(), directory.canonicalize()) {
        (Ok(parent), Ok(directory)) => parent.starts_with(directory),
        _ => path.starts_with(directory),
    }
}

/// A record by its key and checksum.
type Known = (Vec<u8>, [u8; 5], usize);

/// Puts the records of a log into a new store.
struct Rescue<'a> {
    store: &'a Store,
    from: &'a Path,
    /// The trees of the records so far; the log contains most records many times.
    trees: BTreeMap<Known, Option<&'static str>>,
    /// The tree that each page belongs to.
    pages: BTreeMap<u64, &'static str>,
    /// The records in the new store, by tree and key.
    stored: BTreeMap<(&'static str, Vec<u8>), Known>,
    unreadable: u64,
}

impl Rescue<'_> {
    fn take(&mut self, change: LoggedChange<'_>) -> Result<(), StoreError> {
        match change {
            LoggedChange::Set(_, key, value) if key == FORMAT_KEY.as_bytes() => match value == FORMAT.as_bytes() {
                true => Ok(()),
                false => Err(StoreError::other_format(self.from, value)),
            },
            LoggedChange::Set(page, key, value) if matches!(key.len(), 8 | 16 | 64) => self.set(page, key, value),
            LoggedChange::Set(..) => Ok(()),
            // Several trees have the run as key; the page identifies the tree.
            LoggedChange::Removed(page, key) => match self.pages.get(&page) {
                Some(tree) => {
                    self.stored.remove(&(*tree, key.clone()));
                    self.store.tree(tree).remove(key)
                }
                None => Ok(()),
            },
        }
    }

    fn set(&mut self, page: u64, key: Vec<u8>, value: &[u8]) -> Result<(), StoreError> {
        let head = value.first_chunk().copied().unwrap_or_default();
        let known = (key, head, value.len());
        let tree = match self.trees.get(&known) {
            Some(tree) => *tree,
            None => {
                let tree = tree_of(&known.0, value);
                self.unreadable += u64::from(tree.is_none());
                self.trees.insert(known.clone(), tree);
                tree
            }
        };
        let Some(tree) = tree else { return Ok(()) };
        self.pages.insert(page, tree);
        let place = (tree, known.0.clone());
        if self.stored.get(&place) == Some(&known) {
            return Ok(());
        }
        self.store.tree(tree).insert(&known.0, value.to_vec())?;
        self.stored.insert(place, known);
        Ok(())
    }
}

/// A tree and whether a value can be read as a record of it.
type Kind = (&'static str, fn(&[u8]) -> bool);

/// The tree of a record: among the trees with keys of this length, the one whose type it can be read as.
fn tree_of(key: &[u8], value: &[u8]) -> Option<&'static str> {
    fn reads<T: DeserializeOwned>(value: &[u8]) -> bool {
        codec::decode::<T>(&String::new, value).is_ok()
    }
    /// Its documents may come later, or be lost.
    fn is_manifest(value: &[u8]) -> bool {
        codec::decode::<Value>(&String::new, value)
            .is_ok_and(|record| ["run", "world", "limits"].iter().all(|field| record.get(field).is_some()))
    }
    let kinds: &[Kind] = match key.len() {
        64 => &[("documents", reads::<Value>)],
        8 => &[
            ("runs", is_manifest),
            ("outcomes", reads::<RunOutcome>),
            ("in_flight", reads::<InFlight>),
            ("proposals", reads::<LawProposal>),
            ("book_revisions", reads::<BookRevision>),
        ],
        _ => &[("steps", reads::<StepRecord>), ("timings", reads::<Timing>), ("conflicts", reads::<ConflictRecord>)],
    };
    kinds.iter().find(|(_, reads)| reads(value)).map(|(tree, _)| *tree)
}
