//! Saves what can be read of a damaged store.

mod bytes;
pub(super) mod log;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use log::Change;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::engine::unless_locked;
use super::format::{FORMAT, FORMAT_KEY};
use super::keys::step_of;
use super::{
    BookRevision, ConflictRecord, InFlight, LawProposal, Problem, RunId, RunManifest, RunOutcome, StepRecord, Store,
    StoreError, Timing, codec, journal,
};

/// What [`Store::salvage`] saved and what it did not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Salvage {
    /// Records saved, by tree.
    pub saved: BTreeMap<&'static str, u64>,
    /// Runs of which nothing is known to be missing.
    pub whole_runs: u64,
    /// The records known to be missing.
    pub lost: Vec<Problem>,
    /// The segments of the log that have damage; what was in them may be in others too.
    pub damaged_segments: u64,
    /// Records that were found and cannot be read.
    pub unreadable: u64,
}

impl Salvage {
    /// Whether nothing is known to be missing.
    pub fn is_complete(&self) -> bool {
        self.lost.is_empty() && self.unreadable == 0 && self.damaged_segments == 0
    }
}

impl Store {
    /// Writes everything that can be read of the store at one path into a new store at another. The damaged store is read
    /// without the storage engine, which would write to it, and stays as it is.
    ///
    /// # Errors
    /// A store that is missing, in use or something else; a target that exists, or that cannot be written.
    pub fn salvage(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<Salvage, StoreError> {
        let (from, to) = (from.as_ref(), to.as_ref());
        if !from.join("db").is_file() {
            return Err(StoreError::Missing { path: from.to_owned() });
        }
        let reading = |error: std::io::Error| StoreError::Read { path: from.to_owned(), why: error.to_string() };
        let lock = File::open(from.join("db")).map_err(reading)?;
        unless_locked(|| match lock.try_lock_shared() {
            Err(std::fs::TryLockError::WouldBlock) => Err(StoreError::Locked { path: from.to_owned() }),
            // A system without locks has no other process to be kept from writing.
            _ => Ok(()),
        })?;
        let is_taken =
            to.try_exists().map_err(|error| StoreError::Write { path: to.to_owned(), why: error.to_string() })?;
        if is_taken || is_within(to, from) {
            return Err(StoreError::Exists { path: to.to_owned() });
        }
        let witnessed = journal::Journal::of(from).runs().map_err(reading)?;
        let salvaged = Self::open(to).and_then(|store| store.fill(from, &witnessed));
        if salvaged.is_err() {
            // Half a store is worse than none; what matters is where it was.
            let _ = std::fs::remove_dir_all(to);
        }
        salvaged
    }

    /// Fills this new store with what the log of a damaged one has.
    fn fill(&self, from: &Path, witnessed: &BTreeMap<u64, Option<u64>>) -> Result<Salvage, StoreError> {
        let (trees, pages, stored) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut rescue = Rescue { store: self, from, trees, pages, stored, unreadable: 0 };
        let damaged_segments = log::read(from, &mut |change| rescue.take(change))?;
        let unreadable = rescue.unreadable;
        // An outcome that was taken away again may still be in the log.
        for (run, _) in witnessed.iter().filter(|(_, ended)| ended.is_none()) {
            self.outcomes.remove(run.to_be_bytes())?;
        }
        self.flush()?;
        self.write_journal()?;
        let report = self.verify_against(witnessed)?;
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
        for (run, last) in last_steps {
            self.journal.begun(run).map_err(|error| self.not_written(error))?;
            if let (Some(outcome), Some(_)) = (self.outcome(run)?, last) {
                self.journal.ended(run, outcome.last_step).map_err(|error| self.not_written(error))?;
            }
        }
        Ok(())
    }
}

/// Whether a path that is not there yet would lie in a directory.
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
    /// The trees of the records met so far; the log has most of them many times.
    trees: BTreeMap<Known, Option<&'static str>>,
    /// The tree that each page belongs to.
    pages: BTreeMap<u64, &'static str>,
    /// The records in the new store, by tree and key.
    stored: BTreeMap<(&'static str, Vec<u8>), Known>,
    unreadable: u64,
}

impl Rescue<'_> {
    fn take(&mut self, change: Change<'_>) -> Result<(), StoreError> {
        match change {
            Change::Set(_, key, value) if key == FORMAT_KEY.as_bytes() => match value == FORMAT.as_bytes() {
                true => Ok(()),
                false => Err(StoreError::other_format(self.from, value)),
            },
            Change::Set(page, key, value) if matches!(key.len(), 8 | 16) => self.set(page, key, value),
            Change::Set(..) => Ok(()),
            // Several trees have the run as key: the page tells which one this is.
            Change::Removed(page, key) => match self.pages.get(&page) {
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

/// The tree a record belongs to: of the kinds of record under a key of this length, the one it can be read as.
fn tree_of(key: &[u8], value: &[u8]) -> Option<&'static str> {
    fn reads<T: DeserializeOwned>(value: &[u8]) -> bool {
        codec::decode::<T>(&String::new, value).is_ok()
    }
    let kinds: &[Kind] = match key.len() {
        8 => &[
            ("runs", reads::<RunManifest>),
            ("outcomes", reads::<RunOutcome>),
            ("in_flight", reads::<InFlight>),
            ("proposals", reads::<LawProposal>),
            ("book_revisions", reads::<BookRevision>),
        ],
        _ => &[("steps", reads::<StepRecord>), ("timings", reads::<Timing>), ("conflicts", reads::<ConflictRecord>)],
    };
    kinds.iter().find(|(_, reads)| reads(value)).map(|(tree, _)| *tree)
}
