//! Books under check: their summaries, shared ids, and their common vocabulary.

use std::collections::HashMap;
use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::law::Strength;

use super::options::CheckOptions;
use super::report::{BookSummary, Report};
use crate::book::{Book, Entry};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::provenance::Status;
use crate::read::Reading;

pub(super) fn summary(reading: &Reading) -> BookSummary {
    let book = &reading.book;
    let count = |wanted: &dyn Fn(&Entry) -> bool| book.entries().iter().filter(|entry| wanted(entry)).count();
    BookSummary {
        name: book.name().to_owned(),
        source: book.source().name.to_string(),
        revision: book.revision(),
        vocabulary: book.vocabulary().name().to_owned(),
        laws: book.entries().len(),
        hard: count(&|entry| entry.in_force() && entry.strength == Strength::Hard),
        soft: count(&|entry| entry.in_force() && entry.strength == Strength::Soft),
        proposed: count(&|entry| entry.status == Status::Proposed),
        retired: count(&|entry| matches!(entry.status, Status::Retired { .. })),
        unreadable: reading.written.saturating_sub(book.entries().len()),
    }
}

/// Reports laws of several books that share an id; in force together, the later law's id gets its book's name.
pub(super) fn report_duplicates(readings: &[Reading], options: &CheckOptions, report: &mut Report) {
    let mut seen: HashMap<&str, &Book> = HashMap::new();
    for reading in readings {
        for entry in reading.book.entries().iter().filter(|e| e.in_force() || options.proposed) {
            match seen.get(&*entry.id) {
                Some(first) if first.source() != reading.book.source() => {
                    let message = format!("the id `{}` is also in the book `{}`", entry.id, first.source().name);
                    let law = Some(entry.id.to_string());
                    report.findings.push(
                        Diagnostic { law, ..Diagnostic::new(Severity::Note, Code::Book, message) }
                            .at(reading.book.source(), entry.place.clone())
                            .help(format!("in force together, it is called `{}/{}`", reading.book.name(), entry.id)),
                    );
                }
                // A text that is listed twice would only repeat everything.
                Some(_) => {}
                None => {
                    seen.insert(&entry.id, &reading.book);
                }
            }
        }
    }
}

/// The common vocabulary of all books; `None` if they differ or one is unknown, which the report then says.
pub(super) fn common_vocabulary(readings: &[Reading], report: &mut Report) -> Option<Arc<Vocabulary>> {
    let mut common: Option<(&Reading, &Arc<Vocabulary>)> = None;
    for reading in readings {
        let Some(vocabulary) = &reading.vocabulary else {
            if reading.diagnostics.is_empty() {
                let name = reading.book.vocabulary().name();
                let message = format!("the vocabulary `{name}` is not known here");
                report.findings.push(Diagnostic::error(Code::Vocabulary, message));
            }
            return None;
        };
        match common {
            None => common = Some((reading, vocabulary)),
            Some((first, one)) if !same(one, vocabulary) => {
                let message = format!(
                    "the books `{}` and `{}` speak different vocabularies, `{}` and `{}`: they cannot be in force together",
                    first.book.name(),
                    reading.book.name(),
                    one.name(),
                    vocabulary.name()
                );
                report.findings.push(Diagnostic::error(Code::Vocabulary, message));
                return None;
            }
            Some(_) => {}
        }
    }
    common.map(|(_, vocabulary)| vocabulary.clone())
}

fn same(a: &Arc<Vocabulary>, b: &Arc<Vocabulary>) -> bool {
    Arc::ptr_eq(a, b)
        || (a.name() == b.name()
            && a.observations() == b.observations()
            && a.actions() == b.actions()
            && a.axioms() == b.axioms())
}
