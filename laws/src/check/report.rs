//! What a check found, as data: printed by the command line, read by scripts and by the critic.

use ltlcrit_verifier::law::Strength;
use serde::Serialize;

use crate::problem::{Excerpt, Place};

/// Everything a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The books that were checked together.
    pub books: Vec<BookSummary>,
    /// What was found, errors first, each kind in the order of the books.
    pub findings: Vec<Finding>,
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
    /// Laws with problems of their own, which are not checked any further.
    pub unreadable: usize,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The books cannot be relied on.
    Error,
    /// A law changes nothing.
    Warning,
    /// Good to know.
    Note,
}

/// What kind of finding it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// The file is not a book.
    Book,
    /// A formula cannot be read.
    Syntax,
    /// A proposition is not in the vocabulary.
    UnknownProposition,
    /// The vocabulary is unknown, wrong, or not the same for all books.
    Vocabulary,
    /// A law is not of the form `G(phi_s -> X phi_a)`.
    Form,
    /// A law changes nothing, or cannot be satisfied at all.
    Vacuous,
    /// A law says what others say already.
    Implied,
    /// Laws that together let no run begin.
    Contradiction,
    /// A state in which laws leave no action but stopping.
    OverConstrained,
    /// A question exceeded its bounds.
    Undecided,
}

impl FindingKind {
    /// The word reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Book => "book",
            Self::Syntax => "syntax",
            Self::UnknownProposition => "unknown-proposition",
            Self::Vocabulary => "vocabulary",
            Self::Form => "form",
            Self::Vacuous => "vacuous",
            Self::Implied => "implied",
            Self::Contradiction => "contradiction",
            Self::OverConstrained => "over-constrained",
            Self::Undecided => "undecided",
        }
    }
}

/// A law, as findings refer to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LawRef {
    /// The book's name.
    pub book: String,
    /// The law's id.
    pub id: String,
    /// Hard or soft.
    pub strength: Strength,
    /// Its formula, in infix syntax.
    pub formula: String,
    /// Where the law begins.
    pub place: Place,
}

/// One thing a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What kind it is.
    pub kind: FindingKind,
    /// The path or shipped name of the book; empty for a finding about several.
    pub source: String,
    /// The law it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<String>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The line with the place marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// What it is, in one sentence without a full stop.
    pub message: String,
    /// What would be right, or what follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Other laws that have part in it; for a conflict, all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<LawRef>,
    /// The observations that hold in the witness state, all others being false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Vec<String>>,
}

impl Finding {
    /// An error about the books as a whole.
    pub(super) fn general(kind: FindingKind, message: String) -> Self {
        Self {
            severity: Severity::Error,
            kind,
            source: String::new(),
            law: None,
            place: None,
            excerpt: None,
            message,
            help: None,
            laws: Vec::new(),
            witness: None,
        }
    }
}

/// Whether laws leave an action in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// There is no law of the form to ask about.
    NoLaws,
    /// Proven for every state the axioms allow.
    Consistent,
    /// In some state nothing but stopping is left.
    OverConstrained,
    /// The question exceeded its bounds; to be treated as over-constrained.
    Undecided,
}

/// Whether all laws together, of any kind, let a run begin.
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
    /// Why it is not of the form.
    pub why: String,
}

/// One distinct minimal conflict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConflictReport {
    /// Laws that together leave nothing but stopping in the witness state; without any one of them, the rest over-constrain
    /// no state.
    pub laws: Vec<LawRef>,
    /// The observations that hold in the witness state, all others being false.
    pub witness: Vec<String>,
    /// Whether hard laws alone do it: then a run that comes there must abort.
    pub hard_only: bool,
}

/// Whether any state is over-constrained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConsistencyReport {
    /// How many laws of the form the answers cover.
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
