//! Keeps what a store creates to its owner: records hold prompts and answers.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The contents of a store's directory before the engine opened it. The engine creates its files by the process's umask.
pub(super) struct Before(BTreeSet<PathBuf>);

impl Before {
    /// Creates the directory unless it exists, for its owner alone.
    pub fn new(store: &Path) -> io::Result<Self> {
        ltlcrit_files::create_private_directory(store)?;
        Ok(Self(entries(store)?))
    }

    /// Takes from everyone else what is new in the directory.
    pub fn close_new(&self, store: &Path) -> io::Result<()> {
        entries(store)?.difference(&self.0).try_for_each(|path| ltlcrit_files::make_private(path))
    }
}

/// The files of a store and its directory of blobs.
fn entries(store: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for directory in [store.to_owned(), store.join("blobs")] {
        match directory.read_dir() {
            Ok(entries) => found.extend(entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
