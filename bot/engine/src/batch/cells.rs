//! The states of a directory's cells.

use std::collections::BTreeMap;
use std::ops::Range;

use super::files::DirectoryError;
use super::result::CellResult;
use super::results::Results;

/// The state of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellState<'a> {
    /// It has not run.
    Waiting,
    /// It is finished, and has a result.
    Done,
    /// It could not run, for this reason.
    Failed(&'a str),
    /// It belongs to another shard.
    Elsewhere,
}

/// The states of a directory's cells.
#[derive(Debug)]
pub struct Cells {
    /// The results.
    pub results: Results,
    /// The reasons of failed cells, by cell.
    pub failures: BTreeMap<usize, String>,
    /// The cells of its shard.
    pub range: Range<usize>,
}

impl Cells {
    /// Returns the state of a cell.
    pub fn state(&self, cell: usize) -> CellState<'_> {
        match self.failures.get(&cell) {
            _ if self.results.contains(cell) => CellState::Done,
            Some(reason) => CellState::Failed(reason),
            None if self.range.contains(&cell) => CellState::Waiting,
            None => CellState::Elsewhere,
        }
    }

    /// Returns the result of a cell, if it is finished.
    ///
    /// # Errors
    /// The file of results cannot be read.
    pub fn result(&self, cell: usize) -> Result<Option<CellResult>, DirectoryError> {
        self.results.get(cell)
    }
}
