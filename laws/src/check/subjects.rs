//! The laws under check, and the solvers that answer questions about them.

use std::collections::BTreeSet;

use ltlcrit_verifier::consistency::{AnyLaws, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::{CompiledLaws, Formula, GuardedLaw, ShieldError, Vocabulary};

use super::options::CheckOptions;
use super::report::Report;
use crate::book::{Book, Entry};
use crate::diagnostic::{Code, Diagnostic, LawRef, Severity};
use crate::read::Reading;

/// A law under check.
pub(super) struct Subject<'a> {
    pub(super) book: &'a Book,
    pub(super) entry: &'a Entry,
    pub(super) formula: &'a Formula,
    /// The equivalent guarded laws, or the reason why it is not guarded.
    pub(super) guarded: Result<Vec<GuardedLaw>, String>,
}

impl Subject<'_> {
    pub(super) fn is_hard(&self) -> bool {
        self.entry.strength == Strength::Hard
    }

    pub(super) fn law_ref(&self) -> LawRef {
        LawRef {
            book: self.book.name().to_owned(),
            id: self.entry.id.to_string(),
            strength: self.entry.strength,
            formula: self.formula.to_string(),
            place: self.entry.place.clone(),
        }
    }

    /// A diagnostic about the law, at its formula.
    pub(super) fn diagnostic(&self, severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        let law = Some(self.entry.id.to_string());
        Diagnostic { law, ..Diagnostic::new(severity, code, message) }
            .at(self.book.source(), self.entry.formula_place.clone())
    }
}

/// The laws under check, and the solvers over them. Laws are identified by their positions in `all`.
pub(super) struct Subjects<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) all: Vec<Subject<'a>>,
    /// The guarded laws, in the order of `system`.
    pub(super) guarded: Vec<usize>,
    /// The guarded laws as a SAT problem.
    pub(super) system: LawSystem<'a>,
    /// All laws as an LTLf satisfiability problem, in the order of `all`.
    pub(super) any: AnyLaws<'a>,
    pub(super) single: SingleLaws,
    /// The laws that no run can satisfy alone.
    pub(super) unsatisfiable: BTreeSet<usize>,
    /// One law of each contradiction. Without these and the unsatisfiable laws, some run satisfies the others.
    pub(super) contradicting: BTreeSet<usize>,
}

/// The cost of the questions about single laws so far, and the laws left open.
#[derive(Default)]
pub(super) struct SingleLaws {
    pub(super) spent: u64,
    /// Laws with a question that exceeded the budget of one question.
    pub(super) undecided: BTreeSet<usize>,
    /// Laws left open because the budget of all laws, or the law's share of it, was used up.
    pub(super) open: BTreeSet<usize>,
}

impl<'a> Subjects<'a> {
    /// Collects the laws in force; with [`CheckOptions::proposed`] also the proposed laws. Reports the reason if
    /// solvers cannot be built.
    pub(super) fn new(
        readings: &'a [Reading],
        vocabulary: &'a Vocabulary,
        options: &CheckOptions,
        report: &mut Report,
    ) -> Option<Self> {
        let all: Vec<Subject<'_>> = readings
            .iter()
            .flat_map(|reading| reading.book.entries().iter().map(|entry| (&reading.book, entry)))
            .filter(|(_, entry)| entry.in_force() || (options.proposed && entry.status.is_waiting()))
            .map(|(book, entry)| Subject {
                book,
                entry,
                formula: &entry.formula,
                guarded: recognise_all(&entry.formula, vocabulary).map_err(|why| why.to_string()),
            })
            .collect();
        let guarded: Vec<usize> = (0..all.len()).filter(|law| all[*law].guarded.is_ok()).collect();
        let laws: Vec<Vec<GuardedLaw>> = all.iter().filter_map(|law| law.guarded.clone().ok()).collect();
        let formulas: Vec<Formula> = all.iter().map(|law| law.formula.clone()).collect();
        let system = LawSystem::new(vocabulary, &laws, options.budget);
        match system.and_then(|system| Ok((system, AnyLaws::new(vocabulary, &formulas)?))) {
            Ok((system, any)) => {
                let (single, unsatisfiable, contradicting) = Default::default();
                Some(Self { vocabulary, all, guarded, system, any, single, unsatisfiable, contradicting })
            }
            Err(error) => {
                report.findings.push(Diagnostic::error(Code::Vocabulary, error.to_string()));
                None
            }
        }
    }
}

impl Subjects<'_> {
    /// The laws that were not set aside.
    pub(super) fn kept(&self) -> Vec<usize> {
        let is_kept = |law: &usize| !self.unsatisfiable.contains(law) && !self.contradicting.contains(law);
        (0..self.all.len()).filter(is_kept).collect()
    }

    /// Finds laws that no shield accepts, because the monitor of the law exceeds its bounds.
    pub(super) fn find_too_intricate(&self, report: &mut Report) {
        let refused = |law: &&Subject<'_>| {
            let refusal = CompiledLaws::check(&law.entry.law(), self.vocabulary);
            matches!(refusal, Err(ShieldError::TooIntricate { .. }))
        };
        for law in self.all.iter().filter(refused) {
            let message = "it is too intricate to be watched: what it demands after a few letters exceeds the bounds";
            let finding = law.diagnostic(Severity::Error, Code::TooIntricate, message);
            report.findings.push(finding.help("split it; no run loads a book with this law"));
        }
    }
}

/// The advice for an undecided law.
pub(super) const UNDECIDED_HELP: &str = "simplify the law: what cannot be decided is not relied on";
