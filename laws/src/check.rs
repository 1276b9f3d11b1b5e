//! Checking books: everything that is wrong with the laws themselves, all at once.
//!
//! Books named together are checked together, as they would be in force together. Findings are errors (the book cannot be
//! relied on), warnings (a law changes nothing) and notes. The proof that no state is over-constrained covers the laws of
//! the form `G(phi_s -> X phi_a)`; the report names every law it leaves out, and for those asks what can be asked of any
//! LTL formula: do all laws together let a run begin?

mod alone;
mod joint;
mod report;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use ltlcrit_verifier::consistency::{AnyLaws, DEFAULT_BUDGET, DEFAULT_WORK, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::{Formula, GuardedLaw, Vocabulary};

use crate::book::{Book, Entry};
use crate::problem::{Problem, ProblemKind};
use crate::provenance::Status;
use crate::read::Reading;

pub use report::{
    Begins, BookSummary, ConflictReport, ConsistencyReport, Finding, FindingKind, LawRef, LeftOut, Report, Severity,
    Standing,
};

/// How often a check looks at a law alone: for what it changes, and for what implies it.
pub const EXAMINATIONS: u64 = 2;

/// How far a check goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// How many distinct minimal conflicts are reported.
    pub most_conflicts: usize,
    /// Whether proposed laws are checked as if they were adopted.
    pub proposed: bool,
    /// How many conflicts of its own the solver may run into for one question.
    pub budget: u64,
    /// What one question about general LTL may cost, in units of search work.
    pub work: u64,
    /// What all questions about single laws (do they change anything, do others imply them) may cost together. Laws that
    /// are left when it is used up are named in a note.
    pub single_work: u64,
}

/// The default of [`CheckOptions::single_work`]: two to three seconds on the machine of the verifier's
/// `benches/README.md`.
pub const DEFAULT_SINGLE_WORK: u64 = 50_000_000;

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            most_conflicts: 20,
            proposed: false,
            budget: DEFAULT_BUDGET,
            work: DEFAULT_WORK,
            single_work: DEFAULT_SINGLE_WORK,
        }
    }
}

/// Checks one book over its vocabulary.
pub fn check(book: &Book, vocabulary: &Arc<Vocabulary>) -> Report {
    let reading = crate::read::read_over(book.source().clone(), vocabulary);
    check_books(&[reading], &CheckOptions::default())
}

/// Checks books together, as far as they could be read.
pub fn check_books(readings: &[Reading], options: &CheckOptions) -> Report {
    check_books_telling(readings, options, &mut || {})
}

/// The same; `examined` is called [`EXAMINATIONS`] times for every law in force, unless the work runs out.
pub fn check_books_telling(readings: &[Reading], options: &CheckOptions, examined: &mut dyn FnMut()) -> Report {
    let mut report = Report::default();
    for reading in readings {
        report.books.push(summary(reading));
        report.findings.extend(reading.problems.iter().map(|problem| from_problem(reading, problem)));
        report.findings.extend(not_told(reading));
    }
    report_duplicates(readings, options, &mut report);
    let Some(vocabulary) = common_vocabulary(readings, &mut report) else { return report };
    let subjects = subjects(readings, &vocabulary, options);
    if let Some(checked) = Checked::new(&vocabulary, subjects, options, &mut report) {
        checked.run(options, examined, &mut report);
    }
    report.findings.sort_by_key(|finding| finding.severity);
    report
}

/// A law in force, with what is known of its form.
struct Subject<'a> {
    book: &'a Book,
    entry: &'a Entry,
    formula: &'a Formula,
    /// The guarded laws it stands for, or why it is not of the form.
    form: Result<Vec<GuardedLaw>, String>,
}

impl Subject<'_> {
    fn is_hard(&self) -> bool {
        self.entry.strength == Strength::Hard
    }

    fn law_ref(&self) -> LawRef {
        LawRef {
            book: self.book.name().to_owned(),
            id: self.entry.id.to_string(),
            strength: self.entry.strength,
            formula: self.formula.to_string(),
            place: self.entry.place.clone(),
        }
    }

    fn finding(&self, severity: Severity, kind: FindingKind, message: String) -> Finding {
        let place = Some(self.entry.formula_place.clone());
        Finding {
            severity,
            kind,
            source: self.book.source().name.to_string(),
            law: Some(self.entry.id.to_string()),
            excerpt: place.as_ref().map(|place| self.book.source().excerpt(place)),
            place,
            message,
            help: None,
            laws: Vec::new(),
            witness: None,
        }
    }
}

/// The laws in force, split by form, with the solver's view of those of the form.
struct Checked<'a> {
    vocabulary: &'a Vocabulary,
    subjects: Vec<Subject<'a>>,
    /// Positions in `subjects` of the laws of the form, in the order of `system`.
    of_form: Vec<usize>,
    system: LawSystem<'a>,
    /// All laws, of whatever form, by position in `subjects`.
    any: AnyLaws<'a>,
    single: Single,
}

/// The questions about single laws: what they have cost, and the laws they did not come to.
#[derive(Default)]
struct Single {
    spent: u64,
    /// Positions in `subjects`.
    open: BTreeSet<usize>,
}

fn subjects<'a>(readings: &'a [Reading], vocabulary: &Vocabulary, options: &CheckOptions) -> Vec<Subject<'a>> {
    readings
        .iter()
        .flat_map(|reading| reading.book.entries().iter().map(|entry| (&reading.book, entry)))
        .filter(|(_, entry)| entry.in_force() || (options.proposed && entry.status == Status::Proposed))
        .map(|(book, entry)| Subject {
            book,
            entry,
            formula: &entry.formula,
            form: recognise_all(&entry.formula, vocabulary).map_err(|why| why.to_string()),
        })
        .collect()
}

