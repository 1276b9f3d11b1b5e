//! The directory of a batch: its plan, its store, its results and its failures.
//!
//! | file | content |
//! | --- | --- |
//! | `plan.toml` | the plan with the whole configuration |
//! | `store/` | the runs of finished cells; holds the lock of the directory |
//! | `results.jsonl` | a line for every finished cell, sorted by cell when a process ends |
//! | `spending.jsonl` | the ledger of requests to models, for caps; shards in a folder `shards` share one there |
//! | `learned/` | the books learned for conditions |
//! | `failures.json` | the reasons of failed cells that have not finished since |
//!
//! A run is in the store before its line is in `results.jsonl`. A process that is killed between the two leaves a run
//! without a result; the cell runs again.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ltlcrit_store::Store;

use super::cells::{CellStatus, Cells};
use super::condition::Cell;
use super::experiment::Experiment;
use super::files::{self, DirectoryError};
use super::growth::{self, Growth};
use super::result::CellResult;
use super::results::write_results;

/// The directory of a batch, locked for this process.
pub struct Directory {
    path: PathBuf,
    store: Store,
    cells: Cells,
    /// `results.jsonl`, positioned at its end.
    file: File,
}

impl Directory {
    /// Opens or creates the directory. An incomplete last line is removed. A plan that extends the directory's earlier
    /// plan replaces it.
    ///
    /// # Errors
    /// The directory belongs to something else or to another plan, is in use, or cannot be read or written.
    pub fn open(path: &Path, experiment: &Experiment) -> Result<Self, DirectoryError> {
        let grows = !growth::claim_or_grow(path, experiment)?.is_empty();
        let failed = DirectoryError::io(path);
        let store = Store::open(path.join("store"))?;
        if grows {
            // Another process may have run or extended the earlier plan until now.
            Growth::new(path, files::read_plan(&files::plan_file(path))?, experiment)?.apply(path, experiment)?;
        }
        for file in files::files(path).map_err(failed)?.iter().filter(|file| ltlcrit_files::is_half_written(file)) {
            fs::remove_file(file).map_err(failed)?;
        }
        let cells = Cells::read(path, experiment)?;
        // A process that was killed may have left lines out of order, or a part of one.
        let results_file = files::results_file(path);
        write_results(&results_file, &cells.results)?;
        let file = files::append_to(&results_file)?;
        ltlcrit_files::sync_directory(path).map_err(failed)?;
        Ok(Self { path: path.to_owned(), store, cells, file })
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns its cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Returns the cells that have not run, and with `retry` those that failed.
    pub fn pending(&self, experiment: &Experiment, retry: bool) -> Vec<Cell> {
        let pending = |cell: &Cell| match self.cells.state(cell.index) {
            CellStatus::Done => false,
            CellStatus::Failed { .. } => retry,
            _ => true,
        };
        experiment.cells().into_iter().filter(pending).collect()
    }

    /// Adds the result of a cell durably. A result out of order stays so in the file until [`Directory::sort`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(&mut self, result: CellResult) -> Result<(), DirectoryError> {
        let written = result.line().and_then(|line| self.file.write_all(&line)).and_then(|()| self.file.sync_data());
        written.map_err(DirectoryError::io(&files::results_file(&self.path)))?;
        let failed = self.cells.failures.remove(&result.cell).is_some();
        self.cells.results.insert(result.cell, result);
        if failed { self.save_failures() } else { Ok(()) }
    }

    /// Sorts the results in the order of the plan.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn sort(&mut self) -> Result<(), DirectoryError> {
        let path = files::results_file(&self.path);
        write_results(&path, &self.cells.results)?;
        self.file = files::append_to(&path)?;
        Ok(())
    }

    /// Records that cells failed, with the reason.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn fail(&mut self, cells: impl IntoIterator<Item = usize>, reason: &str) -> Result<(), DirectoryError> {
        self.cells.failures.extend(cells.into_iter().map(|cell| (cell, reason.to_owned())));
        self.save_failures()
    }

    fn save_failures(&self) -> Result<(), DirectoryError> {
        files::write_failures(&self.path, &self.cells.failures)
    }
}
