//! The store of runs and their steps, on disk, in sled.
//!
//! Trees, with their keys (numbers big-endian, so that byte order is numeric order):
//!
//! | tree | key | value |
//! | --- | --- | --- |
//! | `runs` | run | [`RunManifest`], with references to its documents |
//! | `documents` | SHA-256 of the value, in hexadecimal | a configuration, vocabulary, book or list of laws |
//! | `steps` | run, step | [`StepRecord`] |
//! | `in_flight` | run | [`InFlight`]: the action under way, in a world that cannot be rebuilt by repeating actions |
//! | `outcomes` | run | [`RunOutcome`]; missing while a run is under way, or after it was killed |
//! | `conflicts` | run, step | [`ConflictRecord`] |
//! | `timings` | run, step | [`Timing`] |
//! | `proposals` | number | [`LawProposal`] |
//! | `book_revisions` | number | [`BookRevision`] |
//!
//! A `journal` file beside them lists the runs (see `journal`).
//!
//! Every value carries a version and a checksum (see `codec`). With [`Durability::EachStep`] a step is on
//! disk when [`Store::append_step`] returns, so that a process killed at any instant loses at most the step it was in. With
//! [`Durability::EachEpisode`] the whole run is on disk when [`Store::finish`] returns.
//! A record is changed in four cases only: an outcome is removed when its run is resumed, the action in flight when its
//! step is stored; the last step is replaced when a resumed run finds its world changed, and a damaged document when a run
//! with this document begins.
//!
//! Threads share a store: each writes its own runs. Runs that are to be the same whatever thread ends first are kept in memory
//! ([`Episode`]) and committed in order ([`Store::commit`]). A run's records and its export then depend on its own manifest,
//! steps and outcome alone; only the times, which exports leave out, differ.
//!
//! One process has a store open. Others read a copy of it meanwhile ([`Store::open_to_read`]). What can be read of a
//! damaged store is written to a new one ([`Store::salvage`]).

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod change;
mod codec;
mod copy;
mod directory;
mod documents;
mod engine;
mod episode;
mod error;
mod export;
mod format;
mod journal;
mod keys;
mod manifest;
mod outline;
mod private;
mod proposals;
mod ruling;
mod run_id;
mod salvage;
#[cfg(feature = "test-support")]
pub mod scratch;
mod segment;
mod selection;
mod step;
mod transition;
mod translation;
mod verify;

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

pub use change::{Change, LawSource, Proposal, RetireCause};
pub use codec::sha256;
use directory::{check_clock, is_empty, refuse_other_content};
use engine::{Tree, catch_panic, unless_locked};
pub use episode::Episode;
pub use error::StoreError;
pub use export::{ExportOptions, Exported};
use format::{FORMAT, FORMAT_KEY};
use keys::{number_of, place, step_key, step_of};
use ltlcrit_files::FileError;
pub use ltlcrit_verifier::LawId;
pub use manifest::{BookRecord, Configuration, LawRecord, Limits, Program, RunManifest, VocabularyRecord};
pub use outline::{Counts, ExecutedOutline, ObservationOutline, OutcomeOutline, StepOutline};
pub use proposals::{BookRevision, LawProposal};
pub use ruling::{GateRuling, Refusal, UnknownName};
pub use run_id::{RunId, RunSelection, RunSelector};
pub use salvage::Salvage;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
pub use step::{
    Budget, ConflictRecord, End, Executed, InFlight, NoAction, ProposalRecord, Proposer, Reply, Ruling, RunOutcome,
    StepRecord, Timing, Worded,
};
use tempfile::TempDir;
pub use transition::Transition;
pub use translation::{Translation, Translator};
pub use verify::{Problem, Stats, VerifyReport};

/// When writes are forced to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// After every step: a live run.
    EachStep,
    /// When the run ends: a batch, which repeats a lost episode.
    EachEpisode,
}

/// Records are small and read in order, so a large cache would only take memory from the worlds of a batch.
const CACHE_BYTES: u64 = 64 << 20;
/// The most attempts to make a copy that can be opened.
const COPIES: usize = 3;

/// An open store. One process at a time; threads and clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    /// The last number given to a run; `None` until it is first needed.
    last_run: Arc<Mutex<Option<u64>>>,
    journal: journal::Journal,
    log: Arc<File>,
    database: sled::Db,
    runs: Tree,
    documents: Tree,
    steps: Tree,
    in_flight: Tree,
    outcomes: Tree,
    conflicts: Tree,
    timings: Tree,
    proposals: Tree,
    book_revisions: Tree,
    copied: Option<Copied>,
}

