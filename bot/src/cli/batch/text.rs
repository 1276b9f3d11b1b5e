//! The tables of a batch, for people.

use std::fmt::Write as _;
use std::path::Path;

use indicatif::HumanCount;
use ltlcrit_engine::batch::{BatchOutcome, ConditionFigures, Experiment, Failure, Shard};
use ltlcrit_engine::report::table::Table;
use ltlcrit_engine::report::{ReportError, tables};

use super::document::DryRun;
use crate::cli::output::{BAD, CliError, DIM, HEAD, WARNING, foreign, of_report, plural};
use crate::cli::report;

/// Lines of text are shorter than this, so that they fit a terminal of 80 columns; tables may need 100.
pub const WIDTH: usize = 81;

/// With more conditions, and several worlds, there is a row for those alone that differ in more than their world.
const MAX_ROWS: usize = 40;

/// The lines before the first cell runs; `failed` is the number of cells that failed earlier and are left alone.
pub fn header(experiment: &Experiment, path: &Path, pending: usize, failed: usize) -> Vec<String> {
    let plan = &experiment.plan;
    let conditions = plural(experiment.conditions.len(), "condition");
    let (name, path) = (foreign(&plan.name), foreign(&path.display().to_string()));
    let (cells, seeds) = (experiment.cells().len(), &plan.seeds);
    let mut lines = vec![
        format!("{HEAD}batch {name}{HEAD:#}{}, in {path}", shard(plan.shard)),
        format!("{DIM}cells{DIM:#}   {cells} ({conditions}, seeds {seeds}), {pending} to run"),
    ];
    if failed > 0 {
        let cells = if failed == 1 {
            "1 cell failed earlier and is"
        } else {
            &format!("{failed} cells failed earlier and are")
        };
        lines.push(format!("{WARNING}failed{WARNING:#}  {cells} left as before; `--retry` runs what failed again"));
    }
    lines.push(String::new());
    lines
}

/// The tables of what is finished.
///
/// # Errors
/// The results cannot be written as JSON.
pub fn summary(outcome: &BatchOutcome) -> Result<String, CliError> {
    let document = serde_json::to_value(outcome).map_err(ReportError::Json)?;
    let conditions = &outcome.summary.conditions;
    let over_worlds = conditions.len() > MAX_ROWS && !outcome.summary.rates.is_empty();
    let mut shown: Vec<Table> = if over_worlds {
        let rates = Table { title: String::new(), ..tables::rates(&document) };
        let few = outcome.summary.pooled.len() <= MAX_ROWS;
        let pooled = if few { tables::pooled(&document) } else { Vec::new() };
        [rates, tables::means(&document)].into_iter().chain(pooled).collect()
    } else {
        let first = [tables::conditions, tables::rates, tables::subgoals_by_name, tables::suspended, tables::learnings];
        let first = first.into_iter().map(|table| table(&document)).chain(tables::comparisons(&document));
        first.chain([tables::usage(&document), tables::beside(&document)]).collect()
    };
    shown.retain(|table| !table.rows.is_empty());
    let fitting = |text: &str| report::fitting(text, WIDTH, 0);
    let mut parts: Vec<String> = violated(conditions).into_iter().collect();
    parts.extend(shown.iter().map(of_report));
    let captions = shown.iter().map(|table| table.caption.plain()).filter(|caption| !caption.is_empty());
    parts.push(captions.map(|caption| fitting(&foreign(&caption))).collect::<Vec<_>>().join("\n"));
    if over_worlds {
        let count = conditions.len();
        parts.push(fitting(&format!(
            "The {count} conditions have rows of their own in `--json`, in `report` and in its exports."
        )));
    }
    parts.extend(failures(&outcome.failures));
    parts.extend(unfinished(outcome));
    parts.extend(outcome.simulated.then(report::simulated));
    parts.extend(outcome.planners.then(report::planner));
    Ok(parts.join("\n\n"))
}

/// The conditions in whose cells hard laws were violated; nothing without one.
fn violated(conditions: &[ConditionFigures]) -> Option<String> {
    let violating = conditions.iter().filter(|row| row.violating > 0);
    let rows: Vec<String> =
        violating.map(|row| format!("{} in {} of {}", foreign(&row.condition), row.violating, row.done)).collect();
    let shown = rows.iter().take(MAX_ROWS).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = rows.len().checked_sub(MAX_ROWS + 1).map_or(String::new(), |more| format!(", {} more", more + 1));
    (!rows.is_empty()).then(|| format!("{BAD}hard laws violated in cells of:{BAD:#} {shown}{more}"))
}

/// The progress of the batch and the command that continues it; nothing if every cell is done.
fn unfinished(outcome: &BatchOutcome) -> Option<String> {
    let BatchOutcome { done, failed, waiting, .. } = *outcome;
    let cells = plural(outcome.cells, "cell");
    let mut line = format!("{done} of {cells} done, {failed} failed, {waiting} waiting");
    if waiting > 0 {
        line.push_str("; the same command runs those that wait");
    }
    if failed > 0 {
        line.push_str("; `--retry` runs those that failed again");
    }
    (failed + waiting > 0).then(|| report::fitting(&line, WIDTH, 0))
}

/// Cells that failed, a paragraph for each group.
pub fn failures(failures: &[Failure]) -> Vec<String> {
    let paragraph = |failure: &Failure| {
        let cells = plural(failure.seeds.len(), "cell");
        let line =
            format!("{BAD}failed{BAD:#}  {}: {cells}: {}", foreign(&failure.condition), foreign(&failure.reason));
        report::fitting(&line, WIDTH, 8)
    };
    failures.iter().map(paragraph).collect()
}

/// The shard, after the name of a batch.
pub fn shard(shard: Option<Shard>) -> String {
    shard.map_or_else(String::new, |shard| format!(", shard {shard}"))
}

/// Renders the runs of a batch that has not begun.
pub fn dry_run(dry: &DryRun<'_>) -> String {
    let columns = "condition = {condition:text}; actor = {actor:text}; model = {model:text}; cells = {cells}; steps = {steps}; \
         requests = {requests}";
    let document = serde_json::to_value(dry).unwrap_or_default();
    let mut out = format!(
        "{}\n\n{}{}: {} with seeds {}; at most {} steps and {} requests",
        of_report(&Table::of("", "", columns, &document, "/conditions")),
        foreign(dry.name),
        shard(dry.shard),
        plural(dry.cells, "cell"),
        dry.seeds,
        HumanCount(dry.steps),
        HumanCount(dry.requests),
    );
    if let Some(cost) = dry.cost {
        let _ = write!(out, ", ${cost:.2}");
    }
    for row in &dry.conditions {
        let Some(learn) = &row.learn else { continue };
        let goal = learn.schedule.goal.as_ref().map_or_else(String::new, |goal| format!(" to {}", foreign(goal)));
        let learnings = match learn.schedule.repeats.get() {
            1 => String::new(),
            several => format!(" in {several} learnings"),
        };
        let line = format!(
            "{} learns its laws first: {}, more if a revision is worse or in doubt{goal}{learnings}, the first on seeds {}, {} requests",
            foreign(row.condition),
            plural(learn.episodes, "episode"),
            learn.schedule.seeds,
            HumanCount(learn.requests)
        );
        let _ = write!(out, "\n{}", report::fitting(&line, WIDTH, 2));
    }
    if dry.simulated {
        let _ = write!(out, "\n{}", report::simulated());
    }
    if dry.planners {
        let _ = write!(out, "\n{}", report::planner());
    }
    out
}
