//! Records of the critic: proposals with the gate's rulings, and revisions of books.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::keys::Kind;
use super::{BookRecord, Store, StoreError, numbered};
use crate::{Change, GateRuling};

/// A change to a book that the critic proposed, with the gate's ruling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LawProposal {
    /// The proposed change.
    #[serde(flatten)]
    pub change: Change,
    /// Name and revision of the book it was proposed for.
    pub book: String,
    /// The gate's ruling.
    pub ruling: GateRuling,
    /// The time of the ruling.
    pub created: Timestamp,
}

/// A book after a change by the critic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookRevision {
    /// The book with its full text.
    pub book: BookRecord,
    /// The time of the change.
    pub created: Timestamp,
}

impl Store {
    /// Appends a proposal and returns its number.
    ///
    /// # Errors
    /// A failed write.
    pub fn add_proposal(&self, proposal: &LawProposal) -> Result<u64, StoreError> {
        self.append(self.tree(Kind::Proposals), proposal)
    }

    /// Returns all proposals, oldest first.
    pub fn proposals(&self) -> impl Iterator<Item = Result<(u64, LawProposal), StoreError>> + use<> {
        numbered(self.tree(Kind::Proposals))
    }

    /// Appends a book's revision and returns its number.
    ///
    /// # Errors
    /// A failed write.
    pub fn add_book_revision(&self, revision: &BookRevision) -> Result<u64, StoreError> {
        self.append(self.tree(Kind::BookRevisions), revision)
    }

    /// Returns all revisions of books, oldest first.
    pub fn book_revisions(&self) -> impl Iterator<Item = Result<(u64, BookRevision), StoreError>> + use<> {
        numbered(self.tree(Kind::BookRevisions))
    }
}
