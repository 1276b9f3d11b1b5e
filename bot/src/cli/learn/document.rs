//! The result of learning, as `--json` prints it.

use std::collections::BTreeMap;
use std::path::Path;

use ltlcrit_critic::change::GateRuling;
use ltlcrit_engine::learn::{Comparison, Iteration, Measured};
use ltlcrit_laws::Book;
use serde::Serialize;
use serde_json::{Value, json};

/// The book after learning.
pub fn book(path: &Path, began_at_revision: u64, book: &Book) -> Value {
    json!({
        "path": path.display().to_string(),
        "name": book.name(),
        "began_at_revision": began_at_revision,
        "revision": book.revision(),
        "derived": book.derived(),
        "laws": book.entries(),
    })
}

/// An iteration: the figures of its episodes, and what the critique made of them.
pub fn iteration(iteration: &Iteration, measured: &Measured) -> Value {
    let critique = &iteration.critique;
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, refusal) in critique.refused() {
        *refused.entry(refusal.code()).or_default() += 1;
    }
    let admitted = critique.ruled.iter().filter_map(|ruled| match &ruled.ruling {
        GateRuling::Admitted { law } => Some(law),
        _ => None,
    });
    let mut document = json!({
        "number": iteration.number,
        // The book that its episodes ran under.
        "book": iteration.book,
        "runs": iteration.runs.iter().map(|run| run.run).collect::<Vec<_>>(),
        // The outcome of playing the new revision against this one; `null` if no law in force changed.
        "decision": iteration.decision,
        "nothing_learned": critique.nothing,
        "new_book": critique.book.id(),
        "admitted": admitted.collect::<Vec<_>>(),
        "retired": critique.retired(),
        "refused": refused,
        "silent": critique.silent,
        "unread": iteration.unread,
        "unresolved_conflicts": critique.unresolved.len(),
        "choices": critique.classes,
    });
    if let (Some(document), Ok(Value::Object(figures))) = (document.as_object_mut(), serde_json::to_value(measured)) {
        document.extend(figures);
    }
    document
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
