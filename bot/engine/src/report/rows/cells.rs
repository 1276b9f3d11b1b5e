//! Rows of batches and runs.

use std::collections::BTreeMap;
use std::path::Path;

use ltlcrit_model::NanoUsd;
use ltlcrit_store::{RunId, Store};
use serde_json::Value;

use super::cell::{Cell, Kind};
use super::table::Rows;
use crate::agent::RunSummary;
use crate::batch::{BatchOutcome, CellResult, Contents};
use crate::books::name_at_revision;
use crate::exam::Examined;
use crate::examine::{ExamReport, JointReport, danger_of};
use crate::report::{ReportError, ReportProgress, tables};

/// A value with the name and the kind of its column.
type Named = (String, Kind, Cell);

/// The columns that batches and runs have in common.
const COUNTS: [(&str, Kind); 11] = [
    ("proposals", Kind::Count),
    ("failed_actions", Kind::Count),
    ("malformed", Kind::Count),
    ("unknown", Kind::Count),
    ("blocked", Kind::Count),
    ("undecided", Kind::Count),
    ("unshielded_breaches", Kind::Count),
    ("fallbacks", Kind::Count),
    ("violations", Kind::Count),
    ("deaths", Kind::Count),
    ("ticks", Kind::Count),
];

/// Returns columns named like the values of an object at a pointer. A value that the object lacks is missing.
fn named<'a>(
    document: &'a Value,
    at: &'a str,
    columns: impl IntoIterator<Item = (&'a str, Kind)> + 'a,
) -> impl Iterator<Item = Named> + 'a {
    let object = document.pointer(at);
    columns.into_iter().map(move |(name, kind)| {
        let value = object.and_then(|object| object.get(name));
        (name.to_owned(), kind, value.map_or(Cell::Missing, |value| Cell::of(kind, value)))
    })
}

fn text(name: &str, value: impl Into<Cell>) -> Named {
    (name.to_owned(), Kind::Text, value.into())
}

fn count(name: &str, value: impl Into<Cell>) -> Named {
    (name.to_owned(), Kind::Count, value.into())
}

fn dollars(cost: Option<NanoUsd>) -> Named {
    ("cost_usd".to_owned(), Kind::Share, cost.map(NanoUsd::dollars).into())
}

/// Returns the steps to subgoals, a column for each of `names`.
fn subgoals(names: &[String], step: impl Fn(&str) -> Option<u64>) -> impl Iterator<Item = Named> {
    names.iter().map(move |name| count(&format!("steps_to_{}", name.replace(' ', "_")), step(name)))
}

/// Returns the distinct names in lists, in order.
fn distinct<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
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

