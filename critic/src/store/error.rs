//! What can go wrong with a store, in words a person can act on.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::RunId;

/// Why the store could not do what was asked. Nothing already stored is lost by any of these.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no store at this path, and the caller did not ask for a new one.
    #[error("there is no store at `{}`; a run makes one, or name another with --store", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// Another process has it open.
    #[error("the store `{}` is in use by another process; wait until it ends, or use another store", path.display())]
    Locked {
        /// The store.
        path: PathBuf,
    },
    /// It may not be written. A store is opened for writing even to read it.
    #[error("the store `{}` cannot be written ({why}); check its permissions, or name another with --store", path.display())]
    ReadOnly {
        /// The store.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// The path is something else than a directory made by this program.
    #[error("`{}` is not a store: {why}", path.display())]
    NotAStore {
        /// The path.
        path: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// Its files are damaged beyond what can be opened.
    #[error("the files of the store `{}` are damaged ({why}); keep a copy of the directory, and use another store", path.display())]
    Damaged {
        /// The store.
        path: PathBuf,
        /// What was found.
        why: String,
    },
    /// A write failed: full disk, quota, vanished device.
    #[error("writing to the store `{}` failed ({why}); every step reported as stored before this is safe", path.display())]
    Write {
        /// The store.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// A read failed.
    #[error("reading from the store `{}` failed: {why}", path.display())]
    Read {
        /// The store.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// A record was written by a newer program.
    #[error("{place}: this record has version {found}, this program knows versions up to {known}; use a newer ltlcrit")]
    Version {
        /// Which tree and key.
        place: String,
        /// The version found.
        found: u8,
        /// The newest version known.
        known: u8,
    },
    /// A record cannot be read.
    #[error("{place}: this record is corrupted: {why}")]
    Corrupt {
        /// Which tree and key.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// A record could not be turned into bytes.
    #[error("{place}: this record cannot be stored: {why}")]
    Unstorable {
        /// Which tree and key.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// No run has this number.
    #[error("there is no run {run} in this store; `ltlcrit runs list` shows what there is")]
    NoSuchRun {
        /// The number asked for.
        run: RunId,
    },
    /// The store holds no run at all.
    #[error("the store `{}` holds no runs yet", path.display())]
    NoRuns {
        /// The store.
        path: PathBuf,
    },
    /// Steps are appended one by one, each once.
    #[error("run {run}: step {step} cannot be stored {why}")]
    OutOfOrder {
        /// The run.
        run: RunId,
        /// The step.
        step: u64,
        /// `twice`, `before the step before it`, `after the run has ended`.
        why: &'static str,
    },
    /// Export could not write its output.
    #[error("writing the export failed: {0}")]
    Export(#[from] io::Error),
}

impl StoreError {
    /// What the storage engine said while opening.
    pub(super) fn opening(path: &Path, error: sled::Error) -> Self {
        let path = path.to_owned();
        match error {
            sled::Error::Io(error) => {
                let why = error.to_string();
                match error.kind() {
                    // The engine has no kind of its own for a lock held elsewhere.
                    io::ErrorKind::Other if why.contains("could not acquire lock") => Self::Locked { path },
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path, why },
                    io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
                        Self::NotAStore { path, why }
                    }
                    io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => Self::Damaged { path, why },
                    _ => Self::Write { path, why },
                }
            }
            sled::Error::Corruption { at, .. } => {
                let why = at
                    .map_or_else(|| "its log is corrupted".to_owned(), |at| format!("its log is corrupted at {at:?}"));
                Self::Damaged { path, why }
            }
            other => Self::Damaged { path, why: other.to_string() },
        }
    }

    /// What the storage engine said while writing.
    pub(super) fn writing(path: &Path, error: sled::Error) -> Self {
        Self::Write { path: path.to_owned(), why: plain(error) }
    }

    /// What the storage engine said while reading.
    pub(super) fn reading(path: &Path, error: sled::Error) -> Self {
        Self::Read { path: path.to_owned(), why: plain(error) }
    }
}

fn plain(error: sled::Error) -> String {
    match error {
        sled::Error::Io(error) => error.to_string(),
        other => other.to_string(),
    }
}
