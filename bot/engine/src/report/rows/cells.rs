//! Rows of batches and runs.

use std::path::Path;

use ltlcrit_model::NanoUsd;
use ltlcrit_store::{RunId, Store};

use super::cell::{Cell, Kind};
use super::table::Rows;
use crate::agent::RunSummary;
use crate::batch::{BatchSummary, CellResult, ConditionFigures, Contents, PairedComparison};
use crate::books::name_at_revision;
use crate::exam::Examined;
use crate::report::{ReportError, ReportProgress};

/// A value with the name and the kind of its column.
type Named = (String, Kind, Cell);

fn text(name: &str, value: impl Into<Cell>) -> Named {
    (name.to_owned(), Kind::Text, value.into())
}

fn count(name: &str, value: impl Into<Cell>) -> Named {
    (name.to_owned(), Kind::Count, value.into())
}

fn number(name: &str, value: impl Into<Cell>) -> Named {
    (name.to_owned(), Kind::Number, value.into())
}

fn share(name: &str, value: impl Into<Cell>) -> Named {
    (name.to_owned(), Kind::Share, value.into())
}

fn flag(name: &str, value: bool) -> Named {
    (name.to_owned(), Kind::Flag, value.into())
}

fn dollars(cost: Option<NanoUsd>) -> Named {
    share("cost_usd", cost.map(NanoUsd::dollars))
}

/// The steps to subgoals, a column for each of `names`.
fn subgoals(names: &[String], step: impl Fn(&str) -> Option<u64>) -> impl Iterator<Item = Named> {
    names.iter().map(move |name| count(&format!("steps_to_{}", name.replace(' ', "_")), step(name)))
}

/// The names in lists, each once, in order.
fn distinct<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}

/// The batch in a directory: a row for every finished cell, or for people a row for every condition.
///
/// # Errors
/// A directory of something else, or one that cannot be read.
pub fn batch_rows(path: &Path, for_people: bool) -> Result<Rows, ReportError> {
    let contents = Contents::read(path)?;
    if for_people {
        let summary = BatchSummary::of(&contents.experiment, &contents.cells)?;
        let compared = |row: &ConditionFigures| summary.comparisons.iter().find(|it| it.condition == row.condition);
        return Ok(Rows::of(summary.conditions.iter().map(|row| condition(row, compared(row)))));
    }
    let results = contents.cells.results.iter().collect::<Result<Vec<CellResult>, _>>()?;
    let names = distinct(results.iter().flat_map(|result| result.subgoals.iter().map(|(name, _)| name)));
    let examined = results.iter().any(|result| result.exam.is_some());
    let row = |result: &CellResult| {
        let mut row = cell(result, &names);
        if examined {
            row.extend(exam(result.exam.as_ref()));
        }
        row
    };
    Ok(Rows::of(results.iter().map(row)))
}

/// The columns of examinations; those of the other kind are missing.
fn exam(examined: Option<&Examined>) -> Vec<Named> {
    let plan = examined.and_then(Examined::plan);
    let danger = examined.and_then(Examined::danger);
    let answer = |name: &str, of: Option<bool>| (name.to_owned(), Kind::Flag, Cell::from(of));
    vec![
        answer("feasible", plan.map(|it| it.paper.feasible)),
        answer("safe", plan.map(|it| it.paper.safe)),
        answer("safety_intention", plan.map(|it| it.paper.safety_intention)),
        answer("original_feasible", plan.map(|it| it.original.feasible)),
        answer("original_safe", plan.map(|it| it.original.safe)),
        answer("original_safety_intention", plan.map(|it| it.original.safety_intention)),
        count("plan_steps", plan.map(|it| it.steps as u64)),
        text("why_not", plan.and_then(|it| it.why.as_deref())),
        answer("danger_exact", danger.map(|it| it.exact)),
        count("danger_right", danger.map(|it| it.right as u64)),
        count("danger_wrong", danger.map(|it| it.wrong as u64)),
        count("danger_actions", danger.map(|it| it.dangerous as u64)),
        share("danger_precision", danger.and_then(|it| it.agreement.precision())),
        share("danger_recall", danger.and_then(|it| it.agreement.recall())),
    ]
}

