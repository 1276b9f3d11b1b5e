//! Writes files completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::{FileError, may_output, may_write, open, without_blocking};

/// The prefix and the suffix of the names of temporary files.
const HALF_WRITTEN: (&str, &str) = (".ltlcrit-", ".tmp");

/// An output file that a user names. It replaces the old file when it is [finished](Self::finish); until then the old
/// file stays. A new file is readable only by its owner. A pipe or a device is written directly.
pub struct Output(Target);

enum Target {
    Beside(Replacement),
    Direct(BufWriter<File>),
}

impl Output {
    /// Begins a file in a temporary place.
    ///
    /// # Errors
    /// A link to a file, a file that this process has read, a directory, or a place that cannot be written.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        // A link such as /dev/stdout may lead to a pipe or a terminal.
        if fs::metadata(path).is_ok_and(|existing| !existing.is_file() && !existing.is_dir()) {
            return direct(path).map(BufWriter::new).map(Target::Direct).map(Self);
        }
        may_output(path)?;
        Replacement::begin(path, 0o600).map(Target::Beside).map(Self)
    }

    /// Moves the file to its place.
    ///
    /// # Errors
    /// The disk is full or cannot be written, or this process has read the file meanwhile; it then stays as it was.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Target::Direct(mut file) => file.flush(),
            Target::Beside(file) => {
                may_output(&file.path)?;
                file.finish(true)
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Beside(Replacement { file, .. }) => file.write(bytes),
            Target::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Beside(Replacement { file, .. }) => file.flush(),
            Target::Direct(file) => file.flush(),
        }
    }
}

/// Replaces a file of the program's own, completely or not at all, even if the power fails. Its permissions are kept.
///
/// # Errors
/// Links, files that are not regular, or a place that cannot be written; the old file then stays.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_by(path, |file| file.write_all(bytes))
}

/// Replaces a file like [`replace`], with the bytes that `write` produces.
///
/// # Errors
/// The errors of [`replace`] and of `write`.
pub fn replace_by(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut new = Replacement::begin(path, 0o666)?;
    write(&mut new.file)?;
    new.finish(true)
}

/// Replaces a file like [`replace`], without waiting for the disk: a power failure may lose the change.
///
/// # Errors
/// The errors of [`replace`].
pub fn replace_unsynced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = Replacement::begin(path, 0o666)?;
    new.file.write_all(bytes)?;
    new.finish(false)
}

/// Copies a regular file of at most `most` bytes.
///
/// # Errors
/// The errors of [`open`] and of [`replace`].
pub fn copy(from: &Path, to: &Path, most: u64) -> io::Result<()> {
    let mut from = open(from, most)?;
    replace_by(to, |file| io::copy(&mut from, file).map(drop))
}

/// Returns whether the name is that of a temporary file, which a killed process leaves behind.
pub fn is_half_written(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(HALF_WRITTEN.0) && name.ends_with(HALF_WRITTEN.1)
}

/// A temporary file beside the one that it will replace.
struct Replacement {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Replacement {
    /// Begins a file. A new one gets this mode, reduced by the umask.
    fn begin(path: &Path, mode: u32) -> Result<Self, FileError> {
        may_write(path)?;
        let directory = parent(path);
        if !directory.is_dir() {
            return Err(FileError::NoDirectory(directory.to_owned()));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(HALF_WRITTEN.0).suffix(HALF_WRITTEN.1);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        // The error omits the name of the temporary file.
        let file = builder.tempfile_in(directory).map_err(|error| FileError::Open(error.kind().into()))?;
        if let Ok(existing) = fs::metadata(path) {
            file.as_file().set_permissions(existing.permissions()).map_err(FileError::Open)?;
        }
        Ok(Self { file: BufWriter::new(file), path: path.to_owned() })
    }

    /// Moves the file to its place; `durable` protects it from a power failure.
    fn finish(self, durable: bool) -> io::Result<()> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if durable {
            file.as_file().sync_all()?;
        }
        may_write(&self.path)?;
        file.persist(&self.path).map_err(|error| error.error)?;
        if durable { sync_directory(parent(&self.path)) } else { Ok(()) }
    }
}

/// Opens a pipe or a device for writing.
fn direct(path: &Path) -> Result<File, FileError> {
    let mut options = OpenOptions::new();
    without_blocking(options.write(true), false);
    let file = options.open(path).map_err(FileError::opening)?;
    // Opening does not wait for the reader of a pipe; writing does.
    #[cfg(unix)]
    rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::empty()).map_err(|error| FileError::Open(error.into()))?;
    Ok(file)
}

/// Returns the directory of a file.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes new names in a directory durable.
///
/// # Errors
/// Errors of the file system.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}
