//! The book that is learned, in its file: made if it is not there, and never written over somebody else's change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_critic::store::{BookRecord, BookRevision, Store};
use ltlcrit_laws::file::{self, FileError};
use ltlcrit_laws::{Book, MAX_BOOK, Status, Strength, shipped_names};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::consistency::{Consistency, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;

use crate::cli::{CliError, setup};
use crate::exit::ExitCode;

/// A book with the file it is kept in.
#[derive(Debug)]
pub struct BookFile {
    path: PathBuf,
    /// What is in the file as far as is known; `None` while there is none.
    written: Option<String>,
}

impl BookFile {
    /// Reads the book of a file, or makes its first revision, which is not written yet.
    ///
    /// # Errors
    /// A book that cannot be read, is over another vocabulary, or has the name of one that is in force besides it.
    pub fn open(path: &Path, others: &[Book], vocabulary: &Arc<Vocabulary>) -> Result<(Self, Book), CliError> {
        let shown = path.display().to_string();
        if shipped_names().any(|shipped| shipped == shown) {
            return Err(CliError::input(format!("`{shown}` comes with the program and is not changed")).help(
                "name a file of your own as `--book`; what comes with the program can be in force besides: `--laws`",
            ));
        }
        let (written, book) = if path.symlink_metadata().is_ok() {
            let book = setup::book(&shown, vocabulary)?;
            (Some(book.text().to_owned()), book)
        } else {
            (None, first_revision(path, vocabulary)?)
        };
        if others.iter().any(|other| other.name() == book.name()) {
            return Err(CliError::input(format!(
                "a book named `{}` is in force besides the one to be learned",
                book.name()
            ))
            .help("a book that is learned is in force anyway, and needs a name of its own"));
        }
        Ok((Self { path: path.to_owned(), written }, book))
    }

    /// Where the book is kept.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is no file yet.
    pub fn is_new(&self) -> bool {
        self.written.is_none()
    }

    /// Writes the book, all of it or nothing, unless that is in the file already.
    ///
    /// # Errors
    /// A file that somebody else changed since, or that cannot be written; it is then as it was.
    pub fn save(&mut self, book: &Book) -> Result<(), CliError> {
        let id = book.id();
        let now = match file::read(&self.path, MAX_BOOK) {
            Ok(bytes) => Some(bytes),
            Err(FileError::Missing) => None,
            Err(error) => return Err(self.not_written(&error)),
        };
        if now.as_deref() != self.written.as_deref().map(str::as_bytes) {
            return Err(CliError::new(
                ExitCode::Failure,
                format!("`{}` has changed meanwhile and was left as it is", self.path.display()),
            )
            .help(format!("what was learned, {id}, is kept in the store; begin again from the file as it is now")));
        }
        if self.written.as_deref() != Some(book.text()) {
            book.save(&self.path).map_err(|error| self.not_written(&error.error))?;
            self.written = Some(book.text().to_owned());
        }
        Ok(())
    }

    fn not_written(&self, error: &dyn std::error::Error) -> CliError {
        // The system's own words name the temporary file that was to take the book's place.
        let why = match self.path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
            Some(directory) if !directory.is_dir() => format!("there is no directory `{}`", directory.display()),
            _ => error.to_string(),
        };
        CliError::new(ExitCode::Failure, format!("the book cannot be written to `{}`: {why}", self.path.display()))
            .help("name another file as `--book`, in a directory that exists and can be written")
    }
}

/// A book without laws, named after its file.
fn first_revision(path: &Path, vocabulary: &Arc<Vocabulary>) -> Result<Book, CliError> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let letter = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = stem.chars().map(letter).take(64).collect();
    if name.is_empty() {
        return Err(CliError::input(format!("`{}` is no name for a file", path.display())));
    }
    let text = format!(
        "name = \"{name}\"\ndescription = \"Laws learned from what runs did.\"\nvocabulary = \"{}\"\nrevision = 1\n",
        vocabulary.name()
    );
    let book = Book::parse(&text, &path.display().to_string()).and_then(|book| book.over(vocabulary));
    book.map_err(|errors| CliError::input("no book can be made").detail(errors.to_string()))
}

/// Keeps a revision in the store, unless it is there already.
///
/// # Errors
/// A store that cannot be read or written.
pub fn keep(book: &Book, store: &Store) -> Result<(), CliError> {
    for kept in store.book_revisions() {
        let (_, kept) = kept?;
        if kept.book.name == book.name() && kept.book.text == book.text() {
            return Ok(());
        }
    }
    let book = BookRecord {
        name: book.name().to_owned(),
        revision: book.revision(),
        source: book.source().name.to_string(),
        text: book.text().to_owned(),
    };
    store.add_book_revision(&BookRevision { book, created: Timestamp::now() })?;
    Ok(())
}

/// Nothing can be admitted while laws that no critic changes leave some state no action: better said before than after.
///
/// # Errors
/// Such laws, with the state.
pub fn can_be_added_to(book: &Book, others: &[Book], vocabulary: &Arc<Vocabulary>) -> Result<(), CliError> {
    let fixed = book.entries().iter().filter(|entry| entry.strength == Strength::Hard);
    let fixed = others.iter().flat_map(|other| other.entries()).chain(fixed);
    // What waits for a person may come into force any time.
    let fixed = fixed.filter(|entry| !matches!(entry.status, Status::Retired { .. }));
    let (ids, laws): (Vec<_>, Vec<_>) =
        fixed.filter_map(|entry| Some((entry.id.clone(), recognise_all(&entry.formula, vocabulary).ok()?))).unzip();
    let failed = |error: &dyn std::error::Error| CliError::input(error.to_string());
    let mut system = LawSystem::new(vocabulary, &laws, DEFAULT_BUDGET).map_err(|error| failed(&error))?;
    match system.check().map_err(|error| failed(&error))? {
        Consistency::Consistent => Ok(()),
        Consistency::Undecided => Err(CliError::input(
            "it cannot be proved within the bounds that the laws in force besides the learned ones leave every state an action",
        )),
        Consistency::OverConstrained(conflict) => {
            let laws: Vec<&str> = conflict.laws.iter().filter_map(|law| ids.get(*law)).map(|id| &**id).collect();
            let state = vocabulary.names(&conflict.witness);
            Err(CliError::input("laws that no critic may change leave some state no action: nothing could be admitted")
                .detail(format!("laws   {}", laws.join(", ")))
                .detail(format!("state  {}", if state.is_empty() { "nothing holds".into() } else { state.join(", ") }))
                .help(
                    "`ltlcrit laws check` shows more; the soft laws of a book of your own are resolved by the critic \
                     when that book is the one to be learned (`--book`)",
                ))
        }
    }
}
