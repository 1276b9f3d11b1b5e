//! The files of a batch's directory: their names and formats, and how they are replaced.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use ltlcrit_files::FileError;
use ltlcrit_model::LEDGER_FILE;
use ltlcrit_store::StoreError;
use thiserror::Error;

use super::experiment::Experiment;
use super::plan::{Plan, wrong_plan};
use crate::user_error::UserError;

/// The folder in the directory of a batch that may hold the directories of its shards.
pub(super) const SHARDS: &str = "shards";

/// The maximum size of a plan, in bytes.
const MAX_PLAN: u64 = 4 * 1024 * 1024;
/// The maximum size of a list of failures, in bytes.
const MAX_FAILURES: u64 = 256 * 1024 * 1024;

/// The reason why the directory of a batch cannot be used.
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
    /// It is not what is asked for; the error says what would be right.
    #[error(transparent)]
    Wrong(#[from] UserError),
    /// Its store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DirectoryError {
    /// Returns the error of a directory that belongs to another plan, with the differing keys and both values.
    pub(super) fn another_plan(path: &Path, differing: Vec<String>) -> Self {
        let message = format!("`{}` belongs to another plan", path.display());
        UserError::new(message)
            .details(differing)
            .help("name another directory: `-o DIR`, or bring the plan back to what it was")
            .into()
    }

    /// Returns a function that converts an error of a file.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| Self::Io { path: path.to_owned(), error }
    }
}

/// Returns the path of a directory's plan.
pub(super) fn plan_file(directory: &Path) -> PathBuf {
    directory.join("plan.toml")
}

/// Returns the path of a directory's results.
pub(super) fn results_file(directory: &Path) -> PathBuf {
    directory.join("results.jsonl")
}

/// Returns the path of the ledger of a directory's models. Shards in a folder `shards` share one ledger in that folder.
pub(super) fn ledger_file(directory: &Path, is_shard: bool) -> PathBuf {
    let whole = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    whole.parent().filter(|parent| is_shard && parent.ends_with(SHARDS)).unwrap_or(&whole).join(LEDGER_FILE)
}

/// Reads the plan in a directory.
pub(super) fn read_plan(path: &Path) -> Result<Plan, DirectoryError> {
    let text = ltlcrit_files::read_text(path, MAX_PLAN).map_err(|error| {
        let help = "name another directory: `-o DIR`";
        wrong_plan(&path.display().to_string(), format!("the plan of the directory cannot be read: {error}"), help)
    })?;
    Ok(Plan::parse(&text, &path.display().to_string())?)
}

/// Writes the plan with all known inputs, from now or from earlier.
pub(super) fn write_plan(
    path: &Path,
    experiment: &Experiment,
    mut inputs: BTreeMap<String, String>,
) -> Result<(), DirectoryError> {
    let mut plan = experiment.plan.clone();
    inputs.append(&mut plan.inputs);
    plan.inputs = inputs;
    let failed = DirectoryError::io(path);
    let text = toml_edit::ser::to_string_pretty(&plan).map_err(|error| failed(io::Error::other(error)))?;
    let hash = experiment.hash();
    let text = format!("# The plan of this batch with its whole configuration, sha256 {hash}.\n{text}");
    if ltlcrit_files::read_text(path, MAX_PLAN).is_ok_and(|old| old == text) {
        return Ok(());
    }
    ltlcrit_files::replace(path, text.as_bytes()).map_err(failed)
}

/// Opens a file of the directory for appending.
pub(super) fn append_to(path: &Path) -> Result<File, DirectoryError> {
    ltlcrit_files::append(path).map_err(|error| DirectoryError::io(path)(error.into()))
}

/// Reads the reasons of failed cells in a directory.
pub(super) fn read_failures(directory: &Path) -> Result<BTreeMap<usize, String>, DirectoryError> {
    let path = directory.join("failures.json");
    match ltlcrit_files::read(&path, MAX_FAILURES) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| DirectoryError::io(&path)(error.into())),
        Err(FileError::Missing) => Ok(BTreeMap::new()),
        Err(error) => Err(DirectoryError::io(&path)(error.into())),
    }
}

/// Writes the reasons of failed cells.
pub(super) fn write_failures(directory: &Path, failures: &BTreeMap<usize, String>) -> Result<(), DirectoryError> {
    let path = directory.join("failures.json");
    let written = serde_json::to_vec_pretty(failures).map_err(io::Error::from);
    written.and_then(|text| ltlcrit_files::replace(&path, &text)).map_err(DirectoryError::io(&path))
}

/// Lists the files in a directory.
pub(super) fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
}
