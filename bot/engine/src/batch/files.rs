//! The files of a batch's directory: their names, formats and replacement.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ltlcrit_laws::file;
use ltlcrit_store::StoreError;
use tempfile::NamedTempFile;
use thiserror::Error;

use super::experiment::Experiment;
use super::plan::{Plan, PlanError};

/// The longest plan that is read, in bytes.
const MOST_PLAN: u64 = 4 * 1024 * 1024;
/// The beginning and the end of the names of files that are being written.
const HALF_WRITTEN: (&str, &str) = (".ltlcrit-", ".tmp");

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
    #[error("`{}` is not the directory of a batch: it has files and no `plan.toml`", .0.display())]
    Other(PathBuf),
    /// It has no plan.
    #[error("`{}` is not the directory of a batch: it has no `plan.toml`", .0.display())]
    NoPlan(PathBuf),
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

impl DirectoryError {
    /// An error of a file.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| Self::Io { path: path.to_owned(), error }
    }
}

/// Makes a directory that of a plan, unless it is already.
///
/// # Errors
/// A directory of something else or of another plan, or one that cannot be written.
pub fn claim(path: &Path, experiment: &Experiment) -> Result<(), DirectoryError> {
    let failed = DirectoryError::io(path);
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
    write_plan(&plan_file, experiment, known)
}

/// The results of a directory.
pub(super) fn results_file(directory: &Path) -> PathBuf {
    directory.join("results.jsonl")
}

/// The plan in a directory.
pub(super) fn read_plan(path: &Path) -> Result<Plan, DirectoryError> {
    let text = file::read_text(path, MOST_PLAN).map_err(|error| {
        let help = "name another directory: `-o DIR`";
        PlanError::new(&path.display().to_string(), format!("the plan of the directory cannot be read: {error}"), help)
    })?;
    Ok(Plan::parse(&text, &path.display().to_string())?)
}

/// Writes the plan with the inputs that are known, now or from earlier.
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
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    replace(path, text.as_bytes()).map_err(failed)
}

/// Cuts off what follows the last whole line.
pub(super) fn cut(path: &Path, whole: u64) -> io::Result<()> {
    match path.metadata() {
        Ok(found) if found.len() > whole => {
            let file = OpenOptions::new().write(true).open(path)?;
            file.set_len(whole).and_then(|()| file.sync_all())
        }
        _ => Ok(()),
    }
}

/// The reasons of failed cells in a directory.
pub(super) fn read_failures(directory: &Path) -> Result<BTreeMap<usize, String>, DirectoryError> {
    let path = directory.join("failures.json");
    match fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| DirectoryError::io(&path)(error.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(DirectoryError::io(&path)(error)),
    }
}

/// Writes the reasons of failed cells.
pub(super) fn write_failures(directory: &Path, failures: &BTreeMap<usize, String>) -> Result<(), DirectoryError> {
    let path = directory.join("failures.json");
    let written = serde_json::to_vec_pretty(failures).map_err(io::Error::from);
    written.and_then(|text| replace(&path, &text)).map_err(DirectoryError::io(&path))
}

/// The files in a directory.
pub(super) fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
}

/// Whether a file was being written when a process was killed.
pub(super) fn is_half_written(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(HALF_WRITTEN.0) && name.ends_with(HALF_WRITTEN.1)
}

/// Replaces a file by another content, whole or not at all, even if the power fails.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_by(path, |file| file.write_all(bytes))
}

/// The same for what `write` writes.
pub(super) fn replace_by(path: &Path, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = io::BufWriter::new(beside(path)?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_directory(parent(path))
}

/// Replaces a file by another content, whole or not at all, as long as the system goes on.
pub(super) fn replace_fast(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// A new file beside another one.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(HALF_WRITTEN.0).suffix(HALF_WRITTEN.1).tempfile_in(parent(path))
}

/// The directory of a file.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes new names in a directory durable.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
