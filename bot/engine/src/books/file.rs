//! Detects changes of a file cheaply.

use std::fs::Metadata;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use ltlcrit_files::FileError;
use ltlcrit_laws::MAX_BOOK;

/// The coarsest resolution of file times. Two changes within this time may look like one.
const TICK: Duration = Duration::from_secs(2);

/// A file with its last known content.
#[derive(Debug)]
pub(super) struct Watched {
    path: PathBuf,
    /// The last metadata, if they are reliable.
    stamp: Option<Stamp>,
    seen: Result<Vec<u8>, String>,
}

/// Metadata that change with a file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: SystemTime,
    /// The inode and the change time. Programs cannot set them, so they differ for a file that replaces another.
    identity: (u64, i64, i64),
}

impl Stamp {
    fn of(metadata: &Metadata) -> Option<Self> {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            (metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
        };
        #[cfg(not(unix))]
        let identity = (0, 0, 0);
        Some(Self { length: metadata.len(), modified: metadata.modified().ok()?, identity })
    }

    /// Returns whether a change after `now` would certainly alter the metadata.
    fn is_settled(&self, now: SystemTime) -> bool {
        now.duration_since(self.modified).is_ok_and(|age| age > TICK)
    }
}

impl Watched {
    /// Creates the watch of a file with this content.
    pub fn new(path: impl Into<PathBuf>, content: &str) -> Self {
        Self { path: path.into(), stamp: None, seen: Ok(content.as_bytes().to_vec()) }
    }

    /// Returns the file's content, or the reason why it cannot be read, if it changed since the last look.
    pub fn look(&mut self) -> Option<Result<Vec<u8>, String>> {
        let now = SystemTime::now();
        let stamp = std::fs::metadata(&self.path).ok().as_ref().and_then(Stamp::of);
        if stamp.is_some() && stamp == self.stamp {
            return None;
        }
        let content = ltlcrit_files::read(&self.path, MAX_BOOK).map_err(|error| match error {
            FileError::Missing => "the file is gone".to_owned(),
            error => error.to_string(),
        });
        self.stamp = stamp.filter(|stamp| content.is_ok() && stamp.is_settled(now));
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
    use std::path::Path;

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
    fn an_old_file_is_not_read_again_until_its_times_change() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("book.toml");
        std::fs::write(&path, "one").unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(60);
        let age = |path: &Path| File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
        age(&path);
        let mut file = Watched::new(&path, "one");
        assert_eq!(file.look(), None);
        assert!(file.stamp.is_some(), "its times can be relied on");
        // The file is not read, so this wrong content is not noticed.
        file.seen = Ok(b"something else".to_vec());
        assert_eq!(file.look(), None);
        // The file is replaced, as books are saved, by another of the same length and age.
        let other = directory.path().join("other.toml");
        std::fs::write(&other, "two").unwrap();
        age(&other);
        std::fs::rename(&other, &path).unwrap();
        if cfg!(unix) {
            assert_eq!(file.look(), Some(Ok(b"two".to_vec())));
        }
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
