//! Law books watched while a run goes on: a file whose revision rose is in force from the next step on.
//!
//! A book is judged within a budget of work, which is counted and not timed. A world whose time stands still between two
//! steps waits for that: the same files give the same run. For any other, [`BackgroundWatch`](super::BackgroundWatch)
//! judges on a thread of its own, and a revision is in force from the first step that begins after it was judged.
//!
//! Nothing is lost by a bad file. One that does not load, is another book, whose revision did not rise, or whose hard laws
//! would leave nothing to do, or could not be judged within the budget, leaves in force what was in force, and that is said once for each content the file has.

use std::sync::Arc;

use ltlcrit_laws::{Book, BookErrors, Reading};
use ltlcrit_store::BookRecord;
use ltlcrit_verifier::consistency::DEFAULT_WORK;
use ltlcrit_verifier::law::Law;
use ltlcrit_verifier::{Shield, ShieldOptions, Vocabulary};

use super::changes::{LawNews, NewLaws, NotTaken, NotTakenKind};
use super::file::Watched;
use super::hard::{Trouble, Undecided, trouble};
use super::{SHIPPED, laws_together, record};

/// The books in force in a run, with their files.
#[derive(Debug)]
pub struct BookWatch {
    vocabulary: Arc<Vocabulary>,
    books: Vec<InForce>,
    /// The budget of one question about a revision.
    work: u64,
}

#[derive(Debug)]
struct InForce {
    book: Book,
    source: String,
    /// None for a book that comes with the program, or from what is no file.
    file: Option<Watched>,
}

impl BookWatch {
    /// Watches the files of the books in force, given as a run's manifest or its last change of laws keeps them.
    ///
    /// # Errors
    /// A stored book that cannot be read over the vocabulary.
    pub fn new(records: &[BookRecord], vocabulary: &Arc<Vocabulary>) -> Result<Self, BookErrors> {
        let in_force = |record: &BookRecord| {
            let known = std::slice::from_ref(vocabulary);
            let book = Reading::parse(&record.text, &record.source, known).into_book()?.over(vocabulary)?;
            // What is no file, such as a shell's `<(command)`, is read once.
            let may_change = record.source != SHIPPED
                && std::fs::metadata(&record.source).map_or(true, |metadata| metadata.is_file());
            let file = may_change.then(|| Watched::new(&record.source, &record.text));
            Ok(InForce { book, source: record.source.clone(), file })
        };
        let books = records.iter().map(in_force).collect::<Result<_, _>>()?;
        Ok(Self { vocabulary: vocabulary.clone(), books, work: DEFAULT_WORK })
    }

    /// The same with another budget for each question about a revision.
    #[must_use]
    pub fn within(self, work: u64) -> Self {
        Self { work, ..self }
    }

    /// The laws in force.
    pub fn laws(&self) -> Vec<Law> {
        laws_together(self.books.iter().map(|one| &one.book))
    }

    /// Judges what was found in the file of a book; `None` where it is what is in force.
    fn judge(&self, position: usize, found: Result<Vec<u8>, String>) -> Result<Option<Book>, Box<NotTaken>> {
        let InForce { book: old, source, .. } = &self.books[position];
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
        if its != ours {
            let reason = format!("it is now over the vocabulary `{its}`, this world has `{ours}`");
            return Err(refuse(NotTakenKind::Unreadable, reason));
        }
        let new = new.over(&self.vocabulary).map_err(wrong)?;
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
        // Whatever the shield refuses, it refuses here and not in the middle of a step.
        if let Err(error) = Shield::new(self.vocabulary.clone(), laws.clone(), ShieldOptions::default()) {
            return Err(refuse(NotTakenKind::Unreadable, error.to_string()));
        }
        let found = match trouble(&laws, &self.vocabulary, self.work) {
            Ok(None) => return Ok(Some(new)),
            Ok(Some(found)) => found,
            Err(Undecided) => {
                let reason = "whether the hard laws would leave an action was not decided within the budget".to_owned();
                let help = Some("simplify its hard laws: what cannot be decided is not relied on".to_owned());
                return Err(Box::new(NotTaken { help, ..*refuse(NotTakenKind::Undecided, reason) }));
            }
        };
        if let Ok(Some(_)) = trouble(&together(old), &self.vocabulary, self.work) {
            return Ok(Some(new));
        }
        let prefix = format!("{}/", new.name());
        let own = found.laws.iter().find_map(|id| new.entry(id.strip_prefix(&*prefix).unwrap_or(id)));
        let place = own.map(|entry| (entry.formula_place.line, entry.formula_place.column));
        Err(Box::new(NotTaken { place, ..*refuse(NotTakenKind::HardConflict, nothing_left(&found)) }))
    }

    /// The changes since the last look; calls `judging` with every changed file before it is judged.
    pub(super) fn look(&mut self, judging: &mut dyn FnMut(&str)) -> LawNews {
        let mut news = LawNews::default();
        for position in 0..self.books.len() {
            let Some(found) = self.books[position].file.as_mut().and_then(Watched::look) else { continue };
            judging(&self.books[position].source);
            match self.judge(position, found) {
                Ok(None) => {}
                Ok(Some(book)) => {
                    let one = &mut self.books[position];
                    news.books.push(record(&book, &one.source));
                    one.book = book;
                    news.laws = Some(self.laws());
                }
                Err(not_taken) => news.not_taken.push(*not_taken),
            }
        }
        news
    }

    /// The books in force with one of them in another revision.
    fn with<'a>(&'a self, position: usize, other: &'a Book) -> impl Iterator<Item = &'a Book> {
        self.books.iter().enumerate().map(move |(at, one)| if at == position { other } else { &one.book })
    }
}

fn nothing_left(trouble: &Trouble) -> String {
    let laws = trouble.laws.iter().map(|law| format!("`{law}`")).collect::<Vec<_>>().join(", ");
    let its = if trouble.laws.len() == 1 { "the hard law" } else { "together the hard laws" };
    let leave = if trouble.laws.len() == 1 { "leaves" } else { "leave" };
    match &trouble.state {
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
    fn before(&mut self, _: u64) -> LawNews {
        self.look(&mut |_| {})
    }
}

#[cfg(test)]
mod tests;
