//! The store of runs and their steps, on disk: lines, and an index over them in sled.
//!
//! Every record is one line of the files `runs.jsonl`, `runs.2.jsonl`, … (see `log`), under a tree and a key. Numbers
//! are big-endian in the index, so that byte order is numeric order.
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
//! Every line carries a version and a checksum (see `line`), and lines are only appended: a later line with the same
//! key changes a record. With [`Durability::EachStep`] a step is on disk when [`Store::append_step`] returns. A killed
//! process then loses at most its current step. With [`Durability::EachEpisode`] the whole run is on disk when
//! [`Store::finish`] returns. The index holds only the positions of records: it is rebuilt from the lines if it is
//! missing, outdated or damaged (see `index`).
//!
//! A record is changed in four cases only. An outcome is removed when its run is resumed, and the action in flight when
//! its step is stored. The last step is replaced if a resumed run finds its world changed. A damaged document is
//! replaced when a run with this document begins.
//!
//! Threads share a store: each writes its own runs. For deterministic run numbers, callers keep runs in memory
//! ([`Episode`]) and commit them in order ([`Store::commit`]). A run's records and its export then depend only on its
//! own manifest, steps and outcome. Only the times differ, which exports leave out.
//!
//! Only one process has a store open for writing. Others may read its lines meanwhile ([`Store::open_to_read`]).
//! [`Store::salvage`] writes the intact lines of a damaged store to a new one.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod change;
mod directory;
mod documents;
mod episode;
mod error;
mod export;
mod follow;
mod index;
mod keys;
mod line;
mod log;
mod manifest;
mod open;
mod proposals;
mod ruling;
mod run_id;
mod salvage;
#[cfg(feature = "test-support")]
pub mod scratch;
mod selection;
mod step;
mod transition;
mod translation;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use change::{Change, LawSource, Proposal, RetireCause};
pub use episode::Episode;
pub use error::StoreError;
pub use export::{ExportOptions, Exported};
pub use follow::{Entry, Follower, Position, Subject};
use index::Tree;
use keys::{Kind, step_key};
pub use line::sha256;
pub use ltlcrit_verifier::LawId;
pub use manifest::{BookRecord, Configuration, LawRecord, Limits, Offer, Program, RunManifest, VocabularyRecord};
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
pub use transition::Transition;
pub use translation::{Translation, Translator};
pub use verify::{Problem, Stats, VerifyReport};

/// The moments at which writes are forced to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// After every step: a live run.
    EachStep,
    /// At the end of the run: a batch, which repeats a lost episode.
    EachEpisode,
}

/// An open store. One process at a time; threads and clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
    /// The last number given to a run; `None` until its first use.
    numbers: Arc<Mutex<Option<u64>>>,
    log: log::SharedLog,
    remarks: Arc<[String]>,
    /// The trees, in the order of their kinds.
    trees: Arc<[Tree]>,
}

