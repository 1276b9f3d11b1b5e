//! Derived observations of books, and the vocabulary of several books.

use std::sync::Arc;

use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{Definition, Proposition, Vocabulary};
use thiserror::Error;

use crate::book::Book;
use crate::provenance::Provenance;
use crate::source::Place;

/// An observation that a book derives from the full observation: a `[[proposition]]` table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedEntry {
    /// Its name.
    pub name: Arc<str>,
    /// When it holds.
    pub definition: Definition,
    /// What it means, in one line, if the book says so.
    pub meaning: Option<Arc<str>>,
    /// Where it comes from, if the book says so.
    pub provenance: Option<Provenance>,
    /// Where it begins in the book's text.
    pub place: Place,
    /// Where its definition is written.
    pub definition_place: Place,
}

impl DerivedEntry {
    /// The proposition as vocabularies have it.
    pub fn proposition(&self) -> Proposition {
        Proposition::derived(self.name.clone(), self.definition.clone(), self.meaning.as_deref())
    }
}

/// Why books cannot be in force together.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum JointVocabularyError {
    /// Two books derive a proposition differently.
    #[error("the books `{first}` and `{second}` derive `{name}` differently: as `{one}` and as `{other}`")]
    Clash {
        /// The proposition.
        name: Arc<str>,
        /// The first book's name.
        first: Arc<str>,
        /// Its definition.
        one: String,
        /// The second book's name.
        second: Arc<str>,
        /// Its definition.
        other: String,
    },
    /// They derive too many propositions, or one that the vocabulary has.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
}

/// The vocabulary of books in force together: a common one with what each of them derives.
///
/// # Errors
/// Definitions that contradict each other or the vocabulary, or too many of them.
pub fn joint_vocabulary<'a>(
    vocabulary: &Arc<Vocabulary>,
    books: impl IntoIterator<Item = &'a Book>,
) -> Result<Arc<Vocabulary>, JointVocabularyError> {
    let mut derived: Vec<(&Book, &DerivedEntry)> = Vec::new();
    for book in books {
        for entry in book.derived() {
            match derived.iter().find(|(_, known)| known.name == entry.name) {
                Some((first, known)) if known.definition != entry.definition => {
                    return Err(JointVocabularyError::Clash {
                        name: entry.name.clone(),
                        first: first.name.clone(),
                        one: known.definition.to_string(),
                        second: book.name.clone(),
                        other: entry.definition.to_string(),
                    });
                }
                Some(_) => {}
                None => derived.push((book, entry)),
            }
        }
    }
    Ok(match derived.is_empty() {
        true => vocabulary.clone(),
        false => Arc::new(vocabulary.extended(derived.into_iter().map(|(_, entry)| entry.proposition()))?),
    })
}