/// The copy that is read instead of a store.
#[derive(Clone, Debug)]
struct Copied {
    why: Arc<StoreError>,
    /// Removed with the last clone, after the engine has closed its files.
    _directory: Arc<TempDir>,
}

impl Store {
    /// Opens the store at a path, or makes an empty one if the path does not exist. Waits half a second for a store in
    /// use.
    ///
    /// # Errors
    /// A directory that is in use, cannot be written, is damaged or is not a store.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        unless_locked(|| Self::try_open(path))
    }

    fn try_open(path: &Path) -> Result<Self, StoreError> {
        refuse_other_content(path)?;
        Self::open_files(path, path, None)
    }

    /// Opens the store at a path from its files, or from a copy of them.
    fn open_files(path: &Path, files: &Path, copied: Option<Copied>) -> Result<Self, StoreError> {
        check_clock(SystemTime::now())?;
        let shown: Arc<Path> = path.into();
        let read_only = copied.is_some();
        let io = |error| StoreError::opening(path, sled::Error::Io(error));
        let before = private::Before::new(files).map_err(io)?;
        let opened = catch_panic(|| {
            let config = sled::Config::new().path(files).cache_capacity(CACHE_BYTES).flush_every_ms(None);
            let database = config.open()?;
            let tree = |name: &str| database.open_tree(name).map(|tree| Tree::new(tree, &shown, read_only));
            Ok(Self {
                runs: tree("runs")?,
                documents: tree("documents")?,
                steps: tree("steps")?,
                in_flight: tree("in_flight")?,
                outcomes: tree("outcomes")?,
                conflicts: tree("conflicts")?,
                timings: tree("timings")?,
                proposals: tree("proposals")?,
                book_revisions: tree("book_revisions")?,
                path: path.to_owned(),
                last_run: Arc::default(),
                journal: journal::Journal::of(files),
                log: Arc::new(ltlcrit_files::append(&files.join("db")).map_err(io::Error::from)?),
                database,
                copied,
            })
        });
        let store = opened.map_err(|error| StoreError::opening(path, error))?;
        before.close_new(files).map_err(io)?;
        store.check_format()?;
        Ok(store)
    }

    /// Opens the store at a path, which must exist.
    ///
    /// # Errors
    /// Those of [`Store::open`], and a missing store.
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        must_exist(path)?;
        Self::open(path)
    }

    /// Opens the store at a path, which must exist, for a command that only reads. A store that another process has
    /// open, or that cannot be written, is copied and the copy opened (see [`Store::copied`]); the copy has every step
    /// that was durable when copying began. A damaged store is copied too, because the engine clears everything after
    /// the damage when it opens a log, and a salvage may still save that.
    ///
    /// # Errors
    /// A missing or damaged store, a path that is not a store, or no room for a copy.
    pub fn open_to_read(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        must_exist(path)?;
        if salvage::log::is_damaged(path)? {
            let why = "its log has damage".to_owned();
            return Self::open_copy(path, StoreError::Damaged { path: path.to_owned(), why });
        }
        match Self::try_open(path) {
            Err(why @ (StoreError::Locked { .. } | StoreError::ReadOnly { .. } | StoreError::Write { .. })) => {
                Self::open_copy(path, why)
            }
            result => result,
        }
    }

    /// Whether a directory holds the files of a store.
    pub fn is_at(directory: &Path) -> bool {
        ["db", "conf"].iter().all(|file| directory.join(file).is_file())
    }

    /// Whether a process has the store at a path open. The answer is about processes that share locks with this one: those
    /// of this machine, and on a shared file system only if it passes locks on.
    ///
    /// # Errors
    /// A file that cannot be read, or a file system without locks.
    pub fn is_locked(path: impl AsRef<Path>) -> io::Result<bool> {
        let log = match ltlcrit_files::open(&path.as_ref().join("db"), u64::MAX) {
            Ok(log) => log.into_inner(),
            Err(FileError::Missing) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        match log.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn open_copy(path: &Path, why: StoreError) -> Result<Self, StoreError> {
        let why = Arc::new(why);
        let mut left = COPIES;
        loop {
            left -= 1;
            let directory = Arc::new(copy::copy(path)?);
            let copied = Copied { why: why.clone(), _directory: directory.clone() };
            match Self::open_files(path, directory.path(), Some(copied)) {
                Err(StoreError::Damaged { .. }) if left > 0 => {}
                result => return result,
            }
        }
    }

    /// Why this is a copy of the store, which does not receive later steps of a run under way; `None` if it is the
    /// store itself.
    pub fn copied(&self) -> Option<&StoreError> {
        self.copied.as_ref().map(|copied| &*copied.why)
    }

    fn check_format(&self) -> Result<(), StoreError> {
        let format = Tree::new((*self.database).clone(), &self.path.as_path().into(), false);
        match format.get(FORMAT_KEY)? {
            Some(found) if found == FORMAT.as_bytes() => Ok(()),
            Some(found) => Err(StoreError::other_format(&self.path, &found)),
            None if format.is_empty()? && self.runs.is_empty()? && self.steps.is_empty()? => {
                format.insert(FORMAT_KEY, FORMAT.into())?;
                self.flush()
            }
            None => {
                let why = "it is a database without this program's format mark".to_owned();
                Err(StoreError::NotAStore { path: self.path.clone(), why })
            }
        }
    }

    /// The path of the store.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forces everything written so far to disk.
    ///
    /// # Errors
    /// A failed write.
    pub fn flush(&self) -> Result<(), StoreError> {
        catch_panic(|| self.database.flush()).map_err(|error| StoreError::writing(&self.path, error))?;
        // On Linux the engine only starts writing back (`sync_file_range`), which does not ensure that the disk's cache
        // and the file's length are written. A step should survive more than the end of this process.
        if cfg!(target_os = "linux") {
            self.log.sync_data().map_err(|error| self.not_written(error))?;
        }
        Ok(())
    }

    fn not_written(&self, error: io::Error) -> StoreError {
        StoreError::Write { path: self.path.clone(), why: error.to_string() }
    }

    /// The tree of this name.
    fn tree(&self, name: &str) -> &Tree {
        match name {
            "runs" => &self.runs,
            "documents" => &self.documents,
            "steps" => &self.steps,
            "in_flight" => &self.in_flight,
            "outcomes" => &self.outcomes,
            "conflicts" => &self.conflicts,
            "timings" => &self.timings,
            "proposals" => &self.proposals,
            _ => &self.book_revisions,
        }
    }

    /// The runs in the journal, with their last steps if they ended.
    fn journaled(&self) -> Result<std::collections::BTreeMap<u64, Option<u64>>, StoreError> {
        self.journal.runs().map_err(|error| StoreError::reading(&self.path, sled::Error::Io(error)))
    }

    /// Reads or raises the last number given to a run. Numbers of runs that the store has lost are not reused.
    fn with_last_run<T>(&self, work: impl FnOnce(&mut u64) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut known = self.last_run.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last = match *known {
            Some(last) => last,
            None => {
                let lost = self.journaled()?.last_key_value().map_or(0, |(run, _)| *run);
                self.last_number(&self.runs)?.max(lost)
            }
        };
        let result = work(&mut last);
        *known = Some(last);
        result
    }

    /// The number of the next run, if no other thread takes it first.
    ///
    /// # Errors
    /// A store that cannot be read, or no number left.
    pub fn next_run(&self) -> Result<RunId, StoreError> {
        self.with_last_run(|last| self.next_number("run", *last).map(RunId))
    }

    /// Begins a run: writes the next number into the manifest and stores the manifest. It becomes durable with the first
    /// durable write of the run.
    ///
    /// # Errors
    /// A failed write, or no number left.
    pub fn begin(&self, manifest: &mut RunManifest) -> Result<RunId, StoreError> {
        manifest.run = self.with_last_run(|last| {
            *last = self.next_number("run", *last)?;
            Ok(RunId(*last))
        })?;
        self.runs.insert(manifest.run.0.to_be_bytes(), self.encode_manifest(manifest)?)?;
        Ok(manifest.run)
    }

    /// Appends a step. With [`Durability::EachStep`] it is on disk when this returns.
    ///
    /// # Errors
    /// A step out of order, or a failed write.
    pub fn append_step(&self, run: RunId, step: &StepRecord, durability: Durability) -> Result<(), StoreError> {
        let refuse = |why| Err(StoreError::OutOfOrder { run, step: step.step, why });
        if self.outcomes.contains(run.0.to_be_bytes())? {
            return refuse("after the run has ended");
        }
        if self.steps.contains(step_key(run, step.step))? {
            return refuse("twice");
        }
        if step.step > 0 && !self.steps.contains(step_key(run, step.step - 1))? {
            return refuse("before the step before it");
        }
        self.put("steps", &self.steps, run, step.step, step)?;
        match durability {
            Durability::EachEpisode => Ok(()),
            Durability::EachStep => {
                self.flush()?;
                match step.step {
                    0 => self.journal.begun(run).map_err(|error| self.not_written(error)),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Stores the step in flight, in place of its earlier record, and makes it durable.
    ///
    /// # Errors
    /// A failed write.
    pub fn set_in_flight(&self, run: RunId, in_flight: &InFlight) -> Result<(), StoreError> {
        let bytes = codec::encode(&place("in_flight", run.0, None), in_flight)?;
        self.in_flight.insert(run.0.to_be_bytes(), bytes)?;
        self.flush()
    }

    /// The last stored step in flight. If a step with its number is stored, it is finished.
    ///
    /// # Errors
    /// An unreadable record.
    pub fn in_flight(&self, run: RunId) -> Result<Option<InFlight>, StoreError> {
        let bytes = self.in_flight.get(run.0.to_be_bytes())?;
        bytes.map(|bytes| codec::decode(&|| place("in_flight", run.0, None), &bytes)).transpose()
    }

    /// Removes the step in flight, which is stored as a step by now. This becomes durable with a later write.
    ///
    /// # Errors
    /// A failed write.
    pub fn clear_in_flight(&self, run: RunId) -> Result<(), StoreError> {
        self.in_flight.remove(run.0.to_be_bytes())
    }

    /// Replaces the record of a run's last step and makes it durable. Used if the world changed before the run was
    /// resumed.
    ///
    /// # Errors
    /// A step that is not the last of a run under way, or a failed write.
    pub fn amend_last_step(&self, run: RunId, step: &StepRecord) -> Result<(), StoreError> {
        let refuse = |why| Err(StoreError::OutOfOrder { run, step: step.step, why });
        if self.outcomes.contains(run.0.to_be_bytes())? {
            return refuse("after the run has ended");
        }
        let is_last = self.steps.contains(step_key(run, step.step))?
            && !self.steps.contains(step_key(run, step.step.saturating_add(1)))?;
        if !is_last {
            return refuse("which is not its last");
        }
        self.put("steps", &self.steps, run, step.step, step)?;
        self.flush()
    }

    /// Records an over-constrained state. It becomes durable with the step it belongs to.
    ///
    /// # Errors
    /// A failed write.
    pub fn add_conflict(&self, conflict: &ConflictRecord) -> Result<(), StoreError> {
        self.put("conflicts", &self.conflicts, conflict.run, conflict.step, conflict)
    }

    /// Records how long a step took. It becomes durable with a later step.
    ///
    /// # Errors
    /// A failed write.
    pub fn add_timing(&self, run: RunId, step: u64, timing: &Timing) -> Result<(), StoreError> {
        self.put("timings", &self.timings, run, step, timing)
    }

    /// Stores the outcome of a run and makes the whole run durable.
    ///
    /// # Errors
    /// A failed write.
    pub fn finish(&self, run: RunId, outcome: &RunOutcome) -> Result<(), StoreError> {
        let bytes = codec::encode(&place("outcomes", run.0, None), outcome)?;
        self.outcomes.insert(run.0.to_be_bytes(), bytes)?;
        self.flush()?;
        self.journal.ended(run, outcome.last_step).map_err(|error| self.not_written(error))
    }

    /// Removes a run's outcome, so that the run can be resumed.
    ///
    /// # Errors
    /// A failed write.
    pub fn reopen(&self, run: RunId) -> Result<(), StoreError> {
        self.journal.reopened(run).map_err(|error| self.not_written(error))?;
        self.outcomes.remove(run.0.to_be_bytes())?;
        self.flush()
    }

    /// The numbers of all runs, in order.
    pub fn run_ids(&self) -> impl DoubleEndedIterator<Item = Result<RunId, StoreError>> + use<> {
        self.runs.entries().map(|entry| number_of("runs", &entry?.0).map(RunId))
    }

    /// The manifests of all runs, in order; an unreadable record is an error in its place.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = Result<RunManifest, StoreError>> + use<> {
        let store = self.clone();
        self.runs.entries().map(move |entry| {
            let (key, bytes) = entry?;
            let run = number_of("runs", &key)?;
            store.whole_manifest(run, codec::decode(&|| place("runs", run, None), &bytes)?)
        })
    }

    /// The number of the run that a selector names.
    ///
    /// # Errors
    /// No such run.
    pub fn resolve(&self, selector: RunSelector) -> Result<RunId, StoreError> {
        match selector {
            RunSelector::Last => match self.run_ids().next_back() {
                Some(run) => run,
                None => Err(StoreError::NoRuns { path: self.path.clone() }),
            },
            RunSelector::Number(run) => match self.runs.contains(run.0.to_be_bytes())? {
                true => Ok(run),
                false if self.runs.is_empty()? => Err(StoreError::NoRuns { path: self.path.clone() }),
                false => Err(StoreError::NoSuchRun { run }),
            },
        }
    }

    /// A run's manifest.
    ///
    /// # Errors
    /// No such run, or an unreadable record.
    pub fn manifest(&self, run: RunId) -> Result<RunManifest, StoreError> {
        let bytes = self.runs.get(run.0.to_be_bytes())?;
        let record = codec::decode(&|| place("runs", run.0, None), &bytes.ok_or(StoreError::NoSuchRun { run })?)?;
        self.whole_manifest(run.0, record)
    }

    /// How a run ended; `None` while it is under way, or after it was killed.
    ///
    /// # Errors
    /// An unreadable record.
    pub fn outcome(&self, run: RunId) -> Result<Option<RunOutcome>, StoreError> {
        let bytes = self.outcomes.get(run.0.to_be_bytes())?;
        bytes.map(|bytes| codec::decode(&|| place("outcomes", run.0, None), &bytes)).transpose()
    }

    /// A run's steps, in order, from step 0; an unreadable record is an error in its place.
    pub fn steps(&self, run: RunId) -> impl DoubleEndedIterator<Item = Result<StepRecord, StoreError>> + use<> {
        self.of_run("steps", &self.steps, run)
    }

    /// The over-constrained states a run met, in order.
    pub fn conflicts(&self, run: RunId) -> impl DoubleEndedIterator<Item = Result<ConflictRecord, StoreError>> + use<> {
        self.of_run("conflicts", &self.conflicts, run)
    }

    /// How long one step took, if it is known.
    ///
    /// # Errors
    /// An unreadable record.
    pub fn timing(&self, run: RunId, step: u64) -> Result<Option<Timing>, StoreError> {
        let bytes = self.timings.get(step_key(run, step))?;
        bytes.map(|bytes| codec::decode(&|| place("timings", run.0, Some(step)), &bytes)).transpose()
    }

    fn put<T: Serialize>(&self, name: &str, tree: &Tree, run: RunId, step: u64, record: &T) -> Result<(), StoreError> {
        let bytes = codec::encode(&place(name, run.0, Some(step)), record)?;
        tree.insert(step_key(run, step), bytes)
    }

    fn of_run<T: DeserializeOwned>(
        &self,
        name: &'static str,
        tree: &Tree,
        run: RunId,
    ) -> impl DoubleEndedIterator<Item = Result<T, StoreError>> + use<T> {
        tree.entries_of(run.0.to_be_bytes()).map(move |entry| {
            let (key, bytes) = entry?;
            let (run, step) = step_of(name, &key)?;
            codec::decode(&|| place(name, run, Some(step)), &bytes)
        })
    }

    fn append<T: Serialize>(&self, name: &'static str, tree: &Tree, record: &T) -> Result<u64, StoreError> {
        loop {
            let number = self.next_number(name, self.last_number(tree)?)?;
            let bytes = codec::encode(&place(name, number, None), record)?;
            if tree.insert_new(number.to_be_bytes(), bytes)? {
                self.flush()?;
                return Ok(number);
            }
        }
    }

    fn numbered<T: DeserializeOwned>(
        &self,
        name: &'static str,
        tree: &Tree,
    ) -> impl Iterator<Item = Result<(u64, T), StoreError>> + use<T> {
        tree.entries().map(move |entry| {
            let (key, bytes) = entry?;
            let number = number_of(name, &key)?;
            Ok((number, codec::decode(&|| place(name, number, None), &bytes)?))
        })
    }

    fn last_number(&self, tree: &Tree) -> Result<u64, StoreError> {
        match tree.last()? {
            Some((key, _)) => number_of("runs", &key),
            None => Ok(0),
        }
    }

    fn next_number(&self, what: &'static str, last: u64) -> Result<u64, StoreError> {
        last.checked_add(1).ok_or_else(|| StoreError::NoNumber { path: self.path.clone(), what, last })
    }
}

fn must_exist(path: &Path) -> Result<(), StoreError> {
    if path.is_dir() && is_empty(path).unwrap_or(false) || matches!(path.try_exists(), Ok(false)) {
        return Err(StoreError::Missing { path: path.to_owned() });
    }
    Ok(())
}
