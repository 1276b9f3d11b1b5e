//! Reads files named by users: regular files only, up to a maximum length.
//!
//! Opening a device may have effects or block for ever, so the type is checked before the file is opened. Another file
//! may take its place meanwhile, so the open file is checked again, and it is opened without blocking: opening a named
//! pipe would otherwise wait for a writer.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Take};
use std::path::Path;

use thiserror::Error;

/// Why a file is not read.
#[derive(Debug, Error)]
pub enum FileError {
    /// It does not exist.
    #[error("there is no such file")]
    Missing,
    /// It is a directory, a pipe, a socket or a device.
    #[error("it is {0}, not a regular file")]
    NotRegular(&'static str),
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
            Self::NotText { .. } => Some("save it as UTF-8"),
            _ => None,
        }
    }
}

/// Opens a regular file of at most `most` bytes for reading and refuses any other file at once. If the file grows, at
/// most one byte beyond `most` is read.
///
/// # Errors
/// Files that are not regular, are longer, or cannot be opened.
pub fn open(path: &Path, most: u64) -> Result<Take<File>, FileError> {
    only_regular(&fs::metadata(path).map_err(not_opened)?)?;
    open_unchecked(path, most)
}

/// The same without the first check, for a file that may have replaced a regular one just now.
fn open_unchecked(path: &Path, most: u64) -> Result<Take<File>, FileError> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path).map_err(not_opened)?;
    let metadata = file.metadata().map_err(not_opened)?;
    only_regular(&metadata)?;
    if metadata.len() > most {
        return Err(FileError::TooLong(most));
    }
    Ok(file.take(most.saturating_add(1)))
}

/// Options that create files for their owner alone, where the system has such permissions.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a directory, with those above it, for its owner alone; one that exists stays as it is.
///
/// # Errors
/// Errors of the file system.
pub fn create_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes a file or directory from everyone but its owner.
///
/// # Errors
/// Errors of the file system.
pub fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::symlink_metadata(path)?.permissions().mode() & 0o700;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    let _ = path;
    Ok(())
}

/// Whether a file may be opened for writing: it is a regular file, or does not exist yet.
///
/// # Errors
/// Existing files that are not regular.
pub fn may_write(path: &Path) -> Result<(), FileError> {
    match fs::metadata(path) {
        Ok(metadata) => only_regular(&metadata),
        Err(_) => Ok(()),
    }
}

fn not_opened(error: io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::NotFound => FileError::Missing,
        _ => FileError::Open(error),
    }
}

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// Files that are not regular, cannot be read, or are longer.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    open(path, most)?.read_to_end(&mut bytes).map_err(FileError::Read)?;
    if bytes.len() as u64 > most { Err(FileError::TooLong(most)) } else { Ok(bytes) }
}

/// The text of a regular file of at most `most` bytes.
///
/// # Errors
/// The errors of [`read`], and bytes that are not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    text(read(path, most)?)
}

/// Bytes as text.
///
/// # Errors
/// Bytes that are not UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..byte].iter().filter(|byte| **byte == b'\n').count() + 1;
        FileError::NotText { byte, line }
    })
}

fn only_regular(metadata: &Metadata) -> Result<(), FileError> {
    if metadata.is_file() { Ok(()) } else { Err(FileError::NotRegular(kind(metadata))) }
}

fn kind(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() {
        return "a directory";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let of = metadata.file_type();
        if of.is_fifo() {
            return "a pipe";
        }
        if of.is_socket() {
            return "a socket";
        }
        if of.is_char_device() || of.is_block_device() {
            return "a device";
        }
    }
    "something else"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_regular_are_refused_unread() {
        let directory = tempfile::tempdir().unwrap();
        let refused = |path: &Path| read(path, 10).unwrap_err().to_string();
        assert_eq!(refused(directory.path()), "it is a directory, not a regular file");
        assert_eq!(refused(&directory.path().join("none")), "there is no such file");
        assert!(may_write(&directory.path().join("none")).is_ok() && may_write(directory.path()).is_err());
        #[cfg(unix)]
        {
            assert_eq!(refused(Path::new("/dev/zero")), "it is a device, not a regular file");
            // An ordinary open would wait for a writer for ever.
            let pipe = directory.path().join("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            assert_eq!(refused(&pipe), "it is a pipe, not a regular file");
            assert_eq!(open_unchecked(&pipe, 10).unwrap_err().to_string(), "it is a pipe, not a regular file");
            let link = directory.path().join("link");
            std::os::unix::fs::symlink(&pipe, &link).unwrap();
            assert_eq!(refused(&link), "it is a pipe, not a regular file");
            let socket = directory.path().join("socket");
            let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            assert_eq!(refused(&socket), "it is a socket, not a regular file");
        }
    }

    #[test]
    fn a_file_is_read_up_to_its_bound() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(read_text(&path, 10).unwrap(), "0123456789");
        assert_eq!(read(&path, 9).unwrap_err().to_string(), "it is longer than 9 bytes");
        fs::write(&path, b"ab\n\xff").unwrap();
        assert_eq!(read_text(&path, 10).unwrap_err().to_string(), "it is not UTF-8 text: byte 3, on line 2");
    }
}
