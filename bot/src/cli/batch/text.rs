//! The tables of a batch, for people.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use indicatif::HumanCount;
use ltlcrit_engine::batch::{
    ConditionFigures, Experiment, LEARNED_ONCE, Learning, PairedComparison, Rates, RatesByNumber, Reference, Shard,
    SubgoalFigures,
};
use ltlcrit_statistics::Interval;

use super::document::{Document, DryRun, Failure, simulated};
use crate::cli::output::plural;
use crate::cli::output::style::{BAD, DIM, HEAD, WARNING};
use crate::cli::output::table::Columns;
use crate::cli::output::terminal::foreign;
use crate::cli::report;

/// Lines of text are shorter than this, so that they fit a terminal of 80 columns; tables may need 100.
pub const WIDTH: usize = 81;

/// With more conditions, and several worlds, there is a row for those alone that differ in more than their world.
const MOST_ROWS: usize = 40;

/// The lines before the first cell runs; `failed` is the number of cells that failed earlier and are left alone.
pub fn header(experiment: &Experiment, path: &Path, pending: usize, failed: usize) -> Vec<String> {
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
    if failed > 0 {
        let cells = if failed == 1 {
            "1 cell failed earlier and is"
        } else {
            &format!("{failed} cells failed earlier and are")
        };
        lines.push(format!("{WARNING}failed{WARNING:#}  {cells} left as before; `--retry` runs what failed again"));
    }
    lines.extend(simulated(experiment).then(report::simulated));
    lines.push(String::new());
    lines
}

/// The tables of what is finished.
pub fn summary(experiment: &Experiment, document: &Document<'_>) -> String {
    let summary = document.summary;
    let violated = violated(&summary.conditions);
    if summary.conditions.len() > MOST_ROWS && !summary.rates.is_empty() {
        return violated + &over_worlds(document, experiment.plan.reference.as_ref());
    }
    let mut out = format!("{violated}{}\n", figures(&summary.conditions));
    if !summary.rates.is_empty() {
        let _ = write!(out, "\nover all worlds:\n{}\n", rates(&summary.rates));
    }
    if let Some(table) = subgoals(&summary.conditions) {
        let _ = write!(out, "\nsteps to each subgoal, of those that reached it / of all at limit:\n{table}\n");
    }
    if let Some(table) = suspended(&summary.conditions) {
        let _ = write!(out, "\nsteps for which soft laws gave way, and which:\n{table}\n");
    }
    if !document.learnings.is_empty() {
        let table = learned(document.learnings);
        let _ = write!(out, "\nlearned before the first cell:\n{table}\n");
    }
    for rows in summary.comparisons.chunk_by(|one, next| one.against == next.against) {
        let Some(first) = rows.first() else { continue };
        let against = format!("compared with {} on the same seeds:", foreign(&first.against));
        let _ = write!(out, "\n{against}\n{}\n", comparisons(rows));
    }
    let _ = write!(out, "\n{}\n", usage(&summary.conditions));
    let caption = format!(
        "The unit is the seed. Steps are means over the seeds that reached the goal; `at limit` is over all seeds, those that \
         missed it counted at {} steps; IQM is the mean of the middle half of these, and the steps saved are their differences. \
         optimum: the steps to the goal as a multiple of the least number of actions that the exact planner finds from the first \
         state. failed, blocked: shares of the proposals. Intervals are of 95%: Wilson for goals, BCa for steps. p: sign-flip \
         test of the steps; goals p: exact McNemar test of the goals; better: the share of seeds with fewer steps, ties \
         counting one half. The values of p are not corrected for the number of comparisons. tokens, cost: of all cells; game \
         time: of a cell.",
        experiment.steps()
    );
    let _ = write!(out, "\n{}", report::fitting(&caption, WIDTH, 0));
    if !document.learnings.is_empty() {
        let _ = write!(out, "\n\n{}", report::fitting(LEARNED_ONCE, WIDTH, 0));
    }
    if let Some(reference) = &experiment.plan.reference {
        let _ = write!(out, "\n\n{}", beside(reference, &summary.conditions));
    }
    let _ = write!(out, "{}", failures(&document.failures));
    out.push_str(&unfinished(document));
    if document.simulated {
        let _ = write!(out, "\n\n{}", report::simulated());
    }
    if document.planners {
        let _ = write!(out, "\n\n{}", report::planner());
    }
    out
}