impl Store {
    /// Returns the path of the store.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forces everything written so far to disk.
    ///
    /// # Errors
    /// A failed write.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.log.sync(&mut *self.log.writer()?)
    }

    fn tree(&self, kind: Kind) -> &Tree {
        &self.trees[kind as usize]
    }

    /// Calls `work` with the last number given to a run, which it may increase. The number of a lost run is not used
    /// again while one of its steps remains.
    fn with_last_run<T>(&self, work: impl FnOnce(&mut u64) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut known = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last = match *known {
            Some(last) => last,
            None => {
                let of_steps = self
                    .tree(Kind::Steps)
                    .last()?
                    .map_or(Ok(0), |key| Kind::Steps.step_of(&key).map(|(run, _)| run))?;
                last_number(self.tree(Kind::Runs))?.max(last_number(self.tree(Kind::Outcomes))?).max(of_steps)
            }
        };
        let result = work(&mut last);
        *known = Some(last);
        result
    }

    /// Returns the number of the next run, if no other thread takes it first.
    ///
    /// # Errors
    /// A store that cannot be read, or no number left.
    pub fn next_run(&self) -> Result<RunId, StoreError> {
        self.with_last_run(|last| self.next_number("run", *last).map(RunId))
    }

    /// Begins a run: writes the next number into the manifest and stores the manifest. The next durable write of the
    /// run makes it durable.
    ///
    /// # Errors
    /// A failed write, or no number left.
    pub fn begin(&self, manifest: &mut RunManifest) -> Result<RunId, StoreError> {
        manifest.run = self.with_last_run(|last| {
            *last = self.next_number("run", *last)?;
            Ok(RunId(*last))
        })?;
        let record = self.with_references(manifest)?;
        self.tree(Kind::Runs).insert(&manifest.run.0.to_be_bytes(), &record)?;
        Ok(manifest.run)
    }

    /// Appends a step. With [`Durability::EachStep`] it is on disk when this returns.
    ///
    /// # Errors
    /// A step out of order, or a failed write.
    pub fn append_step(&self, run: RunId, step: &StepRecord, durability: Durability) -> Result<(), StoreError> {
        self.write_step(run, step, false)?;
        match durability {
            Durability::EachEpisode => Ok(()),
            Durability::EachStep => self.flush(),
        }
    }

    /// Stores the step in flight, replaces its earlier record, and makes it durable.
    ///
    /// # Errors
    /// A failed write.
    pub fn set_in_flight(&self, run: RunId, in_flight: &InFlight) -> Result<(), StoreError> {
        self.tree(Kind::InFlight).insert(&run.0.to_be_bytes(), in_flight)?;
        self.flush()
    }

    /// Returns the last stored step in flight. If a step with its number is stored, it is finished.
    ///
    /// # Errors
    /// An unreadable record.
    pub fn in_flight(&self, run: RunId) -> Result<Option<InFlight>, StoreError> {
        self.tree(Kind::InFlight).get(&run.0.to_be_bytes())
    }

    /// Removes the step in flight after it was stored as a step. A later write makes this durable.
    ///
    /// # Errors
    /// A failed write.
    pub fn clear_in_flight(&self, run: RunId) -> Result<(), StoreError> {
        self.tree(Kind::InFlight).remove(&run.0.to_be_bytes())
    }

    /// Replaces the record of a run's last step and makes it durable. Used if the world changed before the run was
    /// resumed.
    ///
    /// A step that is not the last of an unfinished run, or a failed write.
    pub fn amend_last_step(&self, run: RunId, step: &StepRecord) -> Result<(), StoreError> {
        self.write_step(run, step, true)?;
        self.flush()
    }

    /// Stores a step of an unfinished run: the next one, or the last one again.
    fn write_step(&self, run: RunId, step: &StepRecord, again: bool) -> Result<(), StoreError> {
        let is_stored = |step| self.tree(Kind::Steps).contains(&step_key(run, step));
        let why = if self.tree(Kind::Outcomes).contains(&run.0.to_be_bytes())? {
            "after the run has ended"
        } else if again && (!is_stored(step.step)? || is_stored(step.step.saturating_add(1))?) {
            "which is not its last"
        } else if !again && is_stored(step.step)? {
            "twice"
        } else if step.step > 0 && !is_stored(step.step - 1)? {
            "before the step before it"
        } else {
            return self.tree(Kind::Steps).insert(&step_key(run, step.step), step);
        };
        Err(StoreError::OutOfOrder { run, step: step.step, why })
    }

    /// Records an over-constrained state. It becomes durable with its step.
    ///
    /// # Errors
    /// A failed write.
    pub fn add_conflict(&self, conflict: &ConflictRecord) -> Result<(), StoreError> {
        self.tree(Kind::Conflicts).insert(&step_key(conflict.run, conflict.step), conflict)
    }

    /// Records the duration of a step. It becomes durable with a later step.
    ///
    /// # Errors
    /// A failed write.
    pub fn add_timing(&self, run: RunId, step: u64, timing: &Timing) -> Result<(), StoreError> {
        self.tree(Kind::Timings).insert(&step_key(run, step), timing)
    }

    /// Stores the outcome of a run and makes the whole run durable.
    ///
    /// # Errors
    /// A failed write.
    pub fn finish(&self, run: RunId, outcome: &RunOutcome) -> Result<(), StoreError> {
        self.tree(Kind::Outcomes).insert(&run.0.to_be_bytes(), outcome)?;
        self.flush()
    }

    /// Removes a run's outcome, so that the run can be resumed.
    ///
    /// # Errors
    /// A failed write.
    pub fn reopen(&self, run: RunId) -> Result<(), StoreError> {
        self.tree(Kind::Outcomes).remove(&run.0.to_be_bytes())?;
        self.flush()
    }

    /// Returns the numbers of all runs, in order.
    pub fn run_ids(&self) -> impl DoubleEndedIterator<Item = Result<RunId, StoreError>> + use<> {
        self.tree(Kind::Runs).iter().map(|entry| Kind::Runs.number_of(&entry?.0).map(RunId))
    }

    /// Returns the manifests of all runs, in order; an unreadable record is an error in its place.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = Result<RunManifest, StoreError>> + use<> {
        let store = self.clone();
        self.tree(Kind::Runs).iter().map(move |entry| {
            let (key, pointer) = entry?;
            store.whole_manifest(Kind::Runs.number_of(&key)?, store.tree(Kind::Runs).record(&key, pointer)?)
        })
    }

    /// Returns the number of the run that a selector names.
    ///
    /// # Errors
    /// A run that does not exist.
    pub fn resolve(&self, selector: RunSelector) -> Result<RunId, StoreError> {
        match selector {
            RunSelector::Last => match self.run_ids().next_back() {
                Some(run) => run,
                None => Err(StoreError::NoRuns(self.path.clone())),
            },
            RunSelector::Number(run) => match self.tree(Kind::Runs).contains(&run.0.to_be_bytes())? {
                true => Ok(run),
                false if self.tree(Kind::Runs).is_empty()? => Err(StoreError::NoRuns(self.path.clone())),
                false => Err(StoreError::NoSuchRun(run)),
            },
        }
    }

    /// Returns a run's manifest.
    ///
    /// # Errors
    /// A run that does not exist, or an unreadable record.
    pub fn manifest(&self, run: RunId) -> Result<RunManifest, StoreError> {
        let record = self.tree(Kind::Runs).get(&run.0.to_be_bytes())?;
        self.whole_manifest(run.0, record.ok_or(StoreError::NoSuchRun(run))?)
    }

    /// Returns the outcome of a run; `None` for a run that is under way or was killed.
    ///
    /// # Errors
    /// An unreadable record.
    pub fn outcome(&self, run: RunId) -> Result<Option<RunOutcome>, StoreError> {
        self.tree(Kind::Outcomes).get(&run.0.to_be_bytes())
    }

    /// Returns a run's steps, in order, from step 0; an unreadable record is an error in its place.
    pub fn steps(&self, run: RunId) -> impl DoubleEndedIterator<Item = Result<StepRecord, StoreError>> + use<> {
        of_run(self.tree(Kind::Steps), run)
    }

    /// Returns the over-constrained states of a run, in order.
    pub fn conflicts(&self, run: RunId) -> impl DoubleEndedIterator<Item = Result<ConflictRecord, StoreError>> + use<> {
        of_run(self.tree(Kind::Conflicts), run)
    }

    /// Returns the duration of one step, if it is known.
    ///
    /// # Errors
    /// An unreadable record.
    pub fn timing(&self, run: RunId, step: u64) -> Result<Option<Timing>, StoreError> {
        self.tree(Kind::Timings).get(&step_key(run, step))
    }

    /// Appends a record to a tree with numbered records.
    fn append<T: Serialize>(&self, tree: &Tree, record: &T) -> Result<u64, StoreError> {
        // The lock of the run numbers admits one thread at a time.
        let number = self.with_last_run(|_| {
            let number = self.next_number(tree.kind.name(), last_number(tree)?)?;
            tree.insert(&number.to_be_bytes(), record).map(|()| number)
        })?;
        self.flush()?;
        Ok(number)
    }

    fn next_number(&self, what: &'static str, last: u64) -> Result<u64, StoreError> {
        let why = || format!("there is a {what} {last}, which leaves no number for another");
        last.checked_add(1).ok_or_else(|| StoreError::Damaged { path: self.path.clone(), why: why() })
    }
}

/// Returns the records of a run in a tree.
fn of_run<T: DeserializeOwned>(
    tree: &Tree,
    run: RunId,
) -> impl DoubleEndedIterator<Item = Result<T, StoreError>> + use<T> {
    let (tree, entries) = (tree.clone(), tree.of_run(run.0));
    entries.map(move |entry| entry.and_then(|(key, pointer)| tree.record(&key, pointer)))
}

/// Returns the records of a tree with numbered records.
fn numbered<T: DeserializeOwned>(tree: &Tree) -> impl Iterator<Item = Result<(u64, T), StoreError>> + use<T> {
    let (tree, entries) = (tree.clone(), tree.iter());
    entries.map(move |entry| {
        let (key, pointer) = entry?;
        Ok((tree.kind.number_of(&key)?, tree.record(&key, pointer)?))
    })
}

fn last_number(tree: &Tree) -> Result<u64, StoreError> {
    tree.last()?.map_or(Ok(0), |key| tree.kind.number_of(&key))
}
