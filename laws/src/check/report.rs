//! The result of a check, as data.

use serde::Serialize;

use crate::diagnostic::{Diagnostic, LawRef, Severity};

/// Everything a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The books that were checked together.
    pub books: Vec<BookSummary>,
    /// The findings: errors first, then in the order of the books.
    pub findings: Vec<Diagnostic>,
    /// Whether any state is over-constrained; absent if the books could not be checked together at all.
    pub consistency: Option<ConsistencyReport>,
}

impl Report {
    /// How many findings are as severe as this.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Whether there is neither an error nor a warning.
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == Severity::Note)
    }
}

/// A book that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookSummary {
    /// Its name.
    pub name: String,
    /// The path or shipped name it was read from.
    pub source: String,
    /// Its revision.
    pub revision: u64,
    /// The vocabulary it speaks.
    pub vocabulary: String,
    /// How many laws could be read.
    pub laws: usize,
    /// Adopted hard laws.
    pub hard: usize,
    /// Adopted soft laws.
    pub soft: usize,
    /// Proposed laws; not in force.
    pub proposed: usize,
    /// Retired laws; not in force.
    pub retired: usize,
    /// Laws with errors of their own, which are not checked any further.
    pub unreadable: usize,
}

/// Whether laws leave an action in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// There is no guarded law to ask about.
    NoLaws,
    /// Proven for every state the axioms allow.
    Consistent,
    /// In some state the laws leave no action but stopping.
    OverConstrained,
    /// The question exceeded its bounds; treat it as over-constrained.
    Undecided,
}

/// Whether all laws together, of any form, let a run begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Begins {
    /// Some run that satisfies them all does something.
    Yes,
    /// Every run that satisfies them all stops at once.
    OnlyToStop,
    /// No run satisfies them all.
    Never,
    /// The question exceeded its bounds.
    Undecided,
}

/// A law that the proof about over-constrained states does not cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The law.
    pub law: LawRef,
    /// Why it is not guarded.
    pub why: String,
}

/// One distinct minimal conflict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConflictReport {
    /// Laws that together leave no action but stopping in the witness state; without any one of them, the others
    /// over-constrain no state.
    pub laws: Vec<LawRef>,
    /// The observations that hold in the witness state; all others are false in it.
    pub witness: Vec<String>,
    /// Whether all of them are hard laws; a run that reaches the state must then abort.
    pub hard_only: bool,
}

/// Whether any state is over-constrained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConsistencyReport {
    /// How many guarded laws the answers cover.
    pub covered: usize,
    /// The laws the answers do not cover.
    pub left_out: Vec<LeftOut>,
    /// The hard laws alone.
    pub hard: Standing,
    /// Hard and soft laws together.
    pub all: Standing,
    /// Distinct minimal conflicts, smallest first.
    pub conflicts: Vec<ConflictReport>,
    /// Whether these are proven to be all.
    pub complete: bool,
    /// Whether all laws, those left out included, let a run begin.
    pub begins: Begins,
}
