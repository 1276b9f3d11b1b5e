//! A new revision of the learned book that no critic proposed.

use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_laws::{Book, BookErrors, Edit, EditError};
use ltlcrit_store::{BookRecord, BookRevision, Store, StoreError};
use ltlcrit_verifier::Vocabulary;
use thiserror::Error;

/// The reason why a book cannot be revised.
#[derive(Debug, Error)]
pub enum ReviseError {
    /// The book cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The changed book cannot be read.
    #[error("the changed book cannot be read: {0}")]
    Book(#[from] BookErrors),
    /// The store cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The edited book as its next revision, over a vocabulary and kept in the store.
///
/// # Errors
/// A book that cannot be read after the change, or a store that cannot be written.
pub(super) fn revise(
    mut edit: Edit,
    vocabulary: &Arc<Vocabulary>,
    store: &Store,
    now: Timestamp,
) -> Result<Book, ReviseError> {
    edit.bump_revision()?;
    let book = edit.finish_over(vocabulary)?;
    let record = BookRecord::of(&book, &book.source().name);
    store.add_book_revision(&BookRevision { book: record, created: now })?;
    Ok(book)
}
