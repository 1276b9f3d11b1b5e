//! The states of a directory's cells.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::experiment::Experiment;
use super::files::{self, DirectoryError};
use super::result::CellResult;
use super::results::read_results;

/// The state of a cell, from the least progress to the most.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum CellStatus {
    /// It has not finished.
    Waiting,
    /// It could not run.
    Failed {
        /// The reason.
        reason: String,
    },
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

    /// Returns the state of a cell.
    pub fn state(&self, cell: usize) -> CellStatus {
        match self.failures.get(&cell) {
            _ if self.results.contains_key(&cell) => CellStatus::Done,
            Some(reason) => CellStatus::Failed { reason: reason.clone() },
            None => CellStatus::Waiting,
        }
    }
}
