//! Writes released tasks as PDDL with metadata.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ltlcrit_files::FileError;
use ltlcrit_pddl::{Task, TaskError};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use super::python::{Python, PythonError};

/// The longest `code.py` or `metadata.json` that is read, in bytes.
const MOST: u64 = 4 << 20;

/// The task's own program.
const CODE: &str = "code.py";

/// Why a task is not imported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The folder has no released task.
    #[error("{0} has no `code.py`, and no folder in it has one")]
    None(String),
    /// A folder cannot be listed.
    #[error("{folder} cannot be read: {error}")]
    Folder {
        /// The folder.
        folder: String,
        /// The reason.
        error: io::Error,
    },
    /// A file of the task cannot be read.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        error: FileError,
    },
    /// The metadata are no JSON object.
    #[error("{file} holds no JSON object{}", .error.as_ref().map_or_else(String::new, |error| format!(": {error}")))]
    Metadata {
        /// The file.
        file: String,
        /// The reason, if it is not JSON at all.
        error: Option<serde_json::Error>,
    },
    /// Something of that name is there already.
    #[error("{0} is there already; remove it, or name another folder with --to")]
    Taken(String),
    /// The problem cannot be built.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// What was built is no task.
    #[error("what `code.py` describes cannot be used: {0}")]
    Task(#[from] TaskError),
    /// It cannot be written.
    #[error("{folder} cannot be written: {error}")]
    Write {
        /// The folder.
        folder: String,
        /// The reason.
        error: io::Error,
    },
}

/// An imported task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Its name, which is that of its folder.
    pub task: String,
    /// The folder that was written.
    pub folder: PathBuf,
    /// The number of actions.
    pub actions: usize,
    /// The number of ways in which an action is dangerous.
    pub dangers: usize,
}

/// The released tasks of a folder: the folder itself, or those in it, in the order of their names.
///
/// # Errors
/// There are none, or the folder cannot be read.
pub fn released(folder: &Path) -> Result<Vec<PathBuf>, ImportError> {
    if folder.join(CODE).is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let shown = || folder.display().to_string();
    let unreadable = |error| ImportError::Folder { folder: shown(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.join(CODE).is_file() {
            found.push(path);
        }
    }
    found.sort();
    if found.is_empty() { Err(ImportError::None(shown())) } else { Ok(found) }
}

/// Writes a released task into a folder of its name in `to`: its problems with and without danger as PDDL, and its metadata with
/// the bounds of numeric fluents. What is written was read again as a task.
///
/// # Errors
/// The task cannot be read, built or written.
pub fn import(task: &Path, to: &Path, python: &Python) -> Result<Imported, ImportError> {
    let name = std::path::absolute(task).unwrap_or_else(|_| task.to_owned());
    let name = name.file_name().map_or_else(|| "task".to_owned(), |name| name.to_string_lossy().into_owned());
    let folder = to.join(&name);
    if folder.exists() {
        return Err(ImportError::Taken(folder.display().to_string()));
    }
    let code = text(&task.join(CODE))?.unwrap_or_default();
    let mut metadata = metadata(&task.join("metadata.json"))?;
    let exported = python.export(&name, &code)?;
    metadata.entry("task_id").or_insert_with(|| name.clone().into());
    if !exported.bounds.is_empty() {
        metadata.insert("bounds".to_owned(), exported.bounds.into());
    }
    let unwritten = |error| ImportError::Write { folder: to.display().to_string(), error };
    fs::create_dir_all(to).map_err(unwritten)?;
    let new = tempfile::Builder::new().prefix(".import-").tempdir_in(to).map_err(unwritten)?;
    let metadata = format!("{:#}\n", Value::Object(metadata));
    let files = [
        ("basic_domain.pddl", &exported.basic_domain),
        ("basic_problem.pddl", &exported.basic_problem),
        ("safe_domain.pddl", &exported.safe_domain),
        ("safe_problem.pddl", &exported.safe_problem),
        ("metadata.json", &metadata),
    ];
    for (file, text) in files {
        ltlcrit_files::replace_unsynced(&new.path().join(file), text.as_bytes()).map_err(unwritten)?;
    }
    let read = Task::read(new.path())?;
    readable(new.path()).and_then(|()| fs::rename(new.keep(), &folder)).map_err(unwritten)?;
    let dangers = read.danger.as_ref().map_or(0, |danger| danger.rules.len());
    Ok(Imported { task: name, folder, actions: read.basic.domain.actions.len(), dangers })
}

/// Gives a temporary directory the permissions of any other.
fn readable(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(directory, fs::Permissions::from_mode(0o755))?;
    }
    let _ = directory;
    Ok(())
}

/// The text of a file; `None` if there is none.
fn text(path: &Path) -> Result<Option<String>, ImportError> {
    match ltlcrit_files::read_text(path, MOST) {
        Ok(text) => Ok(Some(text)),
        Err(FileError::Missing) => Ok(None),
        Err(error) => Err(ImportError::File { file: path.display().to_string(), error }),
    }
}

fn metadata(path: &Path) -> Result<serde_json::Map<String, Value>, ImportError> {
    let Some(text) = text(path)? else { return Ok(serde_json::Map::new()) };
    let wrong = |error| ImportError::Metadata { file: path.display().to_string(), error };
    match serde_json::from_str(&text) {
        Ok(Value::Object(metadata)) => Ok(metadata),
        Ok(_) => Err(wrong(None)),
        Err(error) => Err(wrong(Some(error))),
    }
}
