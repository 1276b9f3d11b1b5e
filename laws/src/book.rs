//! A book: laws with their reasons, origins and fates, over one vocabulary.

use std::sync::Arc;

use ltlcrit_verifier::law::{Law, Strength};
use ltlcrit_verifier::{Formula, Vocabulary};

use crate::provenance::{Provenance, Status};
use crate::source::{Place, Source};

/// The longest book that is read, in bytes.
pub const MAX_BOOK: u64 = 8 * 1024 * 1024;

/// One law of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Unique in the book: letters, digits, `-`, `_` and `.`.
    pub id: Arc<str>,
    /// What runs must satisfy.
    pub formula: Formula,
    /// The formula as the book writes it.
    pub formula_text: Arc<str>,
    /// Whether it protects or saves steps.
    pub strength: Strength,
    /// Why, in English.
    pub explanation: Arc<str>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// What became of it.
    pub status: Status,
    /// What a reader must know: a correction, a reconstruction.
    pub note: Option<String>,
    /// Where the law begins in the book's text.
    pub place: Place,
    /// Where its formula is written.
    pub formula_place: Place,
}

impl Entry {
    /// The law as the shield takes it.
    pub fn law(&self) -> Law {
        Law {
            id: self.id.clone(),
            formula: self.formula.clone(),
            strength: self.strength,
            explanation: self.explanation.clone(),
        }
    }

    /// Whether the law is in force.
    pub fn in_force(&self) -> bool {
        self.status == Status::Adopted
    }
}

/// Which vocabulary a book speaks.
#[derive(Clone, Debug)]
pub enum BookVocabulary {
    /// One known by name to whoever reads the book, such as `minecraft`.
    Named(Arc<str>),
    /// One the book defines itself.
    Inline(Arc<Vocabulary>),
}

impl BookVocabulary {
    /// The vocabulary's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Inline(vocabulary) => vocabulary.name(),
        }
    }
}

/// A book of laws, as read from its text.
#[derive(Clone, Debug)]
pub struct Book {
    pub(crate) name: Arc<str>,
    pub(crate) description: Option<String>,
    pub(crate) revision: u64,
    pub(crate) vocabulary: BookVocabulary,
    pub(crate) entries: Vec<Entry>,
    pub(crate) source: Source,
}

impl Book {
    /// The vocabulary a book speaks: its own, or the one of that name among `known`.
    ///
    /// # Errors
    /// The name, if none has it.
    pub fn resolve(&self, known: &[Arc<Vocabulary>]) -> Result<Arc<Vocabulary>, String> {
        match &self.vocabulary {
            BookVocabulary::Inline(vocabulary) => Ok(vocabulary.clone()),
            BookVocabulary::Named(name) => {
                known.iter().find(|one| one.name() == &**name).cloned().ok_or_else(|| name.to_string())
            }
        }
    }

    /// The book's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name and revision, such as `minecraft-hard@3`: what a run's manifest keeps.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, self.revision)
    }

    /// What the book is for, in a sentence or two.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The revision, counting up with every change that a run may see.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The vocabulary the book speaks.
    pub fn vocabulary(&self) -> &BookVocabulary {
        &self.vocabulary
    }

    /// All laws, in the book's order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The law with this id.
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| &*entry.id == id)
    }

    /// The adopted laws, in the book's order.
    pub fn laws_in_force(&self) -> Vec<Law> {
        self.entries.iter().filter(|entry| entry.in_force()).map(Entry::law).collect()
    }

    /// The book's text, exactly as read.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The book's text with the name errors call it by.
    pub fn source(&self) -> &Source {
        &self.source
    }
}
