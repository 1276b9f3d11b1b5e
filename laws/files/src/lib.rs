//! Guarded reading of foreign files, and guarded writing of outputs.
//!
//! | function | for |
//! | --- | --- |
//! | [`read`], [`read_text`], [`open`] | any file that a user or a foreign folder names |
//! | [`Output`] | a file that a user names as output: never an input of this process |
//! | [`replace`] | a file of the program's own that changes as a whole |
//! | [`append`] | a file of the program's own that grows, or that is locked |
//!
//! Pipes, sockets, devices and directories are rejected before they are opened, because opening a device may have
//! effects or block for ever. Another file may replace a checked one, so the open file is checked again, and opening
//! never blocks. Nothing is written through a symbolic link. Everywhere else, Clippy forbids the functions of
//! [`std::fs`] that open files.

// This is the one place that opens files unguarded.
#![allow(clippy::disallowed_methods)]

mod error;
mod output;

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Take};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

pub use error::FileError;
pub use output::{Output, copy, is_half_written, replace, replace_by, replace_unsynced, sync_directory};

/// The identity of a file, independent of its name: device, number and creation time. The time is needed because the
/// numbers of removed files are reused.
type Identity = (u64, u64, Option<SystemTime>);

/// The files that this process has read.
static INPUTS: Mutex<BTreeSet<Identity>> = Mutex::new(BTreeSet::new());

/// Opens a regular file of at most `most` bytes for reading; rejects any other file at once. If the file grows, at most
/// one byte beyond `most` is read.
///
/// # Errors
/// Files that are not regular, are longer, or cannot be opened.
pub fn open(path: &Path, most: u64) -> Result<Take<File>, FileError> {
    only_regular(&fs::metadata(path).map_err(FileError::opening)?)?;
    open_unchecked(path, most)
}

/// Opens a file without the first check, because another file may have replaced a regular one since.
fn open_unchecked(path: &Path, most: u64) -> Result<Take<File>, FileError> {
    let mut options = OpenOptions::new();
    without_blocking(options.read(true), false);
    let file = options.open(path).map_err(FileError::opening)?;
    let metadata = file.metadata().map_err(FileError::opening)?;
    only_regular(&metadata)?;
    if metadata.len() > most {
        return Err(FileError::TooLong(most));
    }
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner).extend(identity(&metadata));
    Ok(file.take(most.saturating_add(1)))
}

/// Reads the bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// Files that are not regular, cannot be read, or are longer.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut file = open(path, most)?;
    // Room for the end, too: what grows is read in many small steps.
    let length = file.get_ref().metadata().map_err(FileError::Read)?.len().min(most);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
    file.read_to_end(&mut bytes).map_err(FileError::Read)?;
    if bytes.len() as u64 > most { Err(FileError::TooLong(most)) } else { Ok(bytes) }
}

/// Reads the text of a regular file of at most `most` bytes.
///
/// # Errors
/// The errors of [`read`], and bytes that are not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    text(read(path, most)?)
}

/// Converts bytes to text.
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

/// Opens a file of the program's own for reading and appending, never through a link. Its content is kept. A new file
/// is readable only by its owner.
///
/// # Errors
/// Links, files that are not regular, or cannot be opened.
pub fn append(path: &Path) -> Result<File, FileError> {
    may_write(path)?;
    let mut options = OpenOptions::new();
    without_blocking(options.read(true).append(true).create(true), true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(FileError::opening)?;
    only_regular(&file.metadata().map_err(FileError::opening)?)?;
    Ok(file)
}

/// Checks that a file may be opened for writing: it is a regular file, not a link, or does not exist yet.
///
/// # Errors
/// Other files.
pub fn may_write(path: &Path) -> Result<(), FileError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(FileError::Link),
        Ok(metadata) => only_regular(&metadata),
        Err(_) => Ok(()),
    }
}

/// Checks a file that a user names as output: like [`may_write`], and it is not an input of this process.
///
/// # Errors
/// Other files.
pub fn may_output(path: &Path) -> Result<(), FileError> {
    may_write(path)?;
    let identity = fs::metadata(path).ok().as_ref().and_then(identity);
    let inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    if identity.is_some_and(|file| inputs.contains(&file)) { Err(FileError::Input) } else { Ok(()) }
}

/// Creates a directory and its parents, accessible to the owner only. An existing directory keeps its permissions.
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

/// Opens without waiting for the other end of a pipe. With `no_links`, a link is not followed.
fn without_blocking(options: &mut OpenOptions, no_links: bool) {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let links = if no_links { OFlags::NOFOLLOW } else { OFlags::empty() };
        let flags = (OFlags::NONBLOCK | links).bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    }
    let _ = (options, no_links);
}

fn identity(metadata: &Metadata) -> Option<Identity> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some((metadata.dev(), metadata.ino(), metadata.created().ok()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
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
mod tests;
