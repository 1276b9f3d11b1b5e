//! The result of a check, as data.

use serde::Serialize;

use crate::diagnostic::{Diagnostic, LawRef, Severity};

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The books that were checked together.
    pub books: Vec<BookSummary>,
    /// The findings: errors first, then in the order of the books.
    pub findings: Vec<Diagnostic>,
    /// The consistency of the laws; absent if the books could not be checked together.
    pub consistency: Option<ConsistencyReport>,
}

impl Report {
    /// The number of findings of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Returns whether the report has neither errors nor warnings.
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == Severity::Note)
    }
}

/// A book that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BookSummary {
    /// Its name.
    pub name: String,
    /// The path or shipped name of its text.
    pub source: String,
    /// Its revision.
    pub revision: u64,
    /// The name of its vocabulary.
    pub vocabulary: String,
    /// The number of readable laws.
    pub laws: usize,
    /// The number of adopted hard laws.
    pub hard: usize,
    /// The number of adopted soft laws.
    pub soft: usize,
    /// The number of laws that are proposed or on trial, which are not in force.
    pub proposed: usize,
    /// The number of retired laws, which are not in force.
    pub retired: usize,
    /// The number of laws with errors, which are not checked any further.
    pub unreadable: usize,
    /// The laws with parameters; the other numbers count their instances.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<TemplateSummary>,
}

/// A law with parameters that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TemplateSummary {
    /// Its id.
    pub id: String,
    /// Its formula, as the book writes it.
    pub formula: String,
    /// Its instances, without the vacuous ones.
    pub instances: Vec<InstanceSummary>,
}

/// An instance of a law with parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InstanceSummary {
    /// Its id, such as `no-drop(cup)`.
    pub id: String,
    /// Its formula.
    pub formula: String,
}

/// The verdict on whether laws leave an action in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConsistencyVerdict {
    /// The verdict covers no law.
    NoLaws,
    /// Proven for every state that a run reaches without breaking a law.
    Consistent,
    /// In some state the laws leave no action but stopping.
    OverConstrained,
    /// The question exceeded its budget; treat the laws as over-constrained.
    Undecided,
}

/// The verdict on whether a run can satisfy all laws together, of any form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunSatisfiability {
    /// Some run with an action satisfies them all.
    Yes,
    /// Every run that satisfies them all stops at once.
    OnlyToStop,
    /// No run satisfies them all.
    Never,
    /// The question exceeded its budget.
    Undecided,
}

/// A law that the proof about over-constrained states does not cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The law.
    pub law: LawRef,
    /// The reason.
    pub why: String,
}

/// One distinct minimal conflict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConflictReport {
    /// Laws that together leave no action but stopping in the witness state. No proper subset of them over-constrains a
    /// state.
    pub laws: Vec<LawRef>,
    /// The observations that hold in the witness state; all others are false in it.
    pub witness: Vec<String>,
    /// The letters of a run that reaches the state, each as the names that hold. It is empty for guarded laws, whose
    /// witness is any state that the axioms allow.
    pub run: Vec<Vec<String>>,
    /// The id of the soft law that the shield suspends if only these laws clash: the one with the least evidence, the
    /// last of several. `None` if all are hard.
    pub gives_way: Option<String>,
}

/// The consistency of the laws under check: over-constrained states, conflicts, and satisfiability.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConsistencyReport {
    /// The number of laws under check.
    pub laws: usize,
    /// The number of laws that the verdicts cover.
    pub covered: usize,
    /// The laws that the verdicts do not cover.
    pub left_out: Vec<LeftOut>,
    /// Laws that the verdicts cover but that some outcome of an allowed action may break at once. Empty in a planning
    /// task, whose outcomes are predicted.
    pub by_outcome: Vec<LawRef>,
    /// The verdict on the hard laws alone.
    pub hard: ConsistencyVerdict,
    /// The verdict on hard and soft laws together.
    pub all: ConsistencyVerdict,
    /// Distinct minimal conflicts, smallest first.
    pub conflicts: Vec<ConflictReport>,
    /// True if the list of conflicts is proven to be complete.
    pub complete: bool,
    /// The verdict on whether a run can satisfy all laws, including those left out.
    pub begins: RunSatisfiability,
}
