//! Errors of the store.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::RunId;

/// The format marker of the files that this program writes.
pub(super) const FORMAT: &str = "ltlcrit store 2";

/// Errors of the store. None of them loses stored data.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The path has no store, and the operation may not create one.
    #[error("there is no store at `{}`; a run makes one, or name another with --store", .0.display())]
    Missing(PathBuf),
    /// Another process has the store open.
    #[error("the store `{}` is in use by another process; wait until it ends, or use another store", .0.display())]
    Locked(PathBuf),
    /// It cannot be written.
    #[error("the store `{}` cannot be written ({why}); check its permissions, or name another with --store", path.display())]
    ReadOnly {
        /// The store.
        path: PathBuf,
        /// The system's message.
        why: String,
    },
    /// The path is not a directory made by this program.
    #[error("`{}` is not a store: {why}", path.display())]
    NotAStore {
        /// The path.
        path: PathBuf,
        /// The actual content of the path.
        why: String,
    },
    /// Its files are damaged.
    #[error("the files of the store `{}` are damaged ({why}); `ltlcrit store salvage` writes what can be read to a new store", path.display())]
    Damaged {
        /// The store.
        path: PathBuf,
        /// The damage that was found.
        why: String,
    },
    /// The store was opened to be read, without the lock that protects writes.
    #[error("the store `{}` is open for reading only", .0.display())]
    OpenToRead(PathBuf),
    /// A new store cannot be created at an existing path.
    #[error("there is something at `{}` already; name a new directory", .0.display())]
    Exists(PathBuf),
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
        /// The tree and key.
        place: String,
        /// The version of the record.
        found: u8,
        /// The newest supported version.
        known: u8,
    },
    /// A record cannot be read.
    #[error("{place}: this record is corrupted: {why}")]
    Corrupt {
        /// The tree and key.
        place: String,
        /// The reason.
        why: String,
    },
    /// A record could not be serialised.
    #[error("{place}: this record cannot be stored: {why}")]
    Unstorable {
        /// The tree and key.
        place: String,
        /// The reason.
        why: String,
    },
    /// A stored state breaks an axiom of the vocabulary that the run is read over.
    #[error(
        "run {run} step {step} breaks the axiom {axiom} of the vocabulary `{vocabulary}`: the axiom is false in this world, \
         and no proof that relies on it holds; correct the axiom and check the laws again"
    )]
    BrokenAxiom {
        /// The run.
        run: RunId,
        /// The step that led to the state.
        step: u64,
        /// The axiom with its reason.
        axiom: String,
        /// The vocabulary's name.
        vocabulary: String,
    },
    /// No run has this number.
    #[error("there is no run {0} in this store; `ltlcrit runs list` shows what there is")]
    NoSuchRun(RunId),
    /// The store holds no run at all.
    #[error("the store `{}` holds no runs yet", .0.display())]
    NoRuns(PathBuf),
    /// A step was appended out of order, or twice.
    #[error("run {run}: step {step} cannot be stored {why}")]
    OutOfOrder {
        /// The run.
        run: RunId,
        /// The step.
        step: u64,
        /// `twice`, `before the step before it`, `after the run has ended`.
        why: &'static str,
    },
    /// The output of an export could not be written.
    #[error("writing the export failed: {0}")]
    Export(#[from] io::Error),
}

impl StoreError {
    /// An error of the file system while opening.
    pub(super) fn opening(path: &Path, error: io::Error) -> Self {
        let (path, why) = (path.to_owned(), error.to_string());
        match error.kind() {
            // The engine does not have its own error kind for a lock held by another process.
            io::ErrorKind::Other if why.contains("could not acquire lock") => Self::Locked(path),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path, why },
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
                Self::NotAStore { path, why }
            }
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => Self::Damaged { path, why },
            _ => Self::Write { path, why },
        }
    }

    /// An error of the storage engine while opening.
    pub(super) fn engine(path: &Path, error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) => Self::opening(path, error),
            damage => Self::reading(path, damage),
        }
    }

    /// Returns the error of a store in the format of another version of this program.
    pub(super) fn other_format(path: &Path, found: &[u8]) -> Self {
        let found = String::from_utf8_lossy(&found[..found.len().min(60)]).into_owned();
        let why = format!("its format is `{found}`, this program writes `{FORMAT}`; use a newer ltlcrit");
        Self::NotAStore { path: path.to_owned(), why }
    }

    /// An error of the storage engine while writing.
    pub(super) fn writing(path: &Path, error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) => Self::Write { path: path.to_owned(), why: error.to_string() },
            damage => Self::Damaged { path: path.to_owned(), why: plain(damage) },
        }
    }

    /// An error of the storage engine while reading.
    pub(super) fn reading(path: &Path, error: sled::Error) -> Self {
        match error {
            sled::Error::Io(error) => Self::Read { path: path.to_owned(), why: error.to_string() },
            damage => Self::Damaged { path: path.to_owned(), why: plain(damage) },
        }
    }
}

fn plain(error: sled::Error) -> String {
    match error {
        sled::Error::Corruption { at: Some(at), .. } => format!("its log is corrupted at {at:?}"),
        sled::Error::Corruption { at: None, .. } => "its log is corrupted".to_owned(),
        sled::Error::ReportableBug(why) => why,
        other => other.to_string(),
    }
}
