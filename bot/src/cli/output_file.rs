//! A file that a command writes whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use ltlcrit_laws::file;
use tempfile::NamedTempFile;

/// A file for results. A regular file takes its place when it is [finished](Self::finish); until then what was there stays.
/// Only its owner can read a new one. What is not a regular file, such as a pipe, is written directly.
pub struct OutputFile(Target);

enum Target {
    /// A temporary file beside the one it will replace.
    Beside {
        file: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
    Direct(BufWriter<File>),
}

impl OutputFile {
    /// Begins a file.
    ///
    /// # Errors
    /// A directory that is missing or cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        // A symbolic link stays; its target is replaced.
        let (path, existing) = match path.canonicalize() {
            Ok(path) => (path.clone(), Some(fs::metadata(path)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), None),
            Err(error) => return Err(error),
        };
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            return Ok(Self(Target::Direct(BufWriter::new(file::private().write(true).open(path)?))));
        }
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // A missing directory is told without the name of the temporary file.
        fs::metadata(directory)?;
        let beside = tempfile::Builder::new().prefix(".ltlcrit-").suffix(".tmp").tempfile_in(directory)?;
        if let Some(existing) = existing {
            beside.as_file().set_permissions(existing.permissions())?;
        }
        Ok(Self(Target::Beside { file: BufWriter::new(beside), path }))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// The disk is full or cannot be written; the temporary file is then removed.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Target::Direct(mut file) => file.flush(),
            Target::Beside { file, path } => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(path).map(drop).map_err(|error| error.error)
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Beside { file, .. } => file.write(bytes),
            Target::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Beside { file, .. } => file.flush(),
            Target::Direct(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        directory.read_dir().unwrap().map(name).collect()
    }

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("export.jsonl");
        let begin = |text: &str| {
            let mut file = OutputFile::create(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file
        };
        // Abandoned, as on a full disk.
        drop(begin("half"));
        assert!(names(directory.path()).is_empty());
        begin("whole").finish().unwrap();
        drop(begin("half"));
        assert_eq!((fs::read_to_string(&path).unwrap(), names(directory.path()).len()), ("whole".to_owned(), 1));
        assert!(OutputFile::create(&directory.path().join("none/export.jsonl")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_is_its_owners_and_an_old_one_keeps_its_mode() {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("export.jsonl");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        OutputFile::create(&path).unwrap().finish().unwrap();
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        OutputFile::create(&path).unwrap().finish().unwrap();
        assert_eq!(mode(), 0o640);
    }
}
