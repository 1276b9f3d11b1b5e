//! Checking books: everything that is wrong with the laws themselves.
//!
//! Books named together are checked together, as they would be in force together. The proof that no state is
//! over-constrained covers the guarded laws, `G(phi_s -> X phi_a)`; the report names every law it leaves out. One question
//! covers laws of every form: can a run satisfy them all?

mod alone;
mod joint;
mod options;
mod report;
mod subjects;
mod together;

use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;

use crate::book::Book;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::read::Reading;
use subjects::Subjects;

pub use options::{CheckOptions, DEFAULT_SINGLE_WORK};
pub use report::{Begins, BookSummary, ConflictReport, ConsistencyReport, LeftOut, Report, Standing};

/// How often a check looks at a law alone: for what it changes, and for what implies it.
pub const EXAMINATIONS: u64 = 2;

/// Checks one book over its vocabulary.
pub fn check(book: &Book, vocabulary: &Arc<Vocabulary>) -> Report {
    check_books(&[Reading::over(book, vocabulary)], &CheckOptions::default())
}

/// Checks books together, as far as they could be read.
pub fn check_books(readings: &[Reading], options: &CheckOptions) -> Report {
    check_books_telling(readings, options, &mut || {})
}

/// The same; `examined` is called [`EXAMINATIONS`] times for every law in force, unless the budget runs out.
pub fn check_books_telling(readings: &[Reading], options: &CheckOptions, examined: &mut dyn FnMut()) -> Report {
    let mut report = Report::default();
    for reading in readings {
        report.books.push(together::summary(reading));
        report.findings.extend(reading.diagnostics.iter().cloned());
        report.findings.extend(more(reading));
    }
    together::report_duplicates(readings, options, &mut report);
    if let Some(vocabulary) = together::common_vocabulary(readings, &mut report) {
        if let Some(subjects) = Subjects::new(readings, &vocabulary, options, &mut report) {
            check_laws(subjects, options, examined, &mut report);
        }
        report.findings.sort_by_key(|finding| finding.severity);
    }
    report
}

fn check_laws(mut laws: Subjects<'_>, options: &CheckOptions, examined: &mut dyn FnMut(), report: &mut Report) {
    match laws.system.axioms_are_satisfiable() {
        Ok(true) => {}
        Ok(false) => {
            let name = laws.vocabulary.name();
            let message = format!("the axioms of the vocabulary `{name}` contradict each other: it has no state");
            report.findings.push(Diagnostic::error(Code::Vocabulary, message));
            return;
        }
        Err(error) => report.findings.push(Diagnostic::error(Code::Undecided, error.to_string())),
    }
    for law in &laws.all {
        if let Err(why) = &law.guarded {
            let message = format!("not of the form G(phi_s -> X phi_a): {why}");
            report.findings.push(law.diagnostic(Severity::Note, Code::NotGuarded, message));
        }
    }
    let vacuous = laws.find_vacuous(options, examined, report);
    laws.find_implied(&vacuous, options, examined, report);
    laws.note_undecided(report);
    let begins = laws.find_contradictions(options, report);
    laws.find_over_constrained(options, begins, report);
}

/// The diagnostics of a book that were counted only.
fn more(reading: &Reading) -> Option<Diagnostic> {
    let message = match reading.more {
        0 => return None,
        1 => "it has 1 more problem".to_owned(),
        more => format!("it has {more} more problems"),
    };
    let source = reading.book.source().name.to_string();
    Some(Diagnostic { source, ..Diagnostic::error(Code::Book, message) })
}

#[cfg(test)]
mod tests;
