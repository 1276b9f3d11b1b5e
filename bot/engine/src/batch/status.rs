//! The state of a batch's directory, which may be running.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ltlcrit_store::Store;
use serde::Serialize;

use super::cells::CellStatus;
use super::contents::Contents;
use super::experiment::Experiment;
use super::files::DirectoryError;
use super::plan::Plan;
use super::process::Process;
use super::shard::Shard;
use crate::user_error::UserError;

/// The state of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DirectoryState {
    /// Nothing has run.
    Waiting,
    /// A process holds the lock.
    Running,
    /// Every cell is done.
    Done,
    /// Every cell is done or failed, and some failed.
    Failed,
    /// Some cells have not run, and no process is running them.
    Interrupted,
    /// A process on another machine has not ended normally, and its lock is not visible from here.
    Unknown,
}

/// A directory with its state.
#[derive(Debug, Serialize)]
pub struct DirectoryStatus {
    /// Its path.
    pub directory: PathBuf,
    /// Its shard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Its state.
    pub state: DirectoryState,
    /// The process that has it open, or that had it open and did not end normally.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
    /// The number of its cells.
    pub cells: usize,
    /// The number of finished cells.
    pub done: usize,
    /// The number of failed cells.
    pub failed: usize,
}

/// The state of a batch.
#[derive(Debug)]
pub struct BatchStatus {
    /// The plan.
    pub experiment: Experiment,
    /// The directory, and those of its shards.
    pub directories: Vec<DirectoryStatus>,
    /// The state of every cell, in the order of [`Experiment::cells`].
    pub cells: Vec<CellStatus>,
}

impl BatchStatus {
    /// Reads a directory, or those of the shards of one plan. Writes nothing and does not disturb a running process.
    ///
    /// # Errors
    /// A directory has no plan or another one than the first, or its files cannot be read.
    pub fn read(paths: &[PathBuf]) -> Result<Self, DirectoryError> {
        let Some((path, shards)) = paths.split_first() else {
            return Err(UserError::new("no directory is given").help("name the directory of a batch").into());
        };
        let (own, Contents { mut experiment, .. }, mut cells) = read_one(path)?;
        if !shards.is_empty() {
            let start = experiment.range().start;
            experiment.plan.shard = None;
            let mut whole = vec![CellStatus::Waiting; experiment.cells().len()];
            whole.splice(start..start + cells.len(), cells);
            cells = whole;
        }
        let mut directories = vec![own];
        for other in shards {
            let (shard, Contents { experiment: its, .. }, states) = read_one(other)?;
            let differing = its.differing(&Plan { shard: its.plan.shard, ..experiment.plan.clone() });
            if !differing.is_empty() {
                return Err(DirectoryError::another_plan(other, differing));
            }
            for (cell, state) in its.cells().iter().zip(states) {
                if let Some(known) = cells.get_mut(cell.index).filter(|known| rank(known) < rank(&state)) {
                    *known = state;
                }
            }
            directories.push(shard);
        }
        Ok(Self { experiment, directories, cells })
    }

    /// Returns the number of cells in a state.
    pub fn count(&self, is: impl Fn(&CellStatus) -> bool) -> usize {
        self.cells.iter().filter(|state| is(state)).count()
    }

    /// Returns the combined state of all directories.
    pub fn state(&self) -> DirectoryState {
        use DirectoryState::{Done, Failed, Interrupted, Running, Unknown, Waiting};
        let some = |state| self.directories.iter().any(|directory| directory.state == state);
        let count = |state: &CellStatus| self.count(|other| other == state);
        match () {
            () if count(&CellStatus::Done) == self.cells.len() => Done,
            () if some(Running) => Running,
            () if some(Unknown) => Unknown,
            () if self.count(|state| !matches!(state, CellStatus::Done | CellStatus::Failed { .. })) == 0 => Failed,
            () if count(&CellStatus::Waiting) == self.cells.len() => Waiting,
            () => Interrupted,
        }
    }
}

/// Ranks a state by progress: if two directories have a cell, the higher rank counts.
fn rank(state: &CellStatus) -> u8 {
    match state {
        CellStatus::Waiting => 0,
        CellStatus::Interrupted => 1,
        CellStatus::Unknown => 2,
        CellStatus::Failed { .. } => 3,
        CellStatus::Running => 4,
        CellStatus::Done => 5,
    }
}

impl Contents {
    /// Reads a directory, with the state of its cells in the order of [`Experiment::cells`].
    ///
    /// # Errors
    /// As [`Contents::read`].
    pub fn with_states(path: &Path) -> Result<(Self, Vec<CellStatus>), DirectoryError> {
        read_one(path).map(|(_, contents, states)| (contents, states))
    }
}

/// Reads a directory, with the state of its cells.
fn read_one(path: &Path) -> Result<(DirectoryStatus, Contents, Vec<CellStatus>), DirectoryError> {
    let failed = DirectoryError::io(path);
    // The order matters: a process that ends meanwhile writes its results before it releases the lock.
    let process = Process::read(path)?;
    let locked = Store::is_locked(path.join("store")).map_err(failed)?;
    let contents = Contents::read(path)?;
    let under_way = match (locked, &process) {
        (true, _) => CellStatus::Running,
        (false, Some(process)) if !process.is_here() => CellStatus::Unknown,
        (false, _) => CellStatus::Interrupted,
    };
    let begun = process.as_ref().map_or_else(BTreeSet::new, |process| process.cells.clone());
    let cells: Vec<CellStatus> = contents
        .experiment
        .cells()
        .iter()
        .map(|cell| match contents.cells.state(cell.index) {
            state if state == CellStatus::Done || !begun.contains(&cell.index) => state,
            _ => under_way.clone(),
        })
        .collect();
    let done = cells.iter().filter(|state| **state == CellStatus::Done).count();
    let failed = cells.iter().filter(|state| matches!(state, CellStatus::Failed { .. })).count();
    let state = match &process {
        _ if locked => DirectoryState::Running,
        _ if done == cells.len() => DirectoryState::Done,
        Some(process) if !process.is_here() => DirectoryState::Unknown,
        _ if done + failed == cells.len() => DirectoryState::Failed,
        None if done + failed == 0 => DirectoryState::Waiting,
        _ => DirectoryState::Interrupted,
    };
    let shard = contents.experiment.plan.shard;
    let directory =
        DirectoryStatus { directory: path.to_owned(), shard, state, process, cells: cells.len(), done, failed };
    Ok((directory, contents, cells))
}
