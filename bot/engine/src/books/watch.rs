//! Watches law books during a run: a file with a higher revision is in force from the next step on.
//!
//! A book is judged within a budget of work units, not of time. A world whose time stands still between two steps waits
//! for the judgement, so the same files give the same run. For any other world,
//! [`BackgroundWatch`](super::BackgroundWatch) judges on a thread, and a revision is in force from the first step after
//! its judgement.
//!
//! A bad file changes nothing: the laws in force stay. The reason is reported once for each content of the file. A file
//! is bad if
//! * it does not load,
//! * it holds another book,
//! * its revision did not increase,
//! * its hard laws would leave nothing to do,
//! * or it cannot be judged within the budget.
use std::sync::Arc;

use ltlcrit_laws::{Book, BookErrors, Reading};
use ltlcrit_store::BookRecord;
use ltlcrit_verifier::consistency::DEFAULT_WORK;
use ltlcrit_verifier::law::Law;
use ltlcrit_verifier::{Shield, ShieldOptions, Vocabulary};

use super::changes::{LawUpdate, NewLaws, NotTaken, NotTakenKind};
use super::file::Watched;
use super::hard::{HardConflict, Undecided, hard_conflict};
use super::{SHIPPED, laws_together, over_world};

/// The books in force in a run, with their files.
#[derive(Debug)]
pub struct BookWatch {
    vocabulary: Arc<Vocabulary>,
    books: Vec<WatchedBook>,
    /// The budget of one question about a revision, in units of work.
    work: u64,
}

#[derive(Debug)]
struct WatchedBook {
    book: Book,
    source: String,
    /// `None` for a shipped book, or one that was not read from a regular file.
    file: Option<Watched>,
}

impl BookWatch {
    /// Watches the files of the books in force, given by the records of a run's manifest or of its last change of laws.
    ///
    /// # Errors
    /// A stored book cannot be read over the vocabulary.
    pub fn new(records: &[BookRecord], vocabulary: &Arc<Vocabulary>) -> Result<Self, BookErrors> {
        let in_force = |record: &BookRecord| {
            let book = Book::parse_over(&record.text, &record.source, vocabulary)?;
            // A source that is not a file, such as a shell's `<(command)`, is read once.
            let may_change = record.source != SHIPPED
                && std::fs::metadata(&record.source).map_or(true, |metadata| metadata.is_file());
            let file = may_change.then(|| Watched::new(&record.source, &record.text));
            Ok(WatchedBook { book, source: record.source.clone(), file })
        };
        let books = records.iter().map(in_force).collect::<Result<_, _>>()?;
        Ok(Self { vocabulary: vocabulary.clone(), books, work: DEFAULT_WORK })
    }

    /// Sets another budget for each question about a revision.
    #[must_use]
    pub fn within(self, work: u64) -> Self {
        Self { work, ..self }
    }

    /// The laws in force.
    pub fn laws(&self) -> Vec<Law> {
        laws_together(self.books.iter().map(|one| &one.book))
    }

