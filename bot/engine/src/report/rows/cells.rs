//! Rows of batches and runs.

use std::collections::BTreeSet;
use std::path::Path;

use ltlcrit_model::NanoUsd;
use ltlcrit_store::{RunId, Store};
use serde_json::Value;

use super::cell::{Column, Kind};
use super::table::Rows;
use crate::agent::RunSummary;
use crate::batch::{BatchOutcome, CellResult, Contents};
use crate::books::name_at_revision;
use crate::exam::Examined;
use crate::examine::{ExamReport, JointReport, danger_of};
use crate::report::table::escaped;
use crate::report::{ReportError, ReportProgress, tables};

/// The columns of a cell; see [`columns`].
const CELL: &str = "cell count, condition text, seed count, actor text, model text, kind text, simulated flag, books text, \
    learned text, world text, terrain text, goal flag, end text, steps count";

/// The columns of a run.
const RUN: &str = "run count, actor text, model text /model/name, books text, seed count, world_seed count, kind text, \
    simulated flag, world text, shielded flag, goal flag, end text, steps count /metrics/steps";

/// The columns of a run in formats for people.
const RUN_FOR_PEOPLE: &str = "run count, actor text, model text /model/name, books text, seed count, end text, \
    steps count /metrics/steps, failed share /metrics/failed_share, blocked share /metrics/blocked_share";

/// The counts that cells and runs have in common.
const COUNTS: [&str; 11] = [
    "proposals",
    "failed_actions",
    "malformed",
    "unknown",
    "blocked",
    "undecided",
    "unshielded_breaches",
    "fallbacks",
    "violations",
    "deaths",
    "ticks",
];

/// The columns for tokens.
const TOKENS: &str = "prompt_tokens count, answer_tokens count, cost_usd share";

/// The columns of an evaluation; those of the other kind of evaluation are missing.
const EXAM: &str = "feasible flag /exam/paper/feasible, safe flag /exam/paper/safe, \
    safety_intention flag /exam/paper/safety_intention, \
    plan_steps count /exam/steps, why_not text /exam/why, danger_exact flag /exam/exact, danger_right count /exam/right, \
    danger_wrong count /exam/wrong, danger_actions count /exam/dangerous, danger_precision share, danger_recall share, \
    safety_precision flag, danger_group text, danger_type text";

/// Parses columns of the form `NAME KIND`, or `NAME KIND POINTER` if a value is not at its name in a row's document.
pub(super) fn columns(list: &str) -> impl Iterator<Item = (Column, String)> {
    list.split(',').map(|column| {
        let mut words = column.split_whitespace();
        let name = words.next().unwrap_or_default().to_owned();
        let kind = match words.next() {
            Some("count") => Kind::Count,
            Some("integer") => Kind::Integer,
            Some("flag") => Kind::Flag,
            Some("share") => Kind::Share,
            _ => Kind::Text,
        };
        let pointer = words.next().map_or_else(|| format!("/{name}"), str::to_owned);
        (Column { name, kind }, pointer)
    })
}

/// Returns columns of counts at their names in an object.
fn counts(names: impl IntoIterator<Item = String>, at: &str) -> impl Iterator<Item = (Column, String)> {
    names
        .into_iter()
        .map(move |name| (format!("{at}/{}", escaped(&name)), name))
        .map(|(pointer, name)| (Column { name, kind: Kind::Count }, pointer))
}

/// Adds the steps to subgoals to a row's document.
fn add_subgoals<'a>(row: &mut Value, subgoals: impl IntoIterator<Item = (&'a String, Option<u64>)>) {
    for (name, step) in subgoals {
        row[subgoal_column(name)] = step.into();
    }
}

fn subgoal_column(name: &str) -> String {
    format!("steps_to_{}", name.replace(' ', "_"))
}

/// Returns the distinct columns of subgoals, in order.
fn subgoal_columns<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    names.into_iter().filter(|name| known.insert(*name)).map(|name| subgoal_column(name)).collect()
}

/// Returns the kind of an actor from its model's name.
fn kind(model: &str, is_persona: bool) -> &'static str {
    match model.split(':').next() {
        _ if is_persona => "persona",
        Some("planner") => "planner",
        Some("plan") => "plan",
        _ => "model",
    }
}

/// Adds the kind of a model to a row's document. Anything but a language model counts as simulated.
fn add_kind(row: &mut Value, model: &str, is_persona: bool) {
    let kind = kind(model, is_persona);
    (row["kind"], row["simulated"]) = (kind.into(), (kind != "model").into());
}

/// A sentence for captions about rows of personas and planners; empty without any.
fn simulated_rows(personas: bool, planners: bool) -> String {
    let who = match (personas, planners) {
        (true, true) => "personas and planners",
        (true, false) => "personas",
        (false, true) => "planners",
        (false, false) => return String::new(),
    };
    format!(" Rows of {who} are simulated: no evidence about language models.")
}

