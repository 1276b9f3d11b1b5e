//! The vocabulary of books in force together.

use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::vocabulary::VocabularyError;
use thiserror::Error;

use crate::book::Book;
use crate::derived::DerivedEntry;

/// The reason why books cannot be in force together.
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

/// Returns the vocabulary of books in force together: a common one with the derived observations of each book.
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