impl<'a> Checked<'a> {
    fn new(
        vocabulary: &'a Vocabulary,
        subjects: Vec<Subject<'a>>,
        options: &CheckOptions,
        report: &mut Report,
    ) -> Option<Self> {
        let of_form: Vec<usize> = (0..subjects.len()).filter(|index| subjects[*index].form.is_ok()).collect();
        let guarded: Vec<Vec<GuardedLaw>> =
            of_form.iter().filter_map(|index| subjects[*index].form.clone().ok()).collect();
        let formulas: Vec<Formula> = subjects.iter().map(|subject| subject.formula.clone()).collect();
        let system = LawSystem::new(vocabulary, &guarded, options.budget);
        match system.and_then(|system| Ok((system, AnyLaws::new(vocabulary, &formulas)?))) {
            Ok((system, any)) => Some(Self { vocabulary, subjects, of_form, system, any, single: Single::default() }),
            Err(error) => {
                report.findings.push(Finding::general(FindingKind::Vocabulary, error.to_string()));
                None
            }
        }
    }

    fn run(mut self, options: &CheckOptions, examined: &mut dyn FnMut(), report: &mut Report) {
        match self.system.axioms_are_satisfiable() {
            Ok(true) => {}
            Ok(false) => {
                let name = self.vocabulary.name();
                let message = format!("the axioms of the vocabulary `{name}` contradict each other: it has no state");
                report.findings.push(Finding::general(FindingKind::Vocabulary, message));
                return;
            }
            Err(error) => report.findings.push(Finding::general(FindingKind::Undecided, error.to_string())),
        }
        self.note_form(report);
        let vacuous = self.find_vacuous(options, examined, report);
        self.find_implied(&vacuous, options, examined, report);
        self.note_open(report);
        let begins = self.find_contradictions(options, report);
        self.find_over_constrained(options, begins, report);
    }

    fn note_form(&self, report: &mut Report) {
        for subject in &self.subjects {
            if let Err(why) = &subject.form {
                let message = format!("not of the form G(phi_s -> X phi_a): {why}");
                report.findings.push(subject.finding(Severity::Note, FindingKind::Form, message));
            }
        }
    }
}

fn summary(reading: &Reading) -> BookSummary {
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

/// The problems of a book that were counted only.
fn not_told(reading: &Reading) -> Option<Finding> {
    let message = match reading.more {
        0 => return None,
        1 => "it has 1 more problem".to_owned(),
        more => format!("it has {more} more problems"),
    };
    let source = reading.book.source().name.to_string();
    Some(Finding { source, ..Finding::general(FindingKind::Book, message) })
}

fn from_problem(reading: &Reading, problem: &Problem) -> Finding {
    let source = reading.book.source();
    let kind = match problem.kind {
        ProblemKind::File | ProblemKind::Toml | ProblemKind::Book => FindingKind::Book,
        ProblemKind::Syntax => FindingKind::Syntax,
        ProblemKind::UnknownProposition => FindingKind::UnknownProposition,
        ProblemKind::Vocabulary => FindingKind::Vocabulary,
    };
    Finding {
        severity: Severity::Error,
        kind,
        source: source.name.to_string(),
        law: problem.law.clone(),
        excerpt: problem.place.as_ref().map(|place| source.excerpt(place)),
        place: problem.place.clone(),
        message: problem.message.clone(),
        help: problem.help.clone(),
        laws: Vec::new(),
        witness: None,
    }
}

/// Laws of several books may share an id; together, the later one is called by its book's name as well.
fn report_duplicates(readings: &[Reading], options: &CheckOptions, report: &mut Report) {
    let mut seen: HashMap<&str, &Book> = HashMap::new();
    for reading in readings {
        for entry in reading.book.entries().iter().filter(|e| e.in_force() || options.proposed) {
            match seen.get(&*entry.id) {
                Some(first) if first.source() != reading.book.source() => {
                    let message = format!("the id `{}` is also in the book `{}`", entry.id, first.source().name);
                    let place = entry.place.clone();
                    report.findings.push(Finding {
                        severity: Severity::Note,
                        kind: FindingKind::Book,
                        source: reading.book.source().name.to_string(),
                        law: Some(entry.id.to_string()),
                        excerpt: Some(reading.book.source().excerpt(&place)),
                        place: Some(place),
                        message,
                        help: Some(format!("in force together, it is called `{}/{}`", reading.book.name(), entry.id)),
                        laws: Vec::new(),
                        witness: None,
                    });
                }
                // The same text twice would only repeat everything.
                Some(_) => {}
                None => {
                    seen.insert(&entry.id, &reading.book);
                }
            }
        }
    }
}

/// The vocabulary that all books speak; `None`, with the reason reported, if there is none.
fn common_vocabulary(readings: &[Reading], report: &mut Report) -> Option<Arc<Vocabulary>> {
    let mut common: Option<(&Reading, &Arc<Vocabulary>)> = None;
    for reading in readings {
        let Some(vocabulary) = &reading.vocabulary else {
            let known = reading.problems.iter().any(|problem| problem.kind == ProblemKind::Vocabulary);
            if !known && reading.problems.is_empty() {
                let name = reading.book.vocabulary().name();
                let message = format!("the vocabulary `{name}` is not known here");
                report.findings.push(Finding::general(FindingKind::Vocabulary, message));
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
                report.findings.push(Finding::general(FindingKind::Vocabulary, message));
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

#[cfg(test)]
mod tests;
