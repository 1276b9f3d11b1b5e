//! Rows of the steps of stored runs.

use std::io::Write;

use ltlcrit_store::{Exported, RunId, RunManifest, StepRecord, Store, StoreError};
use ltlcrit_verifier::PropId;

use super::cell::{Cell, Column, Kind, RowWriter};
use super::format::RowFormat;
use crate::report::run::StepDocument;

/// The columns. The last value is true if formats for people have the column.
const COLUMNS: [(&str, Kind, bool); 22] = [
    ("run", Kind::Count, true),
    ("step", Kind::Count, true),
    ("action", Kind::Text, true),
    ("failure", Kind::Text, true),
    ("message", Kind::Text, true),
    ("ticks", Kind::Count, false),
    ("x", Kind::Integer, false),
    ("y", Kind::Integer, false),
    ("z", Kind::Integer, false),
    ("holds", Kind::Text, false),
    ("reached", Kind::Text, true),
    ("proposals", Kind::Count, false),
    ("refused", Kind::Text, false),
    ("blocked_by", Kind::Text, true),
    ("conflict", Kind::Text, false),
    ("then", Kind::Text, false),
    ("suspended", Kind::Text, false),
    ("violations", Kind::Text, false),
    ("owed", Kind::Text, false),
    ("thought", Kind::Text, false),
    ("prompt_tokens", Kind::Count, false),
    ("answer_tokens", Kind::Count, false),
];

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
    let kept = |(.., people): &(&str, Kind, bool)| *people || !format.is_for_people();
    let columns = COLUMNS.iter().filter(|it| kept(it));
    let columns = columns.map(|(name, kind, _)| Column { name: (*name).to_owned(), kind: *kind }).collect();
    let mut writer = format.writer("", columns, out).map_err(StoreError::Export)?;
    let mut exported = Exported::default();
    for run in runs {
        match rows_of(store, *run, writer.as_mut(), &kept, &mut exported) {
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
    kept: &dyn Fn(&(&str, Kind, bool)) -> bool,
    exported: &mut Exported,
) -> Result<(), StoreError> {
    let manifest = store.manifest(run)?;
    let mut reached = vec![false; manifest.subgoals.len()];
    for record in store.steps(run) {
        match record {
            Ok(record) => {
                let cells = row(&record, &manifest, &mut reached).into_iter().zip(&COLUMNS);
                let cells = cells.filter(|(_, column)| kept(column)).map(|(cell, _)| cell).collect();
                writer.row(cells).map_err(StoreError::Export)?;
                exported.steps += 1;
            }
            Err(error) => exported.unreadable.push(error),
        }
    }
    Ok(())
}

fn row(record: &StepRecord, manifest: &RunManifest, reached: &mut [bool]) -> [Cell; COLUMNS.len()] {
    let step = StepDocument::of(record, manifest, reached);
    let names = &manifest.vocabulary.observations;
    let name = |PropId(id): PropId| names.get(usize::from(id)).map(|it| it.name.to_string());
    let holds: Vec<String> = record.letter.0.iter().filter_map(name).collect();
    let refused: Vec<String> = step.refused.iter().map(|it| format!("{} ({})", it.proposal, it.ruling)).collect();
    let mut blocked_by: Vec<&str> = step.refused.iter().flat_map(|it| it.laws.iter().map(|law| &**law)).collect();
    blocked_by.dedup();
    let thought = record.executed.as_ref().and_then(|executed| executed.thought.clone());
    let sum = |tokens: fn(&ltlcrit_model::Usage) -> u64| {
        record.proposals.iter().map(|it| tokens(&it.total_usage())).sum::<u64>()
    };
    let place = |axis: usize| Cell::from(step.position.map(|at| at[axis]));
    [
        manifest.run.0.into(),
        step.step.into(),
        step.action.into(),
        step.failure.into(),
        step.message.into(),
        step.ticks.into(),
        place(0),
        place(1),
        place(2),
        holds.join(" ").into(),
        some(step.reached.join("; ")),
        (record.proposals.len() as u64).into(),
        some(refused.join("; ")),
        some(blocked_by.join(" ")),
        some(step.conflict.join(" ")),
        step.then.into(),
        some(step.suspended.join(" ")),
        some(step.violations.join(" ")),
        some(record.owed.join(" ")),
        thought.into(),
        sum(|it| it.prompt).into(),
        sum(|it| it.completion).into(),
    ]
}

/// Converts a text; an empty one is missing.
fn some(text: String) -> Cell {
    Some(text).filter(|text| !text.is_empty()).into()
}