    /// Judges the content found in a book's file. Returns `None` if that content is in force already.
    fn judge(&self, position: usize, found: Result<Vec<u8>, String>) -> Result<Option<Book>, Box<NotTaken>> {
        let WatchedBook { book: old, source, .. } = &self.books[position];
        let refuse = |kind, reason: String| {
            let (book, source) = (old.id(), source.clone());
            Box::new(NotTaken { book, source, place: None, kind, reason, help: None, more: 0 })
        };
        let bytes = found.map_err(|reason| refuse(NotTakenKind::Unreadable, reason))?;
        if bytes == old.text().as_bytes() {
            return Ok(None);
        }
        let wrong = |errors: BookErrors| {
            let mut diagnostics = errors.diagnostics.into_iter();
            let Some(first) = diagnostics.next() else {
                return refuse(NotTakenKind::Unreadable, "it cannot be read".to_owned());
            };
            Box::new(NotTaken {
                place: first.place.map(|place| (place.line, place.column)),
                help: first.help,
                more: diagnostics.count() + errors.more,
                ..*refuse(NotTakenKind::Unreadable, first.message)
            })
        };
        let known = std::slice::from_ref(&self.vocabulary);
        let new = Reading::from_bytes(bytes, source, known).and_then(Reading::into_book).map_err(wrong)?;
        if new.name() != old.name() {
            let reason = format!("it is now another book, `{}`", new.name());
            return Err(refuse(NotTakenKind::OtherBook, reason));
        }
        let (its, ours) = (new.vocabulary().name(), self.vocabulary.name());
        if !self.vocabulary.is_called(its) {
            let reason = format!("it is now over the vocabulary `{its}`, this world has `{ours}`");
            return Err(refuse(NotTakenKind::Unreadable, reason));
        }
        if let Some(entry) = new.derived().iter().find(|entry| self.vocabulary.id(&entry.name).is_none()) {
            let reason = format!("it derives `{}`, and what a run observes is fixed when it begins", entry.name);
            let place = Some((entry.place.line, entry.place.column));
            let help = Some("begin another run with it".to_owned());
            return Err(Box::new(NotTaken { place, help, ..*refuse(NotTakenKind::Unreadable, reason) }));
        }
        let new = over_world(new, &self.vocabulary).map_err(wrong)?;
        if new.revision() <= old.revision() {
            let reason = match new.revision() == old.revision() {
                true => format!("it has changed, but its revision is still {}", new.revision()),
                false => format!("its revision went back to {}", new.revision()),
            };
            let help = Some(format!("`revision = {}` puts it in force", old.revision().saturating_add(1)));
            return Err(Box::new(NotTaken { help, ..*refuse(NotTakenKind::RevisionNotRisen, reason) }));
        }
        let together = |book| laws_together(self.with(position, book));
        let laws = together(&new);
        // The shield must reject a bad book here, not in the middle of a step.
        if let Err(error) = Shield::new(self.vocabulary.clone(), laws.clone(), ShieldOptions::default()) {
            return Err(refuse(NotTakenKind::Unreadable, error.to_string()));
        }
        let found = match hard_conflict(&laws, &self.vocabulary, self.work) {
            Ok(None) => return Ok(Some(new)),
            Ok(Some(found)) => found,
            Err(Undecided) => {
                let reason = "whether the hard laws would leave an action was not decided within the budget".to_owned();
                let help = Some("simplify its hard laws: what cannot be decided is not relied on".to_owned());
                return Err(Box::new(NotTaken { help, ..*refuse(NotTakenKind::Undecided, reason) }));
            }
        };
        if let Ok(Some(_)) = hard_conflict(&together(old), &self.vocabulary, self.work) {
            return Ok(Some(new));
        }
        let prefix = format!("{}/", new.name());
        let own = found.laws.iter().find_map(|id| new.entry(id.strip_prefix(&*prefix).unwrap_or(id)));
        let place = own.map(|entry| (entry.formula_place.line, entry.formula_place.column));
        Err(Box::new(NotTaken { place, ..*refuse(NotTakenKind::HardConflict, nothing_left(&found)) }))
    }

    /// Returns the changes since the last look.
    pub(super) fn look(&mut self) -> LawUpdate {
        let mut update = LawUpdate::default();
        for position in 0..self.books.len() {
            let Some(found) = self.books[position].file.as_mut().and_then(Watched::look) else { continue };
            match self.judge(position, found) {
                Ok(None) => {}
                Ok(Some(book)) => {
                    let one = &mut self.books[position];
                    update.books.push(BookRecord::of(&book, &one.source));
                    one.book = book;
                    update.laws = Some(self.laws());
                }
                Err(not_taken) => update.not_taken.push(*not_taken),
            }
        }
        update
    }

    /// The books in force, with one of them replaced by another revision.
    fn with<'a>(&'a self, position: usize, other: &'a Book) -> impl Iterator<Item = &'a Book> {
        self.books.iter().enumerate().map(move |(at, one)| if at == position { other } else { &one.book })
    }
}

fn nothing_left(conflict: &HardConflict) -> String {
    let laws = conflict.laws.iter().map(|law| format!("`{law}`")).collect::<Vec<_>>().join(", ");
    let its = if conflict.laws.len() == 1 { "the hard law" } else { "together the hard laws" };
    let leave = if conflict.laws.len() == 1 { "leaves" } else { "leave" };
    match &conflict.state {
        None => format!("{its} {laws} {leave} no action but stopping from the first step on"),
        Some(state) if state.is_empty() => {
            format!("{its} {laws} {leave} no action but stopping where no observation holds")
        }
        Some(state) => {
            let hold = if state.len() == 1 { "holds" } else { "hold" };
            format!("{its} {laws} {leave} no action but stopping where {} {hold}", state.join(", "))
        }
    }
}

impl NewLaws for BookWatch {
    fn before(&mut self, _: u64) -> LawUpdate {
        self.look()
    }
}

#[cfg(test)]
mod tests;
