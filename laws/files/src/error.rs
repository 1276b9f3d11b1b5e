//! Errors of opening, reading and writing files.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The reason why a file is not read or written. The message follows the file's path.
#[derive(Debug, Error)]
pub enum FileError {
    /// It does not exist.
    #[error("there is no such file")]
    Missing,
    /// Its directory does not exist.
    #[error("there is no directory `{}`", .0.display())]
    NoDirectory(PathBuf),
    /// It is a directory, a pipe, a socket or a device.
    #[error("it is {0}, not a regular file")]
    NotRegular(&'static str),
    /// Writing it would follow a symbolic link.
    #[error("it is a symbolic link, and nothing is written through one")]
    Link,
    /// It is an input of this process, which its output would replace.
    #[error("this command reads it, so it is not written over")]
    Input,
    /// It is a pipe or a socket without a reader.
    #[error("nobody reads from it")]
    NoReader,
    /// Opening it failed.
    #[error("it cannot be opened: {0}")]
    Open(#[source] io::Error),
    /// Reading it to its end failed.
    #[error("it cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is longer than this maximum, in bytes.
    #[error("it is longer than {0} bytes")]
    TooLong(u64),
    /// It is not UTF-8 text.
    #[error("it is not UTF-8 text: byte {byte}, on line {line}")]
    NotText {
        /// The offset of the first byte that is not text.
        byte: usize,
        /// The line of that byte, starting at 1.
        line: usize,
    },
}

impl FileError {
    /// Returns advice, unless the remedy is obvious.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NotRegular("a pipe") => Some("write what the pipe gives to a file first, and name that file"),
            Self::Link => Some("name the file that the link leads to"),
            Self::Input => Some("name another file"),
            Self::NotText { .. } => Some("save it as UTF-8"),
            _ => None,
        }
    }

    /// Returns the reason for an error of opening.
    pub(crate) fn opening(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            // A link has replaced a checked file.
            #[cfg(unix)]
            _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => Self::Link,
            #[cfg(unix)]
            _ if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => Self::NoReader,
            _ => Self::Open(error),
        }
    }
}

/// Converts the error for callers that handle errors of the file system and name the path themselves.
impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Missing => io::ErrorKind::NotFound.into(),
            FileError::Open(error) | FileError::Read(error) => error,
            error => Self::new(io::ErrorKind::InvalidInput, error),
        }
    }
}
