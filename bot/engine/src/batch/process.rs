//! The process that has a batch's directory open, stored in `process.json`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use ltlcrit_files::FileError;
use serde::{Deserialize, Serialize};

use super::files::DirectoryError;

/// The maximum size of an entry, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A process that runs cells. The entry does not prove that the process is alive; the lock of the store does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// The name of its machine.
    pub host: String,
    /// Its number on this machine.
    pub pid: u32,
    /// The time at which it opened the directory.
    pub since: Timestamp,
    /// The Slurm job that started it, such as `71_3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The cells under way.
    pub cells: BTreeSet<usize>,
}

impl Process {
    /// Describes this process.
    fn this() -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let task = variable("SLURM_ARRAY_JOB_ID").zip(variable("SLURM_ARRAY_TASK_ID"));
        let job = task.map(|(job, task)| format!("{job}_{task}")).or_else(|| variable("SLURM_JOB_ID"));
        Self { host: this_host(), pid: std::process::id(), since: Timestamp::now(), job, cells: BTreeSet::new() }
    }

    /// Reads the process of a directory; `None` if the last one ended normally.
    pub fn read(directory: &Path) -> Result<Option<Self>, DirectoryError> {
        match ltlcrit_files::read(&file(directory), MAX_BYTES) {
            // The file is not synced, so it may be empty after a loss of power.
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(FileError::Missing) => Ok(None),
            Err(error) => Err(DirectoryError::io(&file(directory))(error.into())),
        }
    }

    /// Returns whether it runs, or ran, on this machine.
    pub fn is_here(&self) -> bool {
        self.host == this_host()
    }
}

/// Returns the name of this machine.
fn this_host() -> String {
    let known = ltlcrit_files::read_text(Path::new("/proc/sys/kernel/hostname"), MAX_BYTES).ok();
    let known = known.or_else(|| std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")).ok());
    known.map_or_else(|| "unknown".to_owned(), |name| name.trim().to_owned())
}

fn file(directory: &Path) -> PathBuf {
    directory.join("process.json")
}

/// The entry of this process in a directory, shared by its threads. Dropping the last reference removes the file.
#[derive(Debug)]
pub(super) struct Entry {
    directory: PathBuf,
    process: Mutex<Process>,
}

impl Entry {
    /// Writes the entry of this process in a directory that it has locked.
    pub fn new(directory: &Path) -> Result<Self, DirectoryError> {
        let this = Self { directory: directory.to_owned(), process: Mutex::new(Process::this()) };
        this.change(|_| true).map_err(DirectoryError::io(&file(directory)))?;
        Ok(this)
    }

    /// Records that a cell begins. An error of writing does not end the batch.
    pub fn begin(&self, cell: usize) {
        let _ = self.change(|cells| cells.insert(cell));
    }

    /// Records that a cell has ended.
    pub fn end(&self, cell: usize) {
        let _ = self.change(|cells| cells.remove(&cell));
    }

    /// Changes the cells, and writes them if they differ.
    fn change(&self, change: impl FnOnce(&mut BTreeSet<usize>) -> bool) -> io::Result<()> {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        match change(&mut process.cells) {
            true => ltlcrit_files::replace_unsynced(&file(&self.directory), &serde_json::to_vec(&*process)?),
            false => Ok(()),
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let _ = fs::remove_file(file(&self.directory));
    }
}