/// The conditions in whose cells hard laws were violated; nothing without one.
fn violated(conditions: &[ConditionFigures]) -> String {
    let violating = conditions.iter().filter(|row| row.violating > 0);
    let rows: Vec<String> =
        violating.map(|row| format!("{} in {} of {}", foreign(&row.condition), row.violating, row.done)).collect();
    if rows.is_empty() {
        return String::new();
    }
    let shown = rows.iter().take(MOST_ROWS).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = rows.len().checked_sub(MOST_ROWS + 1).map_or(String::new(), |more| format!(", {} more", more + 1));
    format!("{BAD}hard laws violated in cells of:{BAD:#} {shown}{more}\n\n")
}

/// The progress of the batch and the command that continues it; empty if every cell is done.
fn unfinished(document: &Document<'_>) -> String {
    let Document { done, failed, waiting, .. } = *document;
    let cells = plural(document.cells as u64, "cell");
    let mut line = format!("{done} of {cells} done, {failed} failed, {waiting} waiting");
    if waiting > 0 {
        line.push_str("; the same command runs those that wait");
    }
    if failed > 0 {
        line.push_str("; `--retry` runs those that failed again");
    }
    match failed + waiting {
        0 => String::new(),
        _ => format!("\n\n{}", report::fitting(&line, WIDTH, 0)),
    }
}

/// The rates alone, where a row for every world and condition would be too many.
fn over_worlds(document: &Document<'_>, reference: Option<&Reference>) -> String {
    let summary = document.summary;
    let mut out = format!("{}\n", rates(&summary.rates));
    if !summary.by_number.is_empty() {
        let _ = write!(out, "\nover all numbers of laws:\n{}\n", means(&summary.by_number, reference));
    }
    let caption = format!(
        "Over all worlds of the plan and all seeds. success: the goal was reached; safe: no law was violated and, where the run \
         stopped, none was owed anything. Intervals are Wilson's, of 95%. The {} conditions have rows of their own in \
         `--json`, in `report` and in its exports.",
        summary.conditions.len()
    );
    let _ = write!(out, "\n{}", report::fitting(&caption, WIDTH, 0));
    if let Some(reference) = reference {
        let note = format!("paper: {}. {}", foreign(&reference.source), foreign(&reference.note));
        let _ = write!(out, "\n\n{}", report::fitting(&note, WIDTH, 0));
    }
    let _ = write!(out, "{}", failures(&document.failures));
    out.push_str(&unfinished(document));
    if document.simulated {
        let _ = write!(out, "\n\n{}", report::simulated());
    }
    if document.planners {
        let _ = write!(out, "\n\n{}", report::planner());
    }
    out
}

/// The rates over all numbers of laws, those of a paper under the condition that they are compared with.
fn means(rows: &[RatesByNumber], reference: Option<&Reference>) -> String {
    let mut table = Columns::new(["condition", ">success", ">safe"]);
    let share = |share: Option<f64>| or_dash(share.map(|share| format!("{:.0}%", 100.0 * share)));
    for row in rows {
        table.row([foreign(&row.condition), share(row.mean_success), share(row.mean_safe)]);
        let theirs = reference.iter().flat_map(|it| &it.rows).filter(|theirs| theirs.condition == row.condition);
        for theirs in theirs {
            table.row([format!("  {}, paper", foreign(&theirs.name)), share(theirs.success), share(theirs.safe)]);
        }
    }
    table.text()
}

