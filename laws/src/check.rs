//! Checks the laws of books: redundant laws, conflicts, over-constrained states.
//!
//! Several books are checked as if they were in force together. The proof that no state is over-constrained covers laws
//! of every form, within a budget. The report names each law that the proof leaves out, with the reason. Unsatisfiable
//! laws, and one law of each contradiction, are reported and set aside. The remaining laws are checked among
//! themselves.

mod books;
mod conflicts;
mod every_state;
mod options;
mod redundant;
mod report;
mod same_letter;
mod subjects;

use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;
pub use options::CheckOptions;
pub use report::{
    BookSummary, ConflictReport, ConsistencyReport, ConsistencyVerdict, InstanceSummary, LeftOut, Report,
    RunSatisfiability, TemplateSummary,
};
use subjects::Subjects;

use crate::book::Book;
use crate::diagnostic::{Code, Diagnostic, Severity, more_problems};
use crate::read::Reading;

/// The number of examinations of each law: for a change of behaviour, and for implication by other laws.
pub const EXAMINATIONS: u64 = 2;

/// Checks one book over its vocabulary.
pub fn check(book: &Book, vocabulary: &Arc<Vocabulary>) -> Report {
    check_books(&[Reading::over(book, vocabulary)], &CheckOptions::default())
}

/// Checks the readable laws of several books together.
pub fn check_books(readings: &[Reading], options: &CheckOptions) -> Report {
    check_books_with_progress(readings, options, &mut || {})
}

/// Checks several books like [`check_books`]. Calls `examined` [`EXAMINATIONS`] times for every law in force, unless
/// the budget runs out.
pub fn check_books_with_progress(readings: &[Reading], options: &CheckOptions, examined: &mut dyn FnMut()) -> Report {
    let mut report = Report::default();
    for reading in readings {
        report.books.push(books::summary(reading));
        report.findings.extend(reading.diagnostics.iter().cloned());
        report.findings.extend(more(reading));
    }
    books::report_duplicates(readings, options, &mut report);
    if let Some(vocabulary) = books::common_vocabulary(readings, &mut report) {
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
            let note = law.diagnostic(Severity::Note, Code::NotGuarded, message);
            report.findings.push(match law.formula.at_the_end() {
                Some(part) => note.help(format!("runs are finite: `{part}` speaks of the last step alone")),
                None => note,
            });
        }
    }
    laws.find_too_intricate(report);
    laws.find_same_letter(report);
    let vacuous = laws.find_vacuous(options, examined, report);
    let begins = laws.find_contradictions(options, report);
    laws.find_implied(&vacuous, options, examined, report);
    laws.note_undecided(options, report);
    laws.find_over_constrained(options, begins, report);
}

/// Returns a diagnostic with the number of problems of a book that exceed the limit.
fn more(reading: &Reading) -> Option<Diagnostic> {
    let message = format!("it has {}", more_problems(reading.more)?);
    let source = reading.book.source().name.to_string();
    Some(Diagnostic { source, ..Diagnostic::error(Code::Book, message) })
}

#[cfg(test)]
mod tests;
