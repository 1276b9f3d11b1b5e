//! Rows of the steps of stored runs.

use std::io::Write;

use ltlcrit_store::{Exported, RunId, RunManifest, StepRecord, Store, StoreError};
use ltlcrit_verifier::PropId;
use serde_json::Value;

use super::cell::RowWriter;
use super::cells::columns;
use super::format::RowFormat;
use crate::report::run::StepDocument;

/// The columns; see [`columns`].
const COLUMNS: &str = "run count, step count, action text, failure text, message text, ticks count, x integer /position/0, \
    y integer /position/1, z integer /position/2, holds text, reached text, proposals count, refused text, blocked_by text, \
    conflict text, then text, suspended text, violations text, owed text, thought text, prompt_tokens count, \
    answer_tokens count";

/// The columns in formats for people.
const FOR_PEOPLE: &str =
    "run count, step count, action text, failure text, message text, reached text, blocked_by text";

/// Writes a row for every step of runs, run by run. Unreadable runs are left out and reported.
///
/// # Errors
/// The output cannot be written.
pub fn step_rows(
    store: &Store,
    runs: &[RunId],
    format: RowFormat,
    out: &mut (dyn Write + Send),
) -> Result<Exported, StoreError> {
    let (columns, pointers): (Vec<_>, Vec<_>) =
        columns(if format.is_for_people() { FOR_PEOPLE } else { COLUMNS }).unzip();
    let mut writer = format.writer("", columns, out).map_err(StoreError::Export)?;
    let mut exported = Exported::default();
    for run in runs {
        match rows_of(store, *run, writer.as_mut(), &pointers, &mut exported) {
            Ok(()) => exported.runs += 1,
            Err(error @ StoreError::Export(_)) => return Err(error),
            Err(error) => exported.unreadable.push(error),
        }
    }
    writer.finish().map_err(StoreError::Export)?;
    Ok(exported)
}

fn rows_of(
    store: &Store,
    run: RunId,
    writer: &mut dyn RowWriter,
    pointers: &[String],
    exported: &mut Exported,
) -> Result<(), StoreError> {
    let manifest = store.manifest(run)?;
    let mut reached = vec![false; manifest.subgoals.len()];
    for record in store.steps(run) {
        match record {
            Ok(record) => {
                let row = row(&record, &manifest, &mut reached).map_err(|error| StoreError::Export(error.into()))?;
                let values = pointers.iter().map(|at| row.pointer(at).cloned().unwrap_or_default()).collect();
                writer.row(values, &[]).map_err(StoreError::Export)?;
                exported.steps += 1;
            }
            Err(error) => exported.unreadable.push(error),
        }
    }
    Ok(())
}

/// Returns the document of a step's row; an empty text is missing.
fn row(record: &StepRecord, manifest: &RunManifest, reached: &mut [bool]) -> serde_json::Result<Value> {
    let step = StepDocument::of(record, manifest, reached);
    let mut row = serde_json::to_value(&step)?;
    let names = &manifest.vocabulary.observations;
    let name = |PropId(id): PropId| names.get(usize::from(id)).map(|it| it.name.to_string());
    let holds: Vec<String> = record.letter.0.iter().filter_map(name).collect();
    let refused: Vec<String> = step.refused.iter().map(|it| format!("{} ({})", it.proposal, it.ruling)).collect();
    let mut blocked_by: Vec<&str> = step.refused.iter().flat_map(|it| it.laws.iter().map(|law| &**law)).collect();
    blocked_by.dedup();
    let sum = |tokens: fn(&ltlcrit_model::Usage) -> u64| {
        record.proposals.iter().map(|it| tokens(&it.total_usage())).sum::<u64>()
    };
    let some = |text: String| Value::from(Some(text).filter(|text| !text.is_empty()));
    row["run"] = manifest.run.0.into();
    row["holds"] = holds.join(" ").into();
    row["reached"] = some(step.reached.join("; "));
    row["proposals"] = record.proposals.len().into();
    row["refused"] = some(refused.join("; "));
    row["blocked_by"] = some(blocked_by.join(" "));
    row["conflict"] = some(step.conflict.join(" "));
    row["suspended"] = some(step.suspended.join(" "));
    row["violations"] = some(step.violations.join(" "));
    row["owed"] = some(record.owed.join(" "));
    row["thought"] = record.executed.as_ref().and_then(|executed| executed.thought.clone()).into();
    row["prompt_tokens"] = sum(|it| it.prompt).into();
    row["answer_tokens"] = sum(|it| it.completion).into();
    Ok(row)
}