fn rates(rates: &[Rates]) -> String {
    let mut table = Columns::new(["condition", ">success", ">95%", ">safe", ">95%", ">both"]);
    let interval =
        |it: &Option<Interval>| or_dash(it.as_ref().map(|it| format!("{:.0}-{:.0}%", 100.0 * it.low, 100.0 * it.high)));
    for row in rates {
        table.row([
            foreign(&row.condition),
            format!("{}/{}", row.successes, row.done),
            interval(&row.success_interval),
            format!("{}/{}", row.safe, row.done),
            interval(&row.safe_interval),
            format!("{}/{}", row.safe_successes, row.done),
        ]);
    }
    table.text()
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
    let mut table =
        Columns::new(["condition", ">goals", ">95%", ">steps", ">at limit", ">IQM", ">optimum", ">failed", ">blocked"]);
    for row in conditions {
        let interval = row.goal_interval.as_ref().map(|it| format!("{:.0}-{:.0}%", 100.0 * it.low, 100.0 * it.high));
        table.row([
            foreign(&row.condition),
            format!("{}/{}", row.goals, row.done),
            or_dash(interval),
            steps(row.mean_steps),
            steps(row.mean_steps_at_limit),
            steps(row.interquartile_steps),
            times(row.times_optimum),
            percent(row.failed),
            percent(row.blocked),
        ]);
    }
    table.text()
}

/// What was learned, and how the episodes of each iteration did.
fn learned(learnings: &[Learning]) -> String {
    let mut table = Columns::new(["condition", "book", ">laws", "seeds", ">goals", ">tokens", ">cost"]);
    for row in learnings {
        let goals = row.iterations.iter().map(|iteration| format!("{}/{}", iteration.goals, iteration.episodes));
        let used = row.usage.total();
        table.row([
            foreign(&row.condition),
            foreign(&row.book),
            row.laws.to_string(),
            row.seeds.clone(),
            goals.collect::<Vec<_>>().join(" "),
            HumanCount(used.usage.total()).to_string(),
            or_dash(used.known_cost().map(|cost| cost.to_string())),
        ]);
    }
    table.text()
}

/// The steps without some soft laws, with the laws that gave way most often; `None` if there were no such steps.
fn suspended(conditions: &[ConditionFigures]) -> Option<String> {
    let mut table = Columns::new(["condition", ">steps", "laws"]);
    let rows: Vec<&ConditionFigures> = conditions.iter().filter(|row| row.fallbacks > 0).collect();
    for row in &rows {
        let laws = match row.suspended_by_law.is_empty() {
            true => "all soft ones".to_owned(),
            false => report::summary::by_law(row.suspended_by_law.iter()),
        };
        table.row([foreign(&row.condition), row.fallbacks.to_string(), laws]);
    }
    (!rows.is_empty()).then(|| table.text())
}

/// The steps to every subgoal; `None` if nothing is finished.
fn subgoals(conditions: &[ConditionFigures]) -> Option<String> {
    let names = subgoal_names(conditions)?;
    let headings: Vec<String> = names.iter().map(|name| format!(">{}", foreign(name))).collect();
    let mut table = Columns::new(std::iter::once("condition").chain(headings.iter().map(String::as_str)));
    for row in conditions {
        let cell = |name: &&str| {
            let subgoal = row.subgoals.iter().find(|subgoal| subgoal.subgoal == **name);
            let both = |it: &SubgoalFigures| format!("{} / {}", steps(it.mean_steps), steps(it.mean_steps_at_limit));
            or_dash(subgoal.map(both))
        };
        table.row(std::iter::once(foreign(&row.condition)).chain(names.iter().map(cell)));
    }
    Some(table.text())
}

fn subgoal_names(conditions: &[ConditionFigures]) -> Option<Vec<&str>> {
    let first = conditions.iter().find(|condition| !condition.subgoals.is_empty())?;
    Some(first.subgoals.iter().map(|subgoal| subgoal.subgoal.as_str()).collect())
}

