//! Books of laws in force together: composed for a run, and watched while it goes on.

mod file;
mod hard;
mod watch;

use std::collections::HashSet;
use std::sync::Arc;

use ltlcrit_critic::store::BookRecord;
use ltlcrit_laws::Book;
use ltlcrit_verifier::law::Law;
pub use watch::BookWatch;

/// What [`BookRecord::source`] says of books that come with the program.
pub const SHIPPED: &str = "shipped";

/// The laws of books in force together: the adopted ones, in order. Two books may number their laws alike: the id of a
/// law that is taken already gets its book's name before it.
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

/// A book as manifests keep it.
pub fn record(book: &Book, source: &str) -> BookRecord {
    BookRecord {
        name: book.name().to_owned(),
        revision: book.revision(),
        source: source.to_owned(),
        text: book.text().to_owned(),
    }
}
