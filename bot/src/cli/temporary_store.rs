//! A store in a temporary directory, for commands that keep nothing of their runs or proposals.

use ltlcrit_store::Store;

use super::CliError;
use crate::exit::ExitCode;

/// A temporary store.
pub struct TemporaryStore {
    /// The store.
    pub store: Store,
    /// Removed with its contents on drop.
    _directory: tempfile::TempDir,
}

impl TemporaryStore {
    /// An empty store.
    ///
    /// # Errors
    /// The directory or the store cannot be created.
    pub fn new() -> Result<Self, CliError> {
        let directory = tempfile::TempDir::with_prefix("ltlcrit-")
            .map_err(|error| CliError::new(ExitCode::Failure, format!("no temporary store can be made: {error}")))?;
        Ok(Self { store: Store::open(directory.path().join("store"))?, _directory: directory })
    }
}
