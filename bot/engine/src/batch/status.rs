//! The state of a batch's directory, which may be running.

use std::path::{Path, PathBuf};

use ltlcrit_store::Store;
use serde::Serialize;

use super::cells::CellStatus;
use super::condition::Cell;
use super::contents::Contents;
use super::experiment::Experiment;
use super::files::DirectoryError;
use super::plan::Plan;
use super::shard::Shard;
use crate::user_error::UserError;

/// The state of a directory, or of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DirectoryState {
    /// No cell has ended.
    Waiting,
    /// A process holds the lock.
    Running,
    /// Every cell is done.
    Done,
    /// Every cell is done or failed, and some failed.
    Failed,
    /// Some cells have not run, and no process is running them.
    Interrupted,
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
        let read = paths.iter().map(|path| DirectoryStatus::read(path)).collect::<Result<Vec<_>, _>>()?;
        let (directories, contents): (Vec<DirectoryStatus>, Vec<Contents>) = read.into_iter().unzip();
        let Some((first, others)) = contents.split_first() else {
            return Err(UserError::new("no directory is given").help("name the directory of a batch").into());
        };
        let mut experiment = first.experiment.clone();
        for Contents { path, experiment: its, .. } in others {
            experiment.plan.shard = None;
            let differing = its.differing(&Plan { shard: its.plan.shard, ..experiment.plan.clone() });
            if !differing.is_empty() {
                return Err(DirectoryError::another_plan(path, differing));
            }
        }
        let state = |cell: &Cell| contents.iter().map(|part| part.cells.state(cell.index)).max();
        let cells = experiment.cells().iter().filter_map(state).collect();
        Ok(Self { experiment, directories, cells })
    }

    /// Returns the number of cells in a state.
    pub fn count(&self, is: impl Fn(&CellStatus) -> bool) -> usize {
        self.cells.iter().filter(|state| is(state)).count()
    }

    /// Returns the combined state of all directories.
    pub fn state(&self) -> DirectoryState {
        let is_running = self.directories.iter().any(|directory| directory.state == DirectoryState::Running);
        DirectoryState::of(is_running, &self.cells)
    }
}

impl DirectoryState {
    /// Returns the state of a directory with these cells.
    fn of(is_running: bool, cells: &[CellStatus]) -> Self {
        let all = |is: fn(&CellStatus) -> bool| cells.iter().all(is);
        match () {
            () if is_running => Self::Running,
            () if all(|state| *state == CellStatus::Done) => Self::Done,
            () if all(|state| *state != CellStatus::Waiting) => Self::Failed,
            () if all(|state| *state == CellStatus::Waiting) => Self::Waiting,
            () => Self::Interrupted,
        }
    }
}

impl DirectoryStatus {
    /// Reads a directory with its contents.
    fn read(path: &Path) -> Result<(Self, Contents), DirectoryError> {
        // The lock is read first: a process that ends meanwhile writes its results before it releases the lock.
        let is_locked = Store::is_locked(path.join("store")).map_err(DirectoryError::io(path))?;
        let contents = Contents::read(path)?;
        let cells = contents.experiment.cells();
        let cells: Vec<CellStatus> = cells.iter().map(|cell| contents.cells.state(cell.index)).collect();
        let status = Self {
            directory: path.to_owned(),
            shard: contents.experiment.plan.shard,
            state: DirectoryState::of(is_locked, &cells),
            cells: cells.len(),
            done: cells.iter().filter(|state| **state == CellStatus::Done).count(),
            failed: cells.iter().filter(|state| matches!(state, CellStatus::Failed { .. })).count(),
        };
        Ok((status, contents))
    }
}
