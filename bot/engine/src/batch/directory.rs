//! The directory of a batch: its plan, its store, its results and its failures.
//!
//! | file | content |
//! | --- | --- |
//! | `plan.toml` | the plan with the whole configuration |
//! | `store/` | the runs of finished cells; holds the lock of the directory |
//! | `results.jsonl` | a line for every finished cell, in the order of the plan |
//! | `failures.json` | the reasons of cells that failed and were not finished since |
//! | `process.json` | the process that has the directory open, for `batch status` |
//!
//! A run is in the store before its line is in `results.jsonl`, so a process that is killed between the two leaves a run more
//! in the store than there are results; the cell runs again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ltlcrit_store::Store;

use super::condition::Cell;
use super::experiment::Experiment;
use super::files::{self, Contents, DirectoryError};
use super::process::Entry;
use super::result::CellResult;

/// The state of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellState<'a> {
    /// It has not run.
    Waiting,
    /// It is finished.
    Done(&'a CellResult),
    /// It could not run, with the reason.
    Failed(&'a str),
    /// It belongs to another shard.
    Elsewhere,
}

impl Contents {
    /// The state of a cell.
    pub fn state(&self, index: usize) -> CellState<'_> {
        state(&self.results, &self.failures, &self.experiment.range(), index)
    }
}

fn state<'a>(
    results: &'a BTreeMap<usize, CellResult>,
    failures: &'a BTreeMap<usize, String>,
    range: &Range<usize>,
    index: usize,
) -> CellState<'a> {
    match (results.get(&index), failures.get(&index)) {
        (Some(result), _) => CellState::Done(result),
        (None, Some(reason)) => CellState::Failed(reason),
        (None, None) if range.contains(&index) => CellState::Waiting,
        (None, None) => CellState::Elsewhere,
    }
}

/// The directory of a batch, locked for this process.
pub struct Directory {
    path: PathBuf,
    store: Store,
    results: BTreeMap<usize, CellResult>,
    failures: BTreeMap<usize, String>,
    /// `results.jsonl`, at its end.
    file: File,
    /// The cells of its shard.
    range: Range<usize>,
    process: Arc<Entry>,
}

impl Directory {
    /// Opens the directory, or makes it. A line that was cut off is removed.
    ///
    /// # Errors
    /// A directory of something else or of another plan, one that is in use, or files that cannot be read or written.
    pub fn open(path: &Path, experiment: &Experiment) -> Result<Self, DirectoryError> {
        files::claim(path, experiment)?;
        let failed = DirectoryError::io(path);
        let store = Store::open(path.join("store"))?;
        for file in files::files(path).map_err(failed)?.iter().filter(|file| files::is_half_written(file)) {
            fs::remove_file(file).map_err(failed)?;
        }
        let process = Arc::new(Entry::new(path).map_err(failed)?);
        let results_file = files::results_file(path);
        let failed = DirectoryError::io(&results_file);
        let (results, whole) = files::read_results(&results_file, experiment)?;
        files::cut(&results_file, whole).map_err(failed)?;
        let file = OpenOptions::new().append(true).create(true).open(&results_file).map_err(failed)?;
        files::sync_directory(path).map_err(failed)?;
        let failures = files::read_failures(path)?;
        let range = experiment.range();
        Ok(Self { path: path.to_owned(), store, results, failures, file, range, process })
    }

    /// Its store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The entry of this process.
    pub(super) fn process(&self) -> Arc<Entry> {
        self.process.clone()
    }

    /// The state of a cell.
    pub fn state(&self, index: usize) -> CellState<'_> {
        state(&self.results, &self.failures, &self.range, index)
    }

    /// The cells that are waiting, and with `retry` those that failed.
    pub fn pending(&self, experiment: &Experiment, retry: bool) -> Vec<Cell> {
        let pending = |cell: &Cell| match self.state(cell.index) {
            CellState::Waiting => true,
            CellState::Done(_) | CellState::Elsewhere => false,
            CellState::Failed(_) => retry,
        };
        experiment.cells().into_iter().filter(pending).collect()
    }

    /// The results so far, in the order of the plan.
    pub fn results(&self) -> impl Iterator<Item = &CellResult> {
        self.results.values()
    }

    /// Adds the result of a cell and makes it durable. A result before the last one is put in its place.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(&mut self, result: CellResult) -> Result<(), DirectoryError> {
        let path = files::results_file(&self.path);
        let failed = DirectoryError::io(&path);
        let last = self.results.last_key_value().is_none_or(|(last, _)| *last < result.cell);
        let (index, text) = (result.cell, files::line(&result).map_err(failed)?);
        self.results.insert(index, result);
        if last {
            self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data()).map_err(failed)?;
        } else {
            let all = self.results.values().map(files::line).collect::<Result<String, _>>().map_err(failed)?;
            files::replace(&path, all.as_bytes()).map_err(failed)?;
            self.file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
        }
        if self.failures.remove(&index).is_some() { self.save_failures() } else { Ok(()) }
    }

    /// Says of cells that they failed, with the reason.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn fail(&mut self, cells: impl IntoIterator<Item = usize>, reason: &str) -> Result<(), DirectoryError> {
        self.failures.extend(cells.into_iter().map(|cell| (cell, reason.to_owned())));
        self.save_failures()
    }

    fn save_failures(&self) -> Result<(), DirectoryError> {
        files::write_failures(&self.path, &self.failures)
    }
}
