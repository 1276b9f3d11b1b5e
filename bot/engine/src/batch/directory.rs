//! The directory of a batch: its plan, its store, its results and its failures.
//!
//! | file | content |
//! | --- | --- |
//! | `plan.toml` | the plan with the whole configuration |
//! | `store/` | the runs of finished cells; holds the lock of the directory |
//! | `results.jsonl` | a line for every finished cell, in the order of the plan |
//! | `failures.json` | the reasons of cells that failed and were not finished since |
//!
//! A run is in the store before its line is in `results.jsonl`, so a process that is killed between the two leaves a run more
//! in the store than there are results; the cell runs again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ltlcrit_laws::file;
use ltlcrit_store::{Store, StoreError};
use thiserror::Error;

use super::condition::Cell;
use super::experiment::Experiment;
use super::plan::{Plan, PlanError};
use super::result::CellResult;

/// The longest file of results that is read, in bytes.
const MOST_BYTES: u64 = 4 * 1024 * 1024 * 1024;
/// The longest plan that is read, in bytes.
const MOST_PLAN: u64 = 4 * 1024 * 1024;

/// Why the directory of a batch cannot be used.
#[derive(Debug, Error)]
pub enum DirectoryError {
    /// It cannot be read or written.
    #[error("`{}` cannot be read or written: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// It has other content.
    #[error("`{}` is not the directory of a batch: it has no `plan.toml`", .0.display())]
    Other(PathBuf),
    /// Its plan is damaged.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// It belongs to another plan.
    #[error("`{}` belongs to another plan", path.display())]
    AnotherPlan {
        /// The directory.
        path: PathBuf,
        /// The differing keys, with both values.
        differing: Vec<String>,
    },
    /// A result that is not one of the plan.
    #[error("{}:{line}: {why}", path.display())]
    Result {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Its store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The state of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellState<'a> {
    /// It has not run.
    Waiting,
    /// It is finished.
    Done(&'a CellResult),
    /// It could not run, with the reason.
    Failed(&'a str),
}

/// The directory of a batch, locked for this process.
pub struct Directory {
    path: PathBuf,
    store: Store,
    results: BTreeMap<usize, CellResult>,
    failures: BTreeMap<usize, String>,
    /// `results.jsonl`, at its end; `None` if it is only read.
    file: Option<File>,
}

impl Directory {
    /// Opens the directory, or makes it. A line that was cut off is removed.
    ///
    /// # Errors
    /// A directory of something else or of another plan, one that is in use, or files that cannot be read or written.
    pub fn open(path: &Path, experiment: &Experiment) -> Result<Self, DirectoryError> {
        let failed = |error| DirectoryError::Io { path: path.to_owned(), error };
        fs::create_dir_all(path).map_err(failed)?;
        let plan_file = path.join("plan.toml");
        let known = match plan_file.exists() {
            true => {
                let earlier = read_plan(&plan_file)?;
                let differing = experiment.differing(&earlier);
                if !differing.is_empty() {
                    return Err(DirectoryError::AnotherPlan { path: path.to_owned(), differing });
                }
                earlier.inputs
            }
            false if !files(path).map_err(failed)?.iter().all(|file| is_half_written(file)) => {
                return Err(DirectoryError::Other(path.to_owned()));
            }
            false => BTreeMap::new(),
        };
        write_plan(&plan_file, experiment, known)?;
        let store = Store::open(path.join("store"))?;
        for file in files(path).map_err(failed)?.iter().filter(|file| is_half_written(file)) {
            fs::remove_file(file).map_err(failed)?;
        }
        let results_file = path.join("results.jsonl");
        let failed = |error| DirectoryError::Io { path: results_file.clone(), error };
        let results = read_results(&results_file, experiment, true)?;
        let file = OpenOptions::new().append(true).create(true).open(&results_file).map_err(failed)?;
        sync_directory(path).map_err(failed)?;
        let failures = read_failures(path)?;
        Ok(Self { path: path.to_owned(), store, results, failures, file: Some(file) })
    }

    /// Opens an existing directory for reading only, with the experiment it holds, even while a batch has it open. Nothing
    /// is changed, and no cell can be [finished](Self::finish).
    ///
    /// # Errors
    /// A directory of something else, or files that cannot be read.
    pub fn open_to_read(path: &Path) -> Result<(Experiment, Self), DirectoryError> {
        let plan_file = path.join("plan.toml");
        if !plan_file.exists() {
            return Err(DirectoryError::Other(path.to_owned()));
        }
        let experiment = Experiment::stored(read_plan(&plan_file)?, &plan_file.display().to_string())?;
        let results = read_results(&path.join("results.jsonl"), &experiment, false)?;
        let failures = read_failures(path)?;
        // Last, so that the run of every result is in it.
        let store = Store::open_to_read(path.join("store"))?;
        Ok((experiment, Self { path: path.to_owned(), store, results, failures, file: None }))
    }

    /// Its store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The state of a cell.
    pub fn state(&self, index: usize) -> CellState<'_> {
        match (self.results.get(&index), self.failures.get(&index)) {
            (Some(result), _) => CellState::Done(result),
            (None, Some(reason)) => CellState::Failed(reason),
            (None, None) => CellState::Waiting,
        }
    }

    /// The cells that are waiting, and with `retry` those that failed.
    pub fn pending(&self, experiment: &Experiment, retry: bool) -> Vec<Cell> {
        let pending = |cell: &Cell| match self.state(cell.index) {
            CellState::Waiting => true,
            CellState::Done(_) => false,
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
        let path = self.path.join("results.jsonl");
        let failed = |error| DirectoryError::Io { path: path.clone(), error };
        let Some(file) = &mut self.file else { return Err(failed(io::ErrorKind::ReadOnlyFilesystem.into())) };
        let last = self.results.last_key_value().is_none_or(|(last, _)| *last < result.cell);
        let (index, text) = (result.cell, line(&result).map_err(failed)?);
        self.results.insert(index, result);
        if last {
            file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)?;
        } else {
            let all = self.results.values().map(line).collect::<Result<String, _>>().map_err(failed)?;
            replace(&path, all.as_bytes()).map_err(failed)?;
            *file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
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
        let path = self.path.join("failures.json");
        let written = serde_json::to_vec_pretty(&self.failures).map_err(io::Error::from);
        written.and_then(|text| replace(&path, &text)).map_err(|error| DirectoryError::Io { path, error })
    }
}

/// The plan in a directory.
fn read_plan(path: &Path) -> Result<Plan, DirectoryError> {
    let text = file::read_text(path, MOST_PLAN).map_err(|error| {
        let help = "name another directory: `-o DIR`";
        PlanError::new(&path.display().to_string(), format!("the plan of the directory cannot be read: {error}"), help)
    })?;
    Ok(Plan::parse(&text, &path.display().to_string())?)
}

/// Writes the plan with the inputs that are known, now or from earlier.
fn write_plan(
    path: &Path,
    experiment: &Experiment,
    mut inputs: BTreeMap<String, String>,
) -> Result<(), DirectoryError> {
    let mut plan = experiment.plan.clone();
    inputs.append(&mut plan.inputs);
    plan.inputs = inputs;
    let failed = |error| DirectoryError::Io { path: path.to_owned(), error };
    let text = toml_edit::ser::to_string_pretty(&plan).map_err(|error| failed(io::Error::other(error)))?;
    let hash = experiment.hash();
    let text = format!("# The plan of this batch with its whole configuration, sha256 {hash}.\n{text}");
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    replace(path, text.as_bytes()).map_err(failed)
}

/// The reasons of failed cells.
fn read_failures(directory: &Path) -> Result<BTreeMap<usize, String>, DirectoryError> {
    let path = directory.join("failures.json");
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| DirectoryError::Io { path, error: error.into() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(DirectoryError::Io { path, error }),
    }
}

/// The results in a file. What follows the last line break does not count; with `cut` it is removed.
fn read_results(
    path: &Path,
    experiment: &Experiment,
    cut: bool,
) -> Result<BTreeMap<usize, CellResult>, DirectoryError> {
    let failed = |error| DirectoryError::Io { path: path.to_owned(), error };
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let bytes = file::read(path, MOST_BYTES).map_err(|error| failed(io::Error::other(error)))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if cut && whole < bytes.len() {
        let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        file.set_len(whole as u64).and_then(|()| file.sync_all()).map_err(failed)?;
    }
    let cells = experiment.cells();
    let mut results = BTreeMap::new();
    for (number, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
        let wrong = |why: String| DirectoryError::Result { path: path.to_owned(), line: number + 1, why };
        let result: CellResult =
            serde_json::from_slice(line).map_err(|error| wrong(format!("this is no result of a cell: {error}")))?;
        let cell = cells.get(result.cell).filter(|cell| cell.seed == result.seed);
        if cell.is_none_or(|cell| experiment.conditions[cell.condition].name != result.condition) {
            return Err(wrong(format!("the plan has no cell {} of this condition and seed", result.cell)));
        }
        if results.last_key_value().is_some_and(|(last, _)| *last >= result.cell) {
            return Err(wrong(format!("the cell {} is not in order", result.cell)));
        }
        results.insert(result.cell, result);
    }
    Ok(results)
}

/// A result as a line.
fn line(result: &CellResult) -> io::Result<String> {
    Ok(serde_json::to_string(result)? + "\n")
}

/// The beginning and the end of the names of files that are being written.
const HALF_WRITTEN: (&str, &str) = (".ltlcrit-", ".tmp");

/// The files in a directory.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
}

/// Whether a file was being written when a process was killed.
fn is_half_written(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(HALF_WRITTEN.0) && name.ends_with(HALF_WRITTEN.1)
}

/// Replaces a file by another content, whole or not at all.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(HALF_WRITTEN.0).suffix(HALF_WRITTEN.1).tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_directory(directory)
}

/// Makes new names in a directory durable.
fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
