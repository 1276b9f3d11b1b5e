//! The revisions of books in a store: those recorded with a change, and those that runs used.

use jiff::Timestamp;
use ltlcrit_laws::{Book, Status};
use ltlcrit_store::{BookRecord, LawId, Store, StoreError};
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
    /// The whole book.
    pub book: BookRecord,
    /// The time of its first record in the store.
    pub known_since: Timestamp,
    /// The origin of that record.
    pub from: KnownFrom,
}

/// Returns all revisions of all books in a store, each once, sorted by name and number. A number with two texts is
/// listed twice, oldest first.
///
/// # Errors
/// The store cannot be read.
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

/// The change of a law by a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "what")]
pub enum StatusChange {
    /// It now waits for a decision.
    Proposed,
    /// It is on trial.
    OnTrial {
        /// The reason why it was not adopted at once.
        reason: String,
    },
    /// It came into force.
    Adopted,
    /// It is no longer in force.
    Retired {
        /// The reason.
        reason: String,
    },
    /// Its formula or strength changed.
    Rewritten,
    /// It is not in the book any more.
    Removed,
}

/// A law that a revision changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LawStatusChange {
    /// Its id.
    pub id: String,
    /// The change.
    #[serde(flatten)]
    pub what: StatusChange,
}

/// Returns the changes of laws from one revision to the next, in the order of the book. Without an earlier revision,
/// all laws count as changed.
pub fn status_changes(before: Option<&Book>, after: &Book) -> Vec<LawStatusChange> {
    let mut changes = Vec::new();
    let mut note = |id: &str, what| changes.push(LawStatusChange { id: id.to_owned(), what });
    let in_book = |book: &Book, id: &LawId| book.written().any(|(entry, _)| entry.id == *id);
    for (entry, _) in after.written() {
        let old = before.and_then(|book| book.written().map(|(old, _)| old).find(|old| old.id == entry.id));
        if old.is_none_or(|old| old.status != entry.status) {
            note(
                &entry.id,
                match &entry.status {
                    Status::Proposed => StatusChange::Proposed,
                    Status::OnTrial { reason } => StatusChange::OnTrial { reason: reason.clone() },
                    Status::Adopted => StatusChange::Adopted,
                    Status::Retired { reason } => StatusChange::Retired { reason: reason.clone() },
                },
            );
        }
        if old.is_some_and(|old| (&old.formula, old.strength) != (&entry.formula, entry.strength)) {
            note(&entry.id, StatusChange::Rewritten);
        }
    }
    let gone = before.into_iter().flat_map(Book::written).filter(|(entry, _)| !in_book(after, &entry.id));
    gone.for_each(|(entry, _)| note(&entry.id, StatusChange::Removed));
    changes
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
    fn changes_of_laws_are_found() {
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
        let found = status_changes(Some(&before), &after);
        let expected = [
            ("waits", StatusChange::Adopted),
            ("old", StatusChange::Retired { reason: "why".to_owned() }),
            ("other", StatusChange::Rewritten),
            ("new", StatusChange::Proposed),
            ("gone", StatusChange::Removed),
        ];
        assert_eq!(found, expected.map(|(id, what)| LawStatusChange { id: id.to_owned(), what }));
        assert_eq!(status_changes(None, &after).len(), 5);
        assert!(status_changes(Some(&after), &after).is_empty());
    }
}
