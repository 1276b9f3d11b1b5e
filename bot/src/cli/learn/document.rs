//! The result of learning, as `--json` prints it.

use std::collections::BTreeMap;

use ltlcrit_critic::change::GateRuling;
use ltlcrit_critic::critique::{ClassCounts, Ruled};
use ltlcrit_engine::learn::{Comparison, Decision, Iteration, Measured, UnreadBy};
use ltlcrit_laws::{Book, DerivedEntry, Entry};
use ltlcrit_store::RunId;
use serde::Serialize;

use crate::cli::output::Used;

/// The whole document.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    /// True if the model of the actor is a persona; the figures are then no evidence about language models.
    pub simulated: bool,
    /// The book.
    pub book: BookDocument<'a>,
    /// The iterations.
    pub iterations: Vec<IterationDocument>,
    /// The reason why learning ended.
    pub ended: String,
    /// The test on fresh seeds, if it was requested and completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Test>,
    /// The token usage of all models, critics included.
    pub usage: Vec<Used>,
    /// The store of the runs.
    pub store: String,
}

/// The book after learning.
#[derive(Debug, Serialize)]
pub struct BookDocument<'a> {
    path: String,
    name: &'a str,
    began_at_revision: u64,
    revision: u64,
    /// The observations that it defines.
    derived: &'a [DerivedEntry],
    laws: &'a [Entry],
}

impl<'a> BookDocument<'a> {
    /// The document of a book.
    pub fn new(path: &std::path::Path, began_at_revision: u64, book: &'a Book) -> Self {
        Self {
            path: path.display().to_string(),
            name: book.name(),
            began_at_revision,
            revision: book.revision(),
            derived: book.derived(),
            laws: book.entries(),
        }
    }
}

/// An iteration.
#[derive(Debug, Serialize)]
pub struct IterationDocument {
    number: usize,
    /// Name and revision of the book that its episodes ran under.
    book: String,
    runs: Vec<RunId>,
    #[serde(flatten)]
    measured: Measured,
    /// The outcome of playing the new revision against this one on fresh seeds; `null` if no law in force changed.
    decision: Option<Decision>,
    /// The reason why the critique changed nothing, if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_learned: Option<String>,
    /// The book after the critique.
    new_book: String,
    admitted: Vec<String>,
    retired: usize,
    /// Refusals by reason.
    refused: BTreeMap<&'static str, usize>,
    /// Critics that proposed nothing, and why.
    silent: Vec<(String, String)>,
    /// The unreadable parts of critics' answers.
    unread: Vec<UnreadBy>,
    unresolved_conflicts: usize,
    choices: ClassCounts,
}

impl IterationDocument {
    /// The document of an iteration.
    pub fn of(iteration: &Iteration, measured: Measured) -> Self {
        let critique = &iteration.critique;
        let mut refused = BTreeMap::new();
        for (_, refusal) in critique.refused() {
            *refused.entry(refusal.code()).or_default() += 1;
        }
        Self {
            number: iteration.number,
            book: iteration.book.clone(),
            runs: iteration.runs.iter().map(|run| run.run).collect(),
            measured,
            decision: iteration.decision.clone(),
            nothing_learned: critique.nothing.clone(),
            new_book: critique.book.id(),
            admitted: critique.ruled.iter().filter_map(admitted).collect(),
            retired: critique.retired(),
            refused,
            silent: critique.silent.clone(),
            unread: iteration.unread.clone(),
            unresolved_conflicts: critique.unresolved.len(),
            choices: critique.classes,
        }
    }
}

fn admitted(ruled: &Ruled) -> Option<String> {
    match &ruled.ruling {
        GateRuling::Admitted { law } => Some(law.to_string()),
        _ => None,
    }
}

/// A test of the book before and after learning, on the same fresh seeds.
#[derive(Debug, Serialize)]
pub struct Test {
    /// The first seed.
    pub from_seed: u64,
    /// The figures under the book before learning.
    pub before: Measured,
    /// The figures under the book after learning.
    pub after: Measured,
    /// The p-values of the differences.
    pub comparison: Comparison,
}
