//! The process that has a batch's directory open, as `process.json` names it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use ltlcrit_files::FileError;
use serde::{Deserialize, Serialize};

use super::files::DirectoryError;

/// The longest entry that is read, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// A process that runs cells. It is no proof that the process is alive; the lock of the store is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// The name of its machine.
    pub host: String,
    /// Its number on this machine.
    pub pid: u32,
    /// When it opened the directory.
    pub since: Timestamp,
    /// The job that Slurm started it in, such as `71_3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// The cells under way.
    pub cells: BTreeSet<usize>,
}

impl Process {
    /// This process.
    fn this() -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let task = variable("SLURM_ARRAY_JOB_ID").zip(variable("SLURM_ARRAY_TASK_ID"));
        let job = task.map(|(job, task)| format!("{job}_{task}")).or_else(|| variable("SLURM_JOB_ID"));
        Self { host: this_host(), pid: std::process::id(), since: Timestamp::now(), job, cells: BTreeSet::new() }
    }

    /// The process that a directory names, unless the last one ended in order.
    pub fn read(directory: &Path) -> Result<Option<Self>, DirectoryError> {
        match ltlcrit_files::read(&file(directory), MOST_BYTES) {
            // It is not forced to disk, so it may be empty after a loss of power.
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(FileError::Missing) => Ok(None),
            Err(error) => Err(DirectoryError::io(&file(directory))(error.into())),
        }
    }

    /// Whether it runs, or ran, on this machine.
    pub fn is_here(&self) -> bool {
        self.host == this_host()
    }
}

/// The name of this machine.
fn this_host() -> String {
    let known = ltlcrit_files::read_text(Path::new("/proc/sys/kernel/hostname"), MOST_BYTES).ok();
    let known = known.or_else(|| std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")).ok());
    known.map_or_else(|| "unknown".to_owned(), |name| name.trim().to_owned())
}

fn file(directory: &Path) -> PathBuf {
    directory.join("process.json")
}

/// The entry of this process in a directory, which threads share; dropping the last one removes the file.
#[derive(Debug)]
pub(super) struct Entry {
    directory: PathBuf,
    process: Mutex<Process>,
}

impl Entry {
    /// Names this process in a directory, which it has locked.
    pub fn new(directory: &Path) -> Result<Self, DirectoryError> {
        let this = Self { directory: directory.to_owned(), process: Mutex::new(Process::this()) };
        this.change(|_| true).map_err(DirectoryError::io(&file(directory)))?;
        Ok(this)
    }

    /// Says that a cell begins. What cannot be written is no reason to end the batch.
    pub fn begin(&self, cell: usize) {
        let _ = self.change(|cells| cells.insert(cell));
    }

    /// Says that a cell is no longer under way.
    pub fn end(&self, cell: usize) {
        let _ = self.change(|cells| cells.remove(&cell));
    }

    /// Writes the cells after a change, if it is one.
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
