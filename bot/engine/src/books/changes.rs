//! Changes of laws during a run.

use std::collections::HashMap;

use ltlcrit_store::{BookRecord, LawId, LawRecord, RunManifest, StepRecord};
use ltlcrit_verifier::law::Law;
use serde::Serialize;

/// A source of new laws, asked between two steps.
pub trait NewLaws {
    /// Returns the changes before this step.
    fn before(&mut self, step: u64) -> LawUpdate;
}

/// Replaces laws without a book.
impl<F: FnMut(u64) -> Option<Vec<Law>>> NewLaws for F {
    fn before(&mut self, step: u64) -> LawUpdate {
        LawUpdate { laws: self(step), ..LawUpdate::default() }
    }
}

/// Changes between two steps.
#[derive(Debug, Default)]
pub struct LawUpdate {
    /// All laws in force from now on; `None` if nothing changed.
    pub laws: Option<Vec<Law>>,
    /// The books that came in a new revision.
    pub books: Vec<BookRecord>,
    /// Changed books that were not taken.
    pub not_taken: Vec<NotTaken>,
}

impl LawUpdate {
    /// Returns whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.laws.is_none() && self.not_taken.is_empty()
    }

    /// Adds a later update. If a book came in several revisions, the last one counts.
    pub fn merge(&mut self, later: Self) {
        self.laws = later.laws.or(self.laws.take());
        self.books.retain(|book| later.books.iter().all(|new| new.name != book.name));
        self.books.extend(later.books);
        self.not_taken.extend(later.not_taken);
    }
}

/// The reason why a changed book is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotTakenKind {
    /// It does not load.
    Unreadable,
    /// It is another book.
    OtherBook,
    /// Its revision did not increase.
    RevisionNotRisen,
    /// With it, the hard laws would leave no action in some state, or would let no run continue. Without it, they do
    /// not.
    HardConflict,
    /// The budget did not suffice to decide whether the hard laws would leave an action.
    Undecided,
}

/// A changed book that was not taken: the laws in force stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotTaken {
    /// Name and revision of the book that stays in force.
    pub book: String,
    /// The file.
    pub source: String,
    /// The line and column of the problem, from 1, if it has a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<(usize, usize)>,
    /// The kind of the reason.
    pub kind: NotTakenKind,
    /// The reason, in one sentence without a full stop.
    pub reason: String,
    /// Advice on the correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The number of further problems.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde calls it.
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A book in another revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revised {
    /// Name and revision before; `None` for a book that was not in force.
    pub from: Option<String>,
    /// Name and revision now.
    pub to: String,
}

/// Changes of the laws in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LawChange {
    /// The first step the laws hold for.
    pub step: u64,
    /// The books that changed their revision; empty if the laws came without a book.
    pub books: Vec<Revised>,
    /// Laws that were not in force before.
    pub added: Vec<LawId>,
    /// Laws that are no longer in force.
    pub retired: Vec<LawId>,
    /// Laws with another formula or another strength than before.
    pub changed: Vec<LawId>,
    /// The number of laws in force now.
    pub laws: usize,
}

/// The books and laws in force at some step of a run, according to its records.
#[derive(Clone, Debug)]
pub struct InForce {
    /// The books, in order.
    pub books: Vec<BookRecord>,
    /// The laws, in the shield's order.
    pub laws: Vec<LawRecord>,
}

impl InForce {
    /// Returns the books and laws in force when the run began.
    pub fn at_start(manifest: &RunManifest) -> Self {
        Self { books: manifest.books.clone(), laws: manifest.laws.clone() }
    }

    /// Applies the law changes of a stored step and returns them.
    pub fn apply(&mut self, record: &StepRecord) -> Option<LawChange> {
        let laws = record.new_laws.as_ref()?;
        Some(self.replace(record.step, laws.clone(), &record.new_books))
    }

    /// Puts other laws in force.
    pub fn replace(&mut self, step: u64, laws: Vec<LawRecord>, books: &[BookRecord]) -> LawChange {
        let before: HashMap<&LawId, &LawRecord> = self.laws.iter().map(|law| (&law.id, law)).collect();
        let after: HashMap<&LawId, &LawRecord> = laws.iter().map(|law| (&law.id, law)).collect();
        let ids = |laws: &[LawRecord], which: &dyn Fn(&LawRecord) -> bool| -> Vec<LawId> {
            laws.iter().filter(|law| which(law)).map(|law| law.id.clone()).collect()
        };
        let differs = |law: &LawRecord| {
            before.get(&law.id).is_some_and(|old| (&old.formula, old.hard) != (&law.formula, law.hard))
        };
        let mut change = LawChange {
            step,
            books: Vec::new(),
            added: ids(&laws, &|law| !before.contains_key(&law.id)),
            retired: ids(&self.laws, &|law| !after.contains_key(&law.id)),
            changed: ids(&laws, &differs),
            laws: laws.len(),
        };
        for book in books {
            let to = name_at_revision(book);
            let old = self.books.iter_mut().find(|old| old.name == book.name);
            change.books.push(Revised { from: old.as_deref().map(name_at_revision), to });
            match old {
                Some(old) => old.clone_from(book),
                None => self.books.push(book.clone()),
            }
        }
        self.laws = laws;
        change
    }
}

/// Formats a book's name and revision: `learned@3`.
pub fn name_at_revision(book: &BookRecord) -> String {
    format!("{}@{}", book.name, book.revision)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(id: &str, formula: &str, hard: bool) -> LawRecord {
        LawRecord { id: id.into(), formula: formula.to_owned(), hard, explanation: "e".into(), weight: 0 }
    }

    fn book(name: &str, revision: u64) -> BookRecord {
        BookRecord { name: name.to_owned(), revision, source: format!("{name}.toml"), text: String::new() }
    }

    #[test]
    fn what_changed_is_told_by_id() {
        let mut in_force = InForce {
            books: vec![book("hard", 1), book("learned", 1)],
            laws: vec![law("a", "p", true), law("b", "q", false), law("c", "r", false), law("d", "s", false)],
        };
        let laws = vec![law("a", "p", false), law("c", "r", false), law("d", "t", false), law("e", "u", false)];
        let change = in_force.replace(7, laws.clone(), &[book("learned", 3)]);
        let ids = |ids: &[&str]| -> Vec<LawId> { ids.iter().map(|id| LawId::from(*id)).collect() };
        assert_eq!(
            change,
            LawChange {
                step: 7,
                books: vec![Revised { from: Some("learned@1".to_owned()), to: "learned@3".to_owned() }],
                added: ids(&["e"]),
                retired: ids(&["b"]),
                changed: ids(&["a", "d"]),
                laws: 4,
            }
        );
        assert_eq!(in_force.books, [book("hard", 1), book("learned", 3)]);
        let same = in_force.replace(8, laws, &[]);
        assert_eq!((same.added.len(), same.retired.len(), same.changed.len(), same.books.len()), (0, 0, 0, 0));
    }
}
