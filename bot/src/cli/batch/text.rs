//! The tables of a batch, for people.

use std::fmt::Write as _;
use std::path::Path;

use indicatif::HumanCount;
use ltlcrit_engine::batch::{ConditionFigures, Experiment, PairedComparison, Shard};

use super::document::{Document, DryRun, Failure, simulated};
use crate::cli::report;
use crate::cli::store::plural;
use crate::cli::style::{BAD, DIM, HEAD};
use crate::cli::table::Columns;
use crate::cli::terminal::foreign;

/// Lines of text are shorter than this, so that they fit a terminal of 80 columns.
pub const WIDTH: usize = 81;

/// The lines before the first cell runs.
pub fn header(experiment: &Experiment, path: &Path, pending: usize) -> Vec<String> {
    let plan = &experiment.plan;
    let conditions = plural(experiment.conditions.len() as u64, "condition");
    let mut lines = vec![
        format!(
            "{HEAD}batch {}{HEAD:#}{}, in {}",
            foreign(&plan.name),
            shard(plan.shard),
            foreign(&path.display().to_string())
        ),
        format!(
            "{DIM}cells{DIM:#}   {} ({conditions}, seeds {}), {pending} to run",
            experiment.cells().len(),
            plan.seeds
        ),
    ];
    lines.extend(simulated(experiment).then(report::simulated));
    lines.push(String::new());
    lines
}

/// The tables of what is finished.
pub fn summary(experiment: &Experiment, document: &Document<'_>) -> String {
    let summary = document.summary;
    let mut out = format!("{}\n", figures(&summary.conditions));
    if let Some(first) = summary.comparisons.first() {
        let against = format!("compared with {} on the same seeds:", foreign(&first.against));
        let _ = write!(out, "\n{against}\n{}\n", comparisons(&summary.comparisons));
    }
    let _ = write!(out, "\n{}\n", usage(&summary.conditions));
    let caption = format!(
        "The unit is the seed. Steps are means over the seeds that reached the goal; `at limit` is over all seeds, those that \
         missed it counted at {} steps, and so are the steps saved. failed, blocked: shares of the proposals. Intervals are of \
         95%: Wilson for goals, BCa for steps. p: sign-flip test of the steps; goals p: exact McNemar test of the goals; better: \
         the share of seeds with fewer steps, ties counting one half. The values of p are not corrected for \
         the number of conditions.",
        experiment.steps()
    );
    let _ = write!(out, "\n{}", report::fitting(&caption, WIDTH, 0));
    let _ = write!(out, "{}", failures(&document.failures));
    if document.failed + document.waiting > 0 {
        let line = format!(
            "{} of {} done, {} failed, {} waiting; the same command goes on{}",
            document.done,
            plural(document.cells as u64, "cell"),
            document.failed,
            document.waiting,
            if document.failed > 0 { ", with --retry also with the failed ones" } else { "" }
        );
        let _ = write!(out, "\n\n{}", report::fitting(&line, WIDTH, 0));
    }
    if document.simulated {
        let _ = write!(out, "\n\n{}", report::simulated());
    }
    out
}

/// Cells that failed, each group after an empty line.
pub fn failures(failures: &[Failure]) -> String {
    let mut out = String::new();
    for failure in failures {
        let cells = plural(failure.seeds.len() as u64, "cell");
        let line =
            format!("{BAD}failed{BAD:#}  {}: {cells}: {}", foreign(&failure.condition), foreign(&failure.reason));
        let _ = write!(out, "\n\n{}", report::fitting(&line, WIDTH, 8));
    }
    out
}

/// The shard, after the name of a batch.
pub fn shard(shard: Option<Shard>) -> String {
    shard.map_or_else(String::new, |shard| format!(", shard {shard}"))
}

fn figures(conditions: &[ConditionFigures]) -> String {
    let mut table = Columns::new(["condition", ">goals", ">95%", ">steps", ">at limit", ">failed", ">blocked"]);
    for row in conditions {
        let interval = row.goal_interval.as_ref().map(|it| format!("{:.0}-{:.0}%", 100.0 * it.low, 100.0 * it.high));
        table.row([
            foreign(&row.condition),
            format!("{}/{}", row.goals, row.done),
            or_dash(interval),
            or_dash(row.mean_steps.map(|steps| format!("{steps:.1}"))),
            or_dash(row.mean_steps_at_limit.map(|steps| format!("{steps:.1}"))),
            percent(row.failed),
            percent(row.blocked),
        ]);
    }
    table.text()
}

fn comparisons(comparisons: &[PairedComparison]) -> String {
    let mut table = Columns::new(["condition", ">seeds", ">saved", ">95%", ">p", ">goals p", ">better"]);
    for row in comparisons {
        let saved = row.saved.as_ref();
        table.row([
            foreign(&row.condition),
            row.seeds.to_string(),
            or_dash(saved.map(|saved| format!("{:.1}", saved.estimate))),
            or_dash(saved.map(|saved| format!("{:.1} to {:.1}", saved.interval.low, saved.interval.high))),
            or_dash(row.steps.as_ref().map(|test| p(test.p))),
            or_dash(row.goals.as_ref().map(|test| p(test.p))),
            or_dash(row.improvement.map(|share| format!("{:.0}%", 100.0 * share))),
        ]);
    }
    table.text()
}

fn usage(conditions: &[ConditionFigures]) -> String {
    let mut table = Columns::new(["condition", ">tokens", ">cost"]);
    for row in conditions {
        let cost = row.cost.filter(|_| row.done > 0).map(|cost| cost.to_string());
        table.row([foreign(&row.condition), HumanCount(row.tokens).to_string(), or_dash(cost)]);
    }
    table.text()
}

/// What a batch would run.
pub fn dry_run(dry: &DryRun<'_>) -> String {
    let mut table = Columns::new(["condition", "actor", "model", ">cells", ">steps", ">requests"]);
    for row in &dry.conditions {
        table.row([
            foreign(row.condition),
            row.actor.to_owned(),
            foreign(&row.model),
            row.cells.to_string(),
            HumanCount(row.steps).to_string(),
            HumanCount(row.requests).to_string(),
        ]);
    }
    let mut out = format!(
        "{}\n\n{}{}: {} with seeds {}; at most {} steps and {} requests",
        table.text(),
        foreign(dry.name),
        shard(dry.shard),
        plural(dry.cells as u64, "cell"),
        dry.seeds,
        HumanCount(dry.steps),
        HumanCount(dry.requests),
    );
    if let Some(cost) = dry.cost {
        let _ = write!(out, ", ${cost:.2}");
    }
    if dry.simulated {
        let _ = write!(out, "\n{}", report::simulated());
    }
    out
}

/// A p-value.
fn p(p: f64) -> String {
    if p < 0.001 { "<.001".to_owned() } else { format!("{p:.3}") }
}

fn percent(share: Option<f64>) -> String {
    or_dash(share.map(|share| format!("{:.1}%", 100.0 * share)))
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}
