//! Observations that a book derives from the full observation.

use std::sync::Arc;

use ltlcrit_verifier::{Definition, Proposition};

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
