//! Reasons why files are not opened.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a file is not read or written. The message goes after the file's path.
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
    /// It would be written through a symbolic link.
    #[error("it is a symbolic link, and nothing is written through one")]
    Link,
    /// It would be replaced by what this process makes of it.
    #[error("this command reads it, so it is not written over")]
    Input,
    /// It is a pipe or a socket, to be written.
    #[error("nobody reads from it")]
    NoReader,
    /// It cannot be opened.
    #[error("it cannot be opened: {0}")]
    Open(#[source] io::Error),
    /// It cannot be read to its end.
    #[error("it cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is longer than this number of bytes.
    #[error("it is longer than {0} bytes")]
    TooLong(u64),
    /// It is not UTF-8 text.
    #[error("it is not UTF-8 text: byte {byte}, on line {line}")]
    NotText {
        /// The offset of the first byte that is not text.
        byte: usize,
        /// Its line, from 1.
        line: usize,
    },
}

impl FileError {
    /// Advice, unless the remedy is obvious.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NotRegular("a pipe") => Some("write what the pipe gives to a file first, and name that file"),
            Self::Link => Some("name the file that the link leads to"),
            Self::Input => Some("name another file"),
            Self::NotText { .. } => Some("save it as UTF-8"),
            _ => None,
        }
    }

    /// The reason for an error of opening.
    pub(crate) fn opening(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            // A link took the place of a checked file.
            #[cfg(unix)]
            _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => Self::Link,
            #[cfg(unix)]
            _ if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => Self::NoReader,
            _ => Self::Open(error),
        }
    }
}

/// For callers that handle errors of the file system and name the path themselves.
impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Missing => io::ErrorKind::NotFound.into(),
            FileError::Open(error) | FileError::Read(error) => error,
            error => Self::new(io::ErrorKind::InvalidInput, error),
        }
    }
}
