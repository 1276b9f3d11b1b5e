//! The revisions of a book that a store knows: those recorded when a book was changed, and those that runs had.

use jiff::Timestamp;
use ltlcrit_laws::{Book, Status};
use ltlcrit_store::{BookRecord, Store, StoreError};
use serde::Serialize;

/// The origin of a stored revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownFrom {
    /// It was recorded when the book was changed.
    Change,
    /// A run had it in force.
    Run(u64),
}

/// A revision of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The book, whole.
    pub book: BookRecord,
    /// When the store first heard of it.
    pub known_since: Timestamp,
    /// From where.
    pub from: KnownFrom,
}

/// All revisions of all books in a store, each once, by name and number; the same number with two texts is there twice,
/// oldest first.
///
/// # Errors
/// A store that cannot be read.
pub fn revisions(store: &Store) -> Result<Vec<Revision>, StoreError> {
    let mut all = Vec::new();
    for change in store.book_revisions() {
        let (_, change) = change?;
        all.push(Revision { book: change.book, known_since: change.created, from: KnownFrom::Change });
    }
    for manifest in store.runs() {
        let manifest = manifest?;
        let from = KnownFrom::Run(manifest.run.0);
        let of_run = manifest.books.into_iter().map(|book| Revision { book, known_since: manifest.created, from });
        all.extend(of_run);
    }
    all.sort_by(|a, b| {
        (&a.book.name, a.book.revision, a.known_since).cmp(&(&b.book.name, b.book.revision, b.known_since))
    });
    let mut revisions: Vec<Revision> = Vec::new();
    for one in all {
        let same = |other: &&Revision| (&other.book.name, other.book.revision) == (&one.book.name, one.book.revision);
        if revisions.iter().rev().take_while(same).all(|other| other.book.text != one.book.text) {
            revisions.push(one);
        }
    }
    Ok(revisions)
}

/// The change of a law in a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum Fate {
    /// It waits for a decision.
    Proposed,
    /// It is in force.
    Adopted,
    /// It is no longer in force.
    Retired {
        /// Why not.
        reason: String,
    },
    /// Its formula or strength is another one.
    Rewritten,
    /// It is gone from the book.
    Removed,
}

/// A law of which something became in a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LawFate {
    /// Its id.
    pub id: String,
    /// The change.
    #[serde(flatten)]
    pub fate: Fate,
}

/// The changes of laws from one revision to the next, in the order of the book; without an earlier one, of all laws.
pub fn fates(before: Option<&Book>, after: &Book) -> Vec<LawFate> {
    let mut fates = Vec::new();
    let mut note = |id: &str, fate| fates.push(LawFate { id: id.to_owned(), fate });
    for entry in after.entries() {
        let old = before.and_then(|book| book.entry(&entry.id));
        if old.is_none_or(|old| old.status != entry.status) {
            note(
                &entry.id,
                match &entry.status {
                    Status::Proposed => Fate::Proposed,
                    Status::Adopted => Fate::Adopted,
                    Status::Retired { reason } => Fate::Retired { reason: reason.clone() },
                },
            );
        }
        if old.is_some_and(|old| (&old.formula, old.strength) != (&entry.formula, entry.strength)) {
            note(&entry.id, Fate::Rewritten);
        }
    }
    let gone = before.into_iter().flat_map(Book::entries).filter(|entry| after.entry(&entry.id).is_none());
    gone.for_each(|entry| note(&entry.id, Fate::Removed));
    fates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(laws: &[(&str, &str, &str)]) -> Book {
        let mut text = "name = \"b\"\nvocabulary = \"v\"\nrevision = 1\n".to_owned();
        for (id, formula, status) in laws {
            text.push_str(&format!(
                "[[law]]\nid = \"{id}\"\nformula = \"{formula}\"\nstrength = \"soft\"\nexplanation = \"e\"\n\
                 provenance = {{ origin = \"hand\" }}\nstatus = {status}\n"
            ));
        }
        Book::parse(&text, "b").unwrap()
    }

    #[test]
    fn what_became_of_laws() {
        let before = book(&[
            ("same", "G p", "\"adopted\""),
            ("waits", "G p", "\"proposed\""),
            ("old", "G p", "\"adopted\""),
            ("gone", "G p", "\"adopted\""),
            ("other", "G p", "\"adopted\""),
        ]);
        let after = book(&[
            ("same", "G p", "\"adopted\""),
            ("waits", "G p", "\"adopted\""),
            ("old", "G p", "\"retired\"\nreason = \"why\""),
            ("other", "G q", "\"adopted\""),
            ("new", "G p", "\"proposed\""),
        ]);
        let found = fates(Some(&before), &after);
        let expected = [
            ("waits", Fate::Adopted),
            ("old", Fate::Retired { reason: "why".to_owned() }),
            ("other", Fate::Rewritten),
            ("new", Fate::Proposed),
            ("gone", Fate::Removed),
        ];
        assert_eq!(found, expected.map(|(id, fate)| LawFate { id: id.to_owned(), fate }));
        assert_eq!(fates(None, &after).len(), 5);
        assert!(fates(Some(&after), &after).is_empty());
    }
}
