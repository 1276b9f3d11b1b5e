//! The file of the learned book, which never overwrites changes by others.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ltlcrit_files::FileError;
use ltlcrit_laws::{Book, BookErrors, MAX_BOOK, Status, Strength, joint_vocabulary, shipped_names};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::consistency::{Consistency, ConsistencyError, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use thiserror::Error;

use crate::setup::{self, Books, SetupError};

/// The reason why a file cannot hold the learned book.
#[derive(Debug, Error)]
pub enum BookFileError {
    /// The file is a shipped book.
    #[error("`{0}` comes with the program and is not changed")]
    Shipped(String),
    /// The file exists and holds no book for this world.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Another book of that name is in force.
    #[error("a book named `{0}` is in force besides the one to be learned")]
    InForceToo(String),
    /// The path is not a possible name of a book.
    #[error("`{}` is no name for a file", .0.display())]
    NoName(PathBuf),
    /// The first revision cannot be made.
    #[error("no book can be made")]
    NotMade(BookErrors),
    /// Somebody else changed the file since it was read.
    #[error("`{}` has changed meanwhile and was left as it is", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// Name and revision of the book that was not written.
        id: String,
    },
    /// The file cannot be written.
    #[error("the book cannot be written to `{}`: {why}", path.display())]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The consistency of the fixed laws cannot be checked.
    #[error(transparent)]
    Consistency(#[from] ConsistencyError),
    /// The consistency of the fixed laws was not decided within the budget.
    #[error(
        "it cannot be proved within the bounds that the laws in force besides the learned ones leave every state an action"
    )]
    Undecided,
    /// Laws that learning does not change are in conflict.
    #[error("laws that no critic may change leave some state no action: nothing could be admitted")]
    OverConstrained {
        /// Their ids.
        laws: Vec<String>,
        /// The observations that hold in such a state.
        state: Vec<String>,
    },
}

/// A book with its file.
#[derive(Debug)]
pub struct BookFile {
    path: PathBuf,
    /// The last known text of the file; `None` while there is no file.
    written: Option<String>,
}

impl BookFile {
    /// Reads the book of a file, or makes a first revision without writing it. Gives the vocabulary of all books together, too.
    ///
    /// # Errors
    /// A book that cannot be read, is over another vocabulary, has the name of another book in force, or could get no law,
    /// because the laws that no critic changes leave some state no action.
    pub fn open(path: &Path, others: &Books) -> Result<(Self, Book, Arc<Vocabulary>), BookFileError> {
        let shown = path.display().to_string();
        if shipped_names().any(|shipped| shipped == shown) {
            return Err(BookFileError::Shipped(shown));
        }
        let base = Arc::new(others.vocabulary.base());
        let (written, book) = if path.symlink_metadata().is_ok() {
            // The book must load by itself.
            let book = setup::book(&shown, &base)?;
            (Some(book.text().to_owned()), book)
        } else {
            (None, first_revision(path, &others.vocabulary)?)
        };
        if others.books.iter().any(|other| other.name() == book.name()) {
            return Err(BookFileError::InForceToo(book.name().to_owned()));
        }
        let this = Self { path: path.to_owned(), written };
        ltlcrit_files::may_write(path).map_err(|error| this.not_written(&error))?;
        let together = joint_vocabulary(&base, others.books.iter().chain([&book])).map_err(SetupError::Together)?;
        can_be_added_to(&book, &others.books, &together)?;
        Ok((this, book, together))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether there is no file yet.
    pub fn is_new(&self) -> bool {
        self.written.is_none()
    }

    /// Writes the book atomically, unless the file has that text already.
    ///
    /// # Errors
    /// A file that somebody else changed, or that cannot be written; it then stays as it was.
    pub fn save(&mut self, book: &Book) -> Result<(), BookFileError> {
        let id = book.id();
        let now = match ltlcrit_files::read(&self.path, MAX_BOOK) {
            Ok(bytes) => Some(bytes),
            Err(FileError::Missing) => None,
            Err(error) => return Err(self.not_written(&error)),
        };
        if now.as_deref() != self.written.as_deref().map(str::as_bytes) {
            return Err(BookFileError::Changed { path: self.path.clone(), id });
        }
        if self.written.as_deref() != Some(book.text()) {
            book.save(&self.path).map_err(|error| self.not_written(&error.error))?;
            self.written = Some(book.text().to_owned());
        }
        Ok(())
    }

    fn not_written(&self, error: &dyn std::error::Error) -> BookFileError {
        BookFileError::NotWritten { path: self.path.clone(), why: error.to_string() }
    }
}

/// A book without laws, named after its file.
fn first_revision(path: &Path, vocabulary: &Arc<Vocabulary>) -> Result<Book, BookFileError> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let letter = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = stem.chars().map(letter).take(64).collect();
    if name.is_empty() {
        return Err(BookFileError::NoName(path.to_owned()));
    }
    let text = format!(
        "name = \"{name}\"\ndescription = \"Laws learned from what runs did.\"\nvocabulary = \"{}\"\nrevision = 1\n",
        vocabulary.name()
    );
    let book = Book::parse_over(&text, &path.display().to_string(), vocabulary);
    book.map_err(BookFileError::NotMade)
}

/// Returns whether it is proved that the laws in force of books leave every state an action.
pub(super) fn leave_an_action<'a>(books: impl Iterator<Item = &'a Book>, vocabulary: &Arc<Vocabulary>) -> bool {
    let laws = books.flat_map(Book::laws_in_force);
    let guarded: Vec<_> = laws.filter_map(|law| recognise_all(&law.formula, vocabulary).ok()).collect();
    let checked = LawSystem::new(vocabulary, &guarded, DEFAULT_BUDGET).and_then(|mut system| system.check());
    matches!(checked, Ok(Consistency::Consistent))
}

/// Checks that the laws that no critic changes leave every state an action, because otherwise no law could be admitted.
///
/// # Errors
/// Laws that leave a state without an action, with the state.
fn can_be_added_to(book: &Book, others: &[Book], vocabulary: &Arc<Vocabulary>) -> Result<(), BookFileError> {
    let fixed = book.entries().iter().filter(|entry| entry.strength == Strength::Hard);
    let fixed = others.iter().flat_map(|other| other.entries()).chain(fixed);
    // Proposed laws may come into force at any time.
    let fixed = fixed.filter(|entry| !matches!(entry.status, Status::Retired { .. }));
    let (ids, laws): (Vec<_>, Vec<_>) =
        fixed.filter_map(|entry| Some((entry.id.clone(), recognise_all(&entry.formula, vocabulary).ok()?))).unzip();
    let mut system = LawSystem::new(vocabulary, &laws, DEFAULT_BUDGET)?;
    match system.check()? {
        Consistency::Consistent => Ok(()),
        Consistency::Undecided => Err(BookFileError::Undecided),
        Consistency::OverConstrained(conflict) => Err(BookFileError::OverConstrained {
            laws: conflict.laws.iter().filter_map(|law| ids.get(*law)).map(ToString::to_string).collect(),
            state: vocabulary.names(&conflict.witness).into_iter().map(str::to_owned).collect(),
        }),
    }
}
