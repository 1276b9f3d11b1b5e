//! Summarises the books under check, reports shared ids, and joins their vocabularies.

use std::collections::HashMap;
use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::vocabulary::VocabularyError;

use super::options::CheckOptions;
use super::report::{BookSummary, InstanceSummary, Report, TemplateSummary};
use crate::book::{Book, Entry, Template};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::joint_vocabulary::{JointVocabularyError, joint_vocabulary};
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
        proposed: count(&|entry| entry.status.is_waiting()),
        retired: count(&|entry| matches!(entry.status, Status::Retired { .. })),
        unreadable: reading.unreadable,
        templates: book.templates().iter().map(|template| instances(book, template)).collect(),
    }
}

fn instances(book: &Book, template: &Template) -> TemplateSummary {
    let own = |entry: &&Entry| entry.template.as_ref() == Some(&template.law.id);
    let summary = |entry: &Entry| InstanceSummary { id: entry.id.to_string(), formula: entry.formula_text.to_string() };
    TemplateSummary {
        id: template.law.id.to_string(),
        formula: template.law.formula_text.to_string(),
        instances: book.entries().iter().filter(own).map(summary).collect(),
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
                // A text that is listed twice would repeat every problem.
                Some(_) => {}
                None => {
                    seen.insert(&entry.id, &reading.book);
                }
            }
        }
    }
}

/// Returns the common vocabulary of all books with their derived observations. Returns `None`, and reports the reason,
/// if the vocabularies differ or one is unknown.
pub(super) fn common_vocabulary(readings: &[Reading], report: &mut Report) -> Option<Arc<Vocabulary>> {
    let mut common: Option<(&Reading, Vocabulary)> = None;
    for reading in readings {
        let Some(vocabulary) = &reading.vocabulary else {
            if reading.diagnostics.is_empty() {
                let name = reading.book.vocabulary().name();
                let message = format!("the vocabulary `{name}` is not known here");
                report.findings.push(Diagnostic::error(Code::Vocabulary, message));
            }
            return None;
        };
        let base = vocabulary.base();
        match &common {
            None => common = Some((reading, base)),
            Some((first, one)) if !same(one, &base) => {
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
    let (_, base) = common?;
    match joint_vocabulary(&Arc::new(base), readings.iter().map(|reading| &reading.book)) {
        Ok(joint) => Some(joint),
        // Every reading has already reported the definitions that its own book cannot derive.
        Err(JointVocabularyError::Vocabulary(VocabularyError::Redefined { .. })) => None,
        Err(error) => {
            report.findings.push(clash(readings, &error));
            None
        }
    }
}

/// Returns the error of books that cannot be in force together, placed at the second of two definitions.
fn clash(readings: &[Reading], error: &JointVocabularyError) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::Vocabulary, error.to_string());
    let JointVocabularyError::Clash { name, second, .. } = error else { return diagnostic };
    let book = readings.iter().rev().map(|reading| &reading.book).find(|book| book.name() == &**second);
    match book.and_then(|book| Some((book, book.derived().iter().find(|entry| entry.name == *name)?))) {
        Some((book, entry)) => diagnostic.at(book.source(), entry.definition_place.clone()).help("rename one of them"),
        None => diagnostic,
    }
}

fn same(a: &Vocabulary, b: &Vocabulary) -> bool {
    a.name() == b.name()
        && a.observations() == b.observations()
        && a.actions() == b.actions()
        && a.axioms() == b.axioms()
}
