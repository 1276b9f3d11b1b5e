//! Books of laws in force together: composition, changes during a run, and history.

mod background;
mod changes;
pub mod danger;
pub mod fields;
mod file;
mod hard;
pub mod law_history;
pub mod lexicon;
pub mod named;
pub mod revisions;
pub mod translated;
mod watch;
pub mod watched;

use std::collections::HashSet;
use std::sync::Arc;

pub use background::BackgroundWatch;
pub use changes::{InForce, LawChange, LawUpdate, NewLaws, NotTaken, NotTakenKind, Revised, name_at_revision};
use jiff::Timestamp;
use ltlcrit_laws::{Book, BookErrors, BookVocabulary, Reading};
use ltlcrit_store::{BookRecord, BookRevision, Store, StoreError};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::law::Law;
pub use watch::BookWatch;

/// The [`BookRecord::source`] of books that come with the program.
pub const SHIPPED: &str = "shipped";

/// Returns the adopted laws of several books in order. An id that an earlier book has already gets its book's name as a
/// prefix.
pub fn laws_together<'a>(books: impl IntoIterator<Item = &'a Book>) -> Vec<Law> {
    let mut laws: Vec<Law> = Vec::new();
    let mut taken: HashSet<Arc<str>> = HashSet::new();
    for book in books {
        for mut law in book.laws_in_force() {
            if taken.contains(&law.id) {
                law.id = format!("{}/{}", book.name(), law.id).into();
            }
            taken.insert(law.id.clone());
            laws.push(law);
        }
    }
    laws
}

/// Returns a book that was read over the vocabulary of a world. A book with a vocabulary of its own, which may have other
/// propositions, is read again.
///
/// # Errors
/// All propositions that the world does not have.
pub(crate) fn over_world(book: Book, vocabulary: &Arc<Vocabulary>) -> Result<Book, BookErrors> {
    if matches!(book.vocabulary(), BookVocabulary::Inline(_)) { book.over(vocabulary) } else { Ok(book) }
}

/// The number of laws of these books that wait for review.
pub fn waiting(books: &[BookRecord]) -> usize {
    let entries = |book: &BookRecord| {
        let read = Reading::parse(&book.text, &book.source, &[]).book;
        read.entries().iter().filter(|entry| entry.status.is_waiting()).count()
    };
    books.iter().map(entries).sum()
}

/// Records a revision of a book in the store, unless it is there already, and returns its number.
///
/// # Errors
/// The store cannot be read or written.
pub fn keep_revision(store: &Store, book: &BookRecord, now: Timestamp) -> Result<u64, StoreError> {
    for known in store.book_revisions() {
        let (number, known) = known?;
        if (&known.book.name, known.book.revision, &known.book.text) == (&book.name, book.revision, &book.text) {
            return Ok(number);
        }
    }
    store.add_book_revision(&BookRevision { book: book.clone(), created: now })
}