/// The rows of a paper, each above the condition that it is compared with.
fn beside(reference: &Reference, conditions: &[ConditionFigures]) -> String {
    let names = subgoal_names(conditions).unwrap_or_default();
    let names: Vec<&str> =
        names.into_iter().filter(|name| reference.rows.iter().any(|row| row.steps.contains_key(*name))).collect();
    let shares = reference.rows.iter().any(|row| row.failed.is_some());
    let mut headings = vec!["".to_owned(), ">goals".to_owned()];
    headings.extend(names.iter().map(|name| format!(">{}", foreign(name))));
    headings.extend(shares.then(|| [">failed".to_owned(), ">blocked".to_owned()]).into_iter().flatten());
    let mut table = Columns::new(headings.iter().map(String::as_str));
    let with_times = |number: Option<f64>, ratio: Option<f64>| match number {
        Some(_) => format!("{} {}", steps(number), times(ratio)).trim_end_matches(" -").to_owned(),
        None => "-".to_owned(),
    };
    for row in &reference.rows {
        let Some(ours) = conditions.iter().find(|condition| condition.condition == row.condition) else { continue };
        let subgoal = |name: &str| ours.subgoals.iter().find(|subgoal| subgoal.subgoal == name);
        let mut theirs = vec![
            format!("{}, paper", foreign(&row.name)),
            or_dash(row.goals.map(|goals| format!("{goals}/{}", row.runs))),
        ];
        let mut own = vec![foreign(&ours.condition), format!("{}/{}", ours.goals, ours.done)];
        for name in &names {
            let paper = row.steps.get(*name).copied();
            let optimum = subgoal(name).and_then(|subgoal| subgoal.optimum);
            theirs.push(with_times(paper, paper.zip(optimum).map(|(steps, optimum)| steps / optimum)));
            let ours = subgoal(name);
            own.push(with_times(ours.and_then(|it| it.mean_steps), ours.and_then(|it| it.times_optimum)));
        }
        if shares {
            theirs.extend([percent(row.failed), percent(row.blocked)]);
            own.extend([percent(ours.failed), percent(ours.blocked)]);
        }
        table.row(theirs);
        table.row(own);
    }
    let (source, note) = (foreign(&reference.source), foreign(&reference.note));
    format!("beside {source}:\n{}\n\n{}", table.text(), report::fitting(&note, WIDTH, 0))
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
    let mut table = Columns::new(["condition", ">tokens", ">cost", ">game time"]);
    for row in conditions {
        let cost = row.cost.filter(|_| row.done > 0).map(|cost| cost.to_string());
        let time = row.ticks.map(|ticks| report::clock(Duration::from_secs_f64(ticks / 20.0)));
        table.row([foreign(&row.condition), HumanCount(row.tokens).to_string(), or_dash(cost), or_dash(time)]);
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
    for row in &dry.conditions {
        let Some(learn) = &row.learn else { continue };
        let goal = learn.schedule.goal.as_ref().map_or_else(String::new, |goal| format!(" to {}", foreign(goal)));
        let line = format!(
            "{} learns its laws first: at most {}{goal} on seeds {}, {} requests",
            foreign(row.condition),
            plural(learn.episodes as u64, "episode"),
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

/// A p-value.
fn p(p: f64) -> String {
    if p < 0.001 { "<.001".to_owned() } else { format!("{p:.3}") }
}

fn steps(steps: Option<f64>) -> String {
    or_dash(steps.map(|steps| format!("{steps:.1}")))
}

fn times(ratio: Option<f64>) -> String {
    or_dash(ratio.map(|ratio| format!("{ratio:.2}x")))
}

fn percent(share: Option<f64>) -> String {
    or_dash(share.map(|share| format!("{:.1}%", 100.0 * share)))
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}
