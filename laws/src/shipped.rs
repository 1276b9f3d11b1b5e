//! The shipped books, and opening a book by shipped name or path.

use std::path::Path;
use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;

use crate::book::Book;
use crate::diagnostic::BookErrors;
use crate::read::Reading;

/// Name and text of every shipped book, in listing order.
const BOOKS: [(&str, &str); 6] = [
    ("minecraft-hard", include_str!("../books/minecraft-hard.toml")),
    ("saycan-hard", include_str!("../books/saycan-hard.toml")),
    ("saycan-soft", include_str!("../books/saycan-soft.toml")),
    ("inner-monologue", include_str!("../books/inner-monologue.toml")),
    ("safety-chip-demo", include_str!("../books/safety-chip-demo.toml")),
    ("small-model", include_str!("../books/small-model.toml")),
];

/// The names of the shipped books.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    BOOKS.iter().map(|(name, _)| *name)
}

/// Returns the shipped book of this name.
pub fn shipped(name: &str) -> Option<Book> {
    let (name, text) = BOOKS.iter().find(|(shipped, _)| *shipped == name)?;
    // The tests read every shipped book.
    Book::parse(text, name).ok()
}

/// Reads a shipped book by its name, or a file by its path, and keeps the readable laws.
///
/// # Errors
/// A file that cannot be read as text.
pub fn read_named(name_or_path: &str, known: &[Arc<Vocabulary>]) -> Result<Reading, BookErrors> {
    match BOOKS.iter().find(|(shipped, _)| *shipped == name_or_path) {
        Some((name, text)) => Ok(Reading::parse(text, name, known)),
        None => Reading::load(Path::new(name_or_path), known),
    }
}

/// Opens a shipped book by its name, or a file by its path, with its vocabulary: the book's own, or the one it names
/// among `known`. All propositions of its laws are in that vocabulary.
///
/// # Errors
/// All problems of the book.
pub fn open(name_or_path: &str, known: &[Arc<Vocabulary>]) -> Result<(Book, Arc<Vocabulary>), BookErrors> {
    read_named(name_or_path, known)?.into_known()
}
