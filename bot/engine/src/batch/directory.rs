//! The directory of a batch: its plan, its store, its results and its failures.
//!
//! | file | content |
//! | --- | --- |
//! | `plan.toml` | the plan with the whole configuration |
//! | `store/` | the runs of finished cells; holds the lock of the directory |
//! | `results.jsonl` | a line for every finished cell, in the order of the plan once a process has ended |
//! | `spending.jsonl` | the ledger of requests to models, which caps count; that of shards in a folder `shards` lies there, one for all |
//! | `learned/` | the books that were learned for conditions |
//! | `failures.json` | the reasons of cells that failed and were not finished since |
//! | `process.json` | the process that has the directory open, for `batch status` |
//!
//! A run is in the store before its line is in `results.jsonl`, so a process that is killed between the two leaves a run more
//! in the store than there are results; the cell runs again.

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
    /// `results.jsonl`, at its end.
    file: File,
    process: Arc<Entry>,
}

impl Directory {
    /// Opens the directory, or makes it. A line that was cut off is removed, and an earlier plan that this one has grown out of
    /// gives way to it.
    ///
    /// # Errors
    /// A directory of something else or of another plan, one that is in use, or files that cannot be read or written.
    pub fn open(path: &Path, experiment: &Experiment) -> Result<Self, DirectoryError> {
        let grows = !growth::claim_or_grow(path, experiment)?.is_empty();
        let failed = DirectoryError::io(path);
        let store = Store::open(path.join("store"))?;
        if grows {
            // Another process may have run the earlier plan, or grown it, until now.
            Growth::new(path, files::read_plan(&files::plan_file(path))?, experiment)?.apply(path, experiment)?;
        }
        for file in files::files(path).map_err(failed)?.iter().filter(|file| ltlcrit_files::is_half_written(file)) {
            fs::remove_file(file).map_err(failed)?;
        }
        let process = Arc::new(Entry::new(path)?);
        let results_file = files::results_file(path);
        let failed = DirectoryError::io(&results_file);
        let mut results = Results::read(&results_file, experiment)?;
        // What follows the last whole line was cut off.
        files::append_to(&results_file)?.set_len(results.whole()).map_err(failed)?;
        // A process that was killed may have left lines that came late.
        results.sort()?;
        let file = files::append_to(&results_file)?;
        ltlcrit_files::sync_directory(path).map_err(failed)?;
        let cells = Cells { results, failures: files::read_failures(path)?, range: experiment.range() };
        Ok(Self { path: path.to_owned(), store, cells, file, process })
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The entry of this process.
    pub(super) fn process(&self) -> Arc<Entry> {
        self.process.clone()
    }

    /// Its cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The cells that are waiting, and with `retry` those that failed.
    pub fn pending(&self, experiment: &Experiment, retry: bool) -> Vec<Cell> {
        let pending = |cell: &Cell| match self.cells.state(cell.index) {
            CellState::Waiting => true,
            CellState::Done | CellState::Elsewhere => false,
            CellState::Failed(_) => retry,
        };
        experiment.cells().into_iter().filter(pending).collect()
    }

    /// Adds the result of a cell and makes it durable. One that comes late is out of order in the file until
    /// [`Directory::sort`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(&mut self, result: &CellResult) -> Result<(), DirectoryError> {
        self.cells.results.append(&mut self.file, result)?;
        if self.cells.failures.remove(&result.cell).is_some() { self.save_failures() } else { Ok(()) }
    }

    /// Brings the results into the order of the plan.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn sort(&mut self) -> Result<(), DirectoryError> {
        if self.cells.results.sort()? {
            self.file = files::append_to(&files::results_file(&self.path))?;
        }
        Ok(())
    }

    /// Says of cells that they failed, with the reason.
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
