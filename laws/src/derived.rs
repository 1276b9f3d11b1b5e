//! Observations that a book derives from the full observation.

use std::sync::Arc;

use ltlcrit_verifier::{Definition, Proposition};
use serde::Serialize;

use crate::provenance::Provenance;
use crate::source::{Place, line};

/// An observation that a book derives from the full observation: a `[[proposition]]` table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DerivedEntry {
    /// Its name.
    pub name: Arc<str>,
    /// The condition under which it holds.
    pub definition: Definition,
    /// Its meaning in one line, if the book states it.
    pub meaning: Option<Arc<str>>,
    /// Its origin, if the book states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// The start of its table in the book's text.
    #[serde(rename = "line", serialize_with = "line")]
    pub place: Place,
    /// The place of its definition in the book's text.
    #[serde(skip)]
    pub definition_place: Place,
}

impl DerivedEntry {
    /// Returns the observation as a proposition of a vocabulary.
    pub fn proposition(&self) -> Proposition {
        Proposition::derived(self.name.clone(), self.definition.clone(), self.meaning.as_deref())
    }
}
