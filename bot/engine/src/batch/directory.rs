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
//! | `process.json` | the process that has the directory open, for `batch status` |
//!
//! A run is in the store before its line is in `results.jsonl`. A process that is killed between the two leaves a run
//! without a result; the cell runs again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ltlcrit_store::Store;

use super::cells::{CellState, Cells};
use super::condition::Cell;
use super::experiment::Experiment;
use super::files::{self, DirectoryError};
use super::growth::{self, Growth};
use super::process::Entry;
use super::result::CellResult;
use super::results::Results;

/// The directory of a batch, locked for this process.
pub struct Directory {
    path: PathBuf,
    store: Store,
    cells: Cells,
    /// `results.jsonl`, positioned at its end.
    file: File,
    process: Arc<Entry>,
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
        let process = Arc::new(Entry::new(path)?);
        let results_file = files::results_file(path);
        let failed = DirectoryError::io(&results_file);
        let mut results = Results::read(&results_file, experiment)?;
        // Everything after the last complete line was cut off.
        files::append_to(&results_file)?.set_len(results.whole()).map_err(failed)?;
        // A process that was killed may have left lines out of order.
        results.sort()?;
        let file = files::append_to(&results_file)?;
        ltlcrit_files::sync_directory(path).map_err(failed)?;
        let cells = Cells { results, failures: files::read_failures(path)?, range: experiment.range() };
        Ok(Self { path: path.to_owned(), store, cells, file, process })
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the entry of this process.
    pub(super) fn process(&self) -> Arc<Entry> {
        self.process.clone()
    }

    /// Returns its cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Returns the cells that have not run, and with `retry` those that failed.
    pub fn pending(&self, experiment: &Experiment, retry: bool) -> Vec<Cell> {
        let pending = |cell: &Cell| match self.cells.state(cell.index) {
            CellState::Waiting => true,
            CellState::Done | CellState::Elsewhere => false,
            CellState::Failed(_) => retry,
        };
        experiment.cells().into_iter().filter(pending).collect()
    }

    /// Adds the result of a cell durably. A result out of order stays so in the file until [`Directory::sort`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(&mut self, result: &CellResult) -> Result<(), DirectoryError> {
        self.cells.results.append(&mut self.file, result)?;
        if self.cells.failures.remove(&result.cell).is_some() { self.save_failures() } else { Ok(()) }
    }

    /// Sorts the results in the order of the plan.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn sort(&mut self) -> Result<(), DirectoryError> {
        if self.cells.results.sort()? {
            self.file = files::append_to(&files::results_file(&self.path))?;
        }
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
