//! Detects changes of a file by its content.

use std::path::PathBuf;

use ltlcrit_files::FileError;
use ltlcrit_laws::MAX_BOOK;

/// A file with its last known content.
#[derive(Debug)]
pub(super) struct Watched {
    path: PathBuf,
    seen: Result<Vec<u8>, String>,
}

impl Watched {
    /// Creates the watch of a file with this content.
    pub fn new(path: impl Into<PathBuf>, content: &str) -> Self {
        Self { path: path.into(), seen: Ok(content.as_bytes().to_vec()) }
    }

    /// Returns the file's content, or the reason why it cannot be read, if it changed since the last look.
    pub fn look(&mut self) -> Option<Result<Vec<u8>, String>> {
        let content = ltlcrit_files::read(&self.path, MAX_BOOK).map_err(|error| match error {
            FileError::Missing => "the file is gone".to_owned(),
            error => error.to_string(),
        });
        if content == self.seen {
            return None;
        }
        self.seen.clone_from(&content);
        Some(content)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn every_change_is_seen_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("book.toml");
        std::fs::write(&path, "one").unwrap();
        let mut file = Watched::new(&path, "one");
        assert_eq!(file.look(), None);
        // The file changes several times within one tick of the file system's clock, at equal length.
        for text in ["two", "six", "one", "two"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(file.look(), Some(Ok(text.as_bytes().to_vec())));
            assert_eq!(file.look(), None);
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(file.look(), Some(Err("the file is gone".to_owned())));
        assert_eq!(file.look(), None);
        std::fs::create_dir(&path).unwrap();
        assert_eq!(file.look(), Some(Err("it is a directory, not a regular file".to_owned())));
        assert_eq!(file.look(), None);
        std::fs::remove_dir(&path).unwrap();
        std::fs::write(&path, "two").unwrap();
        assert_eq!(file.look(), Some(Ok(b"two".to_vec())));
    }

    #[test]
    fn a_file_too_long_for_a_book_is_not_read_to_its_end() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("book.toml");
        File::create(&path).unwrap().set_len(MAX_BOOK * 3).unwrap();
        let mut file = Watched::new(&path, "");
        assert_eq!(file.look(), Some(Err(format!("it is longer than {MAX_BOOK} bytes"))));
    }
}
