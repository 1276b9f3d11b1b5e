//! The books that a batch learns: one for each learning of each condition with a schedule, before its first cell.
//!
//! | file in `learned/N`, N the number of the condition from 1, or in `learned/N.K` for its K-th learning after the first | content |
//! | --- | --- |
//! | `learned.toml` | the book |
//! | `store/` | its episodes, proposals and revisions, unless the schedule says `keep = false` |
//! | `learning.json` | the [`Learning`]; it is written last, and a book without it is learned again |

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ltlcrit_files::FileError;
use ltlcrit_laws::{Book, MAX_BOOK};
use ltlcrit_model::UsageByRole;
use ltlcrit_store::sha256;
use serde::{Deserialize, Serialize};

use super::experiment::Experiment;
use super::files::DirectoryError;
use super::schedule::book_name;
use crate::learn::{Ended, EpisodeFigures};
use crate::user_error::UserError;

/// The maximum size of a record of a learning, in bytes.
const MAX_RECORD: u64 = 64 * 1024 * 1024;
/// The maximum size of a store's file that is copied, in bytes.
const MAX_STORE: u64 = 1 << 36;

/// A learning of a condition. All cells of one learning run under its one book, so metrics over their seeds exclude the
/// variation between learnings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learning {
    /// The condition.
    pub condition: String,
    /// The name and revision of the book.
    pub book: String,
    /// The SHA-256 of the book's text.
    pub sha256: String,
    /// The number of its laws in force.
    pub laws: usize,
    /// The seeds of its episodes.
    pub seeds: String,
    /// The iterations, in order.
    pub iterations: Vec<EpisodeFigures>,
    /// The reason why learning ended.
    pub ended: Ended,
    /// The usage of the actor's model and of the critics' models.
    pub usage: UsageByRole,
}

/// The folder of a learned book.
#[derive(Clone, Debug)]
pub(super) struct LearnedFolder {
    path: PathBuf,
    /// The name of the book in manifests, relative to the directory of the batch.
    name: String,
}

impl LearnedFolder {
    /// Returns the folder of a condition's learning, by their indices from 0, in a batch's directory.
    pub fn new(directory: &Path, condition: usize, learning: u64) -> Self {
        let name = book_name(condition, learning);
        let book = directory.join(&name);
        Self { path: book.parent().unwrap_or(directory).to_owned(), name }
    }

    /// Returns the path of the book.
    pub fn book(&self) -> PathBuf {
        self.path.join("learned.toml")
    }

    /// Returns the name of the book in manifests.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of the store of its episodes.
    pub fn store(&self) -> PathBuf {
        self.path.join("store")
    }

    /// Removes the store of its episodes.
    ///
    /// # Errors
    /// The store cannot be removed.
    pub fn forget_runs(&self) -> Result<(), DirectoryError> {
        remove(&self.store())
    }

    /// Reads the learning, if it has ended.
    ///
    /// # Errors
    /// The files cannot be read, or the book has changed since.
    pub fn read(&self) -> Result<Option<Learning>, DirectoryError> {
        let record = self.path.join("learning.json");
        let failed = DirectoryError::io(&record);
        let bytes = match ltlcrit_files::read(&record, MAX_RECORD) {
            Ok(bytes) => bytes,
            Err(FileError::Missing) => return Ok(None),
            Err(error) => return Err(failed(error.into())),
        };
        let learning: Learning = serde_json::from_slice(&bytes).map_err(|error| failed(error.into()))?;
        let text = ltlcrit_files::read(&self.book(), MAX_BOOK).unwrap_or_default();
        if sha256(&text) != learning.sha256 {
            let message = format!(
                "`{}` is not the book that was learned; bring it back, or remove `{}` to learn again",
                self.book().display(),
                self.path.display()
            );
            return Err(UserError::new(message).into());
        }
        Ok(Some(learning))
    }

    /// Empties or creates the folder, for another learning.
    ///
    /// # Errors
    /// The folder cannot be removed or created.
    pub fn clear(&self) -> Result<(), DirectoryError> {
        remove(&self.path)?;
        fs::create_dir_all(&self.path).map_err(DirectoryError::io(&self.path))
    }

    /// Writes the learning, after the book is written.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, learning: &Learning) -> Result<(), DirectoryError> {
        let path = self.path.join("learning.json");
        let text = serde_json::to_vec_pretty(learning).map_err(io::Error::from);
        text.and_then(|text| ltlcrit_files::replace(&path, &text)).map_err(DirectoryError::io(&path))
    }

    /// Copies the folder of another directory, its record last.
    ///
    /// # Errors
    /// The files cannot be read or written.
    pub fn copy(&self, from: &Self, learning: &Learning) -> Result<(), DirectoryError> {
        self.clear()?;
        let store = |path: &Path| path.strip_prefix(&from.path).map(|below| self.path.join(below));
        let mut folders: Vec<PathBuf> = Some(from.store()).filter(|store| store.exists()).into_iter().collect();
        let copied = (|| -> io::Result<()> {
            ltlcrit_files::copy(&from.book(), &self.book(), MAX_BOOK)?;
            while let Some(folder) = folders.pop() {
                fs::create_dir_all(store(&folder).map_err(io::Error::other)?)?;
                for entry in fs::read_dir(&folder)? {
                    let entry = entry?;
                    match entry.file_type()?.is_dir() {
                        true => folders.push(entry.path()),
                        false => {
                            let to = store(&entry.path()).map_err(io::Error::other)?;
                            ltlcrit_files::copy(&entry.path(), &to, MAX_STORE)?;
                        }
                    }
                }
            }
            Ok(())
        })();
        copied.map_err(DirectoryError::io(&self.path))?;
        self.write(learning)
    }
}

/// Removes a folder, if there is one.
fn remove(folder: &Path) -> Result<(), DirectoryError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(DirectoryError::io(folder)(error)),
        _ => Ok(()),
    }
}

/// Reads the learnings of a batch's directory so far, in the order of the conditions.
///
/// # Errors
/// The files cannot be read, or a book has changed since.
pub fn learnings(directory: &Path, experiment: &Experiment) -> Result<Vec<Learning>, DirectoryError> {
    let read = experiment.learnings().map(|(number, learning)| {
        let learning = LearnedFolder::new(directory, number, learning).read()?;
        // The condition may have had another name before the plan was extended.
        let condition = || experiment.conditions[number].name.clone();
        Ok(learning.map(|learning| Learning { condition: condition(), ..learning }))
    });
    read.filter_map(Result::transpose).collect()
}

/// Returns the digest of a book's text.
pub(super) fn digest(book: &Book) -> String {
    sha256(book.text().as_bytes())
}