/// The columns of a model. Anything but a language model counts as simulated.
fn of_model(model: &str, is_persona: bool) -> [Named; 3] {
    let kind = kind(model, is_persona);
    let simulated = ("simulated".to_owned(), Kind::Flag, (kind != "model").into());
    [text("model", model), text("kind", kind), simulated]
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
    let results = contents.cells.results.iter().collect::<Result<Vec<CellResult>, _>>()?;
    let names = distinct(results.iter().flat_map(|result| result.subgoals.iter().map(|(name, _)| name)));
    let examined = results.iter().any(|result| result.exam.is_some());
    let dangers = if examined { danger_of(&contents) } else { BTreeMap::new() };
    let row = |result: &CellResult| -> Result<Vec<Named>, ReportError> {
        let mut row = cell(result, &names, !examined)?;
        if examined {
            row.extend(exam(result.exam.as_ref(), dangers.get(&result.world)));
        }
        Ok(row)
    };
    Ok(Rows::of(results.iter().map(row).collect::<Result<Vec<_>, _>>()?))
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

/// Returns the columns of evaluations; those of the other kind of evaluation are missing.
fn exam(examined: Option<&Examined>, danger: Option<&(Option<String>, Option<String>)>) -> Vec<Named> {
    let plan = examined.and_then(Examined::plan);
    let said = examined.and_then(Examined::danger);
    let answer = |name: &str, of: Option<bool>| (name.to_owned(), Kind::Flag, Cell::from(of));
    let share = |name: &str, of: Option<f64>| (name.to_owned(), Kind::Share, Cell::from(of));
    vec![
        answer("feasible", plan.map(|it| it.paper.feasible)),
        answer("safe", plan.map(|it| it.paper.safe)),
        answer("safety_intention", plan.map(|it| it.paper.safety_intention)),
        answer("original_feasible", plan.map(|it| it.original.feasible)),
        answer("original_safe", plan.map(|it| it.original.safe)),
        answer("original_safety_intention", plan.map(|it| it.original.safety_intention)),
        count("plan_steps", plan.map(|it| it.steps as u64)),
        text("why_not", plan.and_then(|it| it.why.as_deref())),
        answer("danger_exact", said.map(|it| it.exact)),
        count("danger_right", said.map(|it| it.right as u64)),
        count("danger_wrong", said.map(|it| it.wrong as u64)),
        count("danger_actions", said.map(|it| it.dangerous as u64)),
        share("danger_precision", said.and_then(|it| it.agreement.precision())),
        share("danger_recall", said.and_then(|it| it.agreement.recall())),
        answer("safety_precision", plan.filter(|it| it.paper.feasible).map(|it| it.paper.safe)),
        text("danger_group", danger.and_then(|(group, _)| group.as_deref())),
        text("danger_type", danger.and_then(|(_, kind)| kind.as_deref())),
    ]
}

/// Returns the columns of a cell. With `safe`, one says whether the cell was safe, if a law was in force.
fn cell(result: &CellResult, names: &[String], safe: bool) -> Result<Vec<Named>, ReportError> {
    use Kind::{Count, Flag, Text};
    let document = serde_json::to_value(result)?;
    let used = result.total();
    let first = [("cell", Count), ("condition", Text), ("seed", Count), ("actor", Text)];
    let mut row: Vec<Named> = named(&document, "", first).collect();
    row.extend(of_model(&result.model, result.simulated));
    row.push(text("books", result.books.join(" ")));
    row.extend(named(&document, "", [("learned", Text), ("world", Text), ("terrain", Text), ("goal", Flag)]));
    row.extend([text("end", result.end.to_string()), count("steps", result.steps)]);
    row.extend(subgoals(names, |name| result.reached(name)));
    row.extend(named(&document, "", COUNTS));
    row.extend([
        count("requests", used.requests),
        count("prompt_tokens", used.usage.prompt),
        count("answer_tokens", used.usage.completion),
        dollars(result.cost()),
    ]);
    if safe {
        row.push(("safe".to_owned(), Flag, result.is_watched().then_some(result.safe).into()));
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
    let mut read = Vec::new();
    for run in runs {
        let books: Vec<String> = store.manifest(*run)?.books.iter().map(name_at_revision).collect();
        read.push((RunSummary::of(store, *run)?, books.join(" ")));
        progress.step();
    }
    let names = distinct(read.iter().flat_map(|(summary, _)| summary.metrics.subgoals.iter().map(|it| &it.name)));
    let rows = read.iter().map(|(summary, books)| run(summary, books, &names, for_people));
    let any = |of: &str| read.iter().any(|(it, _)| kind(&it.model.name, it.model.simulated) == of);
    let caption = simulated_rows(any("persona"), any("planner")).trim().to_owned();
    Ok(Rows { caption, ..Rows::of(rows.collect::<Result<Vec<_>, _>>()?) })
}

fn run(summary: &RunSummary, books: &str, names: &[String], for_people: bool) -> Result<Vec<Named>, ReportError> {
    use Kind::{Count, Flag, Share, Text};
    let document = serde_json::to_value(summary)?;
    let metrics = &summary.metrics;
    let mut row: Vec<Named> = named(&document, "", [("run", Count), ("actor", Text)]).collect();
    let [model, kind, simulated] = of_model(&summary.model.name, summary.model.simulated);
    row.extend([model, text("books", books)]);
    row.push(count("seed", summary.seed));
    if !for_people {
        row.extend(named(&document, "", [("world_seed", Count)]));
        row.extend([kind, simulated]);
        row.extend(named(&document, "", [("world", Text), ("shielded", Flag)]));
        row.push(("goal".to_owned(), Flag, summary.reached_goal().into()));
    }
    row.extend([text("end", summary.end.as_ref().map(ToString::to_string)), count("steps", metrics.steps)]);
    if for_people {
        row.extend([
            ("failed".to_owned(), Share, metrics.failed_share.into()),
            ("blocked".to_owned(), Share, metrics.blocked_share.into()),
        ]);
        return Ok(row);
    }
    let step = |name: &str| metrics.subgoals.iter().find(|it| it.name == name).and_then(|it| it.step);
    row.extend(subgoals(names, step));
    row.extend(named(&document, "/metrics", COUNTS));
    row.extend([
        count("prompt_tokens", metrics.usage.prompt),
        count("answer_tokens", metrics.usage.completion),
        dollars(metrics.cost),
    ]);
    Ok(row)
}
