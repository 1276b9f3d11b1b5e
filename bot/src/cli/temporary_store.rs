//! A store in a temporary directory, for commands that keep nothing of their runs or proposals.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ltlcrit_store::Store;

use crate::cli::output::CliError;
use crate::exit::ExitCode;

/// The directories of the temporary stores that are open. A process that ends at once drops none of them.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// The most attempts to remove a directory that another thread still writes to.
const ATTEMPTS: usize = 10;

/// A temporary store.
pub struct TemporaryStore {
    /// The store.
    pub store: Store,
    /// Removed with its contents on drop.
    directory: tempfile::TempDir,
}

impl TemporaryStore {
    /// An empty store.
    ///
    /// # Errors
    /// The directory or the store cannot be created.
    pub fn new() -> Result<Self, CliError> {
        let directory = tempfile::TempDir::with_prefix("ltlcrit-")
            .map_err(|error| CliError::new(ExitCode::Failure, format!("no temporary store can be made: {error}")))?;
        open().push(directory.path().to_owned());
        Ok(Self { store: Store::open(directory.path().join("store"))?, directory })
    }
}

impl Drop for TemporaryStore {
    fn drop(&mut self) {
        open().retain(|path| path != self.directory.path());
    }
}

/// Removes all temporary stores, before the process ends without dropping them.
pub fn remove_all() {
    let paths = std::mem::take(&mut *open());
    paths.iter().for_each(|path| remove(path));
}

fn remove(path: &Path) {
    let _ = (0..ATTEMPTS).find(|_| std::fs::remove_dir_all(path).is_ok() || !path.exists());
}

fn open() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other tests have temporary stores, so that not all are removed here.
    #[test]
    fn a_process_that_ends_at_once_knows_what_to_remove() {
        let store = TemporaryStore::new().unwrap();
        let path = store.directory.path().to_owned();
        assert!(path.join("store/db").exists() && open().contains(&path));
        remove(&path);
        assert!(!path.exists());
        drop(store);
        assert!(!open().contains(&path));
    }
}