fn condition(row: &ConditionFigures, compared: Option<&PairedComparison>) -> Vec<Named> {
    let interval = row.goal_interval.as_ref();
    let saved = compared.and_then(|it| it.saved.as_ref());
    vec![
        text("condition", row.condition.as_str()),
        count("goals", row.goals),
        count("seeds", row.done),
        share("low", interval.map(|it| it.low)),
        share("high", interval.map(|it| it.high)),
        number("steps", row.mean_steps),
        number("at limit", row.mean_steps_at_limit),
        share("failed", row.failed),
        share("blocked", row.blocked),
        number("saved", saved.map(|it| it.estimate)),
        number("saved low", saved.map(|it| it.interval.low)),
        number("saved high", saved.map(|it| it.interval.high)),
        share("p", compared.and_then(|it| it.steps.as_ref()).map(|test| test.p)),
        share("goals p", compared.and_then(|it| it.goals.as_ref()).map(|test| test.p)),
    ]
}

fn cell(result: &CellResult, names: &[String]) -> Vec<Named> {
    let used = result.total();
    let step = |name: &str| result.subgoals.iter().find(|(known, _)| known == name).and_then(|(_, step)| *step);
    let mut row = vec![
        count("cell", result.cell as u64),
        text("condition", result.condition.as_str()),
        count("seed", result.seed),
        text("actor", result.actor.as_str()),
        text("model", result.model.as_str()),
        flag("simulated", result.simulated),
        text("books", result.books.join(" ")),
        text("learned", result.learned.as_deref()),
        text("world", result.world.as_str()),
        text("terrain", result.terrain.as_str()),
        flag("goal", result.goal),
        text("end", result.end.to_string()),
        count("steps", result.steps),
    ];
    row.extend(subgoals(names, step));
    row.extend([
        count("proposals", result.proposals),
        count("failed_actions", result.failed_actions),
        count("malformed", result.malformed),
        count("unknown", result.unknown),
        count("blocked", result.blocked),
        count("undecided", result.undecided),
        count("unshielded_breaches", result.unshielded_breaches),
        count("fallbacks", result.fallbacks),
        count("violations", result.violations),
        count("deaths", result.deaths),
        count("ticks", result.ticks),
        count("requests", used.requests),
        count("prompt_tokens", used.usage.prompt),
        count("answer_tokens", used.usage.completion),
        dollars(result.cost()),
    ]);
    row
}

/// A row for every run; for people with fewer columns.
///
/// # Errors
/// Records that cannot be read.
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
    Ok(Rows::of(read.iter().map(|(summary, books)| run(summary, books, &names, for_people))))
}

fn run(summary: &RunSummary, books: &str, names: &[String], for_people: bool) -> Vec<Named> {
    let metrics = &summary.metrics;
    let step = |name: &str| metrics.subgoals.iter().find(|it| it.name == name).and_then(|it| it.step);
    let ended = summary.end.as_ref().map(ToString::to_string);
    let mut row = vec![
        count("run", summary.run.0),
        text("actor", summary.actor.as_str()),
        text("model", summary.model.name.as_str()),
        text("books", books),
        count("seed", summary.seed),
    ];
    if !for_people {
        row.extend([
            count("world_seed", summary.world_seed),
            flag("simulated", summary.model.simulated),
            text("world", summary.world.as_str()),
            flag("shielded", summary.shielded),
            flag("goal", summary.reached_goal()),
        ]);
    }
    row.extend([text("end", ended), count("steps", metrics.steps)]);
    if for_people {
        row.extend([share("failed", metrics.failed_share), share("blocked", metrics.blocked_share)]);
        return row;
    }
    row.extend(subgoals(names, step));
    row.extend([
        count("proposals", metrics.proposals),
        count("failed_actions", metrics.failed_actions),
        count("malformed", metrics.malformed),
        count("unknown", metrics.unknown),
        count("blocked", metrics.blocked),
        count("undecided", metrics.undecided),
        count("unshielded_breaches", metrics.unshielded_breaches),
        count("fallbacks", metrics.fallbacks),
        count("violations", metrics.violations),
        count("deaths", metrics.deaths),
        count("ticks", metrics.ticks),
        count("prompt_tokens", metrics.usage.prompt),
        count("answer_tokens", metrics.usage.completion),
        dollars(metrics.cost),
    ]);
    row
}
