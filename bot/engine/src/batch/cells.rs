//! The states of a directory's cells.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::experiment::Experiment;
use super::files::{self, DirectoryError};
use super::result::CellResult;
use super::results::read_results;

/// The state of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum CellStatus {
    /// It has not run.
    Waiting,
    /// A killed process had begun it; it runs again.
    Interrupted,
    /// A process on another machine had begun it, and may still be running it.
    Unknown,
    /// It could not run.
    Failed {
        /// The reason.
        reason: String,
    },
    /// The process that holds the lock is running it.
    Running,
    /// It is finished.
    Done,
}

/// The results and failures of a directory's cells.
#[derive(Debug)]
pub struct Cells {
    /// The results, by cell.
    pub results: BTreeMap<usize, CellResult>,
    /// The reasons of failed cells, by cell.
    pub failures: BTreeMap<usize, String>,
}

impl Cells {
    /// Reads the results and failures in a directory.
    pub(super) fn read(directory: &Path, experiment: &Experiment) -> Result<Self, DirectoryError> {
        let results = read_results(&files::results_file(directory), experiment)?;
        Ok(Self { results, failures: files::read_failures(directory)? })
    }

    /// Returns the state of a cell of the shard by its files: waiting, failed or done.
    pub fn state(&self, cell: usize) -> CellStatus {
        match self.failures.get(&cell) {
            _ if self.results.contains_key(&cell) => CellStatus::Done,
            Some(reason) => CellStatus::Failed { reason: reason.clone() },
            None => CellStatus::Waiting,
        }
    }
}