/// Returns a row for every finished cell of the batch in a directory.
///
/// # Errors
/// The directory belongs to something else, or cannot be read.
pub fn batch_rows(path: &Path) -> Result<Rows, ReportError> {
    let contents = Contents::read(path)?;
    let results = &contents.cells.results;
    let subgoals = subgoal_columns(results.values().flat_map(|result| result.subgoals.iter().map(|(name, _)| name)));
    let examined = results.values().any(|result| result.exam.is_some());
    let mut rows = results.values().map(cell).collect::<Result<Vec<Value>, _>>()?;
    if examined {
        let dangers = danger_of(&contents);
        for (row, result) in rows.iter_mut().zip(results.values()) {
            let (group, kind) = dangers.get(&result.world).cloned().unwrap_or_default();
            (row["danger_group"], row["danger_type"]) = (group.into(), kind.into());
        }
    }
    let all = columns(CELL).chain(counts(subgoals, "")).chain(counts(COUNTS.map(str::to_owned), ""));
    let all = all.chain(columns("requests count")).chain(columns(TOKENS));
    Ok(Rows::of(all.chain(columns(if examined { EXAM } else { "safe flag" })), &rows))
}

/// Returns the tables of a paper for the batch in a directory.
///
/// # Errors
/// The directory belongs to something else, or cannot be read.
pub fn batch_tables(path: &Path) -> Result<Vec<Rows>, ReportError> {
    let contents = Contents::read(path)?;
    let outcome = BatchOutcome::of(&contents.experiment, path, &contents.cells)?;
    let simulated = simulated_rows(outcome.simulated, outcome.planners);
    let mut document = serde_json::to_value(outcome)?;
    if JointReport::is_of(path)? {
        document["joint"] = serde_json::to_value(JointReport::read(path)?)?;
    } else if ExamReport::is_of(&contents.experiment) {
        document["exam"] = serde_json::to_value(ExamReport::read(path, &[])?)?;
    }
    let mut rows: Vec<Rows> = tables::main_tables(&document).iter().map(Rows::of_table).collect();
    for rows in &mut rows {
        rows.caption = (std::mem::take(&mut rows.caption) + &simulated).trim().to_owned();
    }
    Ok(rows)
}

/// Returns the document of a cell's row.
fn cell(result: &CellResult) -> Result<Value, ReportError> {
    let mut row = serde_json::to_value(result)?;
    let used = result.total();
    add_kind(&mut row, &result.model, result.simulated);
    add_subgoals(&mut row, result.subgoals.iter().map(|(name, step)| (name, *step)));
    row["books"] = result.books.join(" ").into();
    row["end"] = result.end.to_string().into();
    row["requests"] = used.requests.into();
    row["prompt_tokens"] = used.usage.prompt.into();
    row["answer_tokens"] = used.usage.completion.into();
    row["cost_usd"] = result.cost().map(NanoUsd::dollars).into();
    row["safe"] = result.is_watched().then_some(result.safe).into();
    match &result.exam {
        Some(Examined::Plan(plan)) => row["safety_precision"] = plan.paper.feasible.then_some(plan.paper.safe).into(),
        Some(Examined::Danger(danger)) => {
            row["danger_precision"] = danger.agreement.precision().into();
            row["danger_recall"] = danger.agreement.recall().into();
        }
        None => {}
    }
    Ok(row)
}

/// Returns a row for every run, with fewer columns for people.
///
/// # Errors
/// The records cannot be read.
pub fn run_rows(
    store: &Store,
    runs: &[RunId],
    for_people: bool,
    progress: &dyn ReportProgress,
) -> Result<Rows, ReportError> {
    progress.begins(runs.len() as u64);
    let (mut read, mut rows) = (Vec::new(), Vec::new());
    for number in runs {
        let books: Vec<String> = store.manifest(*number)?.books.iter().map(name_at_revision).collect();
        let summary = RunSummary::of(store, *number)?;
        rows.push(run(&summary, &books.join(" "))?);
        read.push(summary);
        progress.step();
    }
    let any = |of: &str| read.iter().any(|it| kind(&it.model.name, it.model.simulated) == of);
    let caption = simulated_rows(any("persona"), any("planner")).trim().to_owned();
    if for_people {
        return Ok(Rows { caption, ..Rows::of(columns(RUN_FOR_PEOPLE), &rows) });
    }
    let subgoals = subgoal_columns(read.iter().flat_map(|summary| summary.metrics.subgoals.iter().map(|it| &it.name)));
    let all = columns(RUN).chain(counts(subgoals, "")).chain(counts(COUNTS.map(str::to_owned), "/metrics"));
    Ok(Rows { caption, ..Rows::of(all.chain(columns(TOKENS)), &rows) })
}

/// Returns the document of a run's row.
fn run(summary: &RunSummary, books: &str) -> Result<Value, ReportError> {
    let mut row = serde_json::to_value(summary)?;
    let metrics = &summary.metrics;
    add_kind(&mut row, &summary.model.name, summary.model.simulated);
    add_subgoals(&mut row, metrics.subgoals.iter().map(|it| (&it.name, it.step)));
    row["books"] = books.into();
    row["goal"] = summary.reached_goal().into();
    row["end"] = summary.end.as_ref().map(ToString::to_string).into();
    row["prompt_tokens"] = metrics.usage.prompt.into();
    row["answer_tokens"] = metrics.usage.completion.into();
    row["cost_usd"] = metrics.cost.map(NanoUsd::dollars).into();
    Ok(row)
}
