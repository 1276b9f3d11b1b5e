//! The summary of a run: milestones beside the optimum, figures, and the suggested next command.

use indicatif::HumanCount;
use ltlcrit_engine::agent::{Metrics, RunSummary};
use ltlcrit_engine::optimum::Optimum;
use ltlcrit_store::{End, LawId, Offer};
use serde::Serialize;

use super::{no_law, simulated};
use crate::cli::output::{Columns, DIM, ERROR, GOAL, HEAD, LAW, WARNING, foreign, plural};
use crate::exit::ExitCode;

/// A run's result as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct Document<'a> {
    /// True if the model of the actor is a persona; the figures are then no evidence about language models.
    pub simulated: bool,
    /// The figures.
    #[serde(flatten)]
    pub summary: &'a RunSummary,
    /// The least number of actions, for comparison.
    pub optimum: serde_json::Map<String, serde_json::Value>,
    /// The store of the run.
    pub store: String,
}

impl<'a> Document<'a> {
    /// The document of a run.
    pub fn new(summary: &'a RunSummary, optimum: &Optimum, store: &std::path::Path) -> Self {
        Self {
            simulated: summary.model.simulated,
            summary,
            optimum: optimum.0.iter().map(|(name, steps)| (name.clone(), (*steps).into())).collect(),
            store: store.display().to_string(),
        }
    }
}

/// The exit code of a run: that of its end, or that of a violated hard law, unless the run was ended from outside.
pub fn run_exit_code(summary: &RunSummary) -> ExitCode {
    let ended = exit_code(summary.end.as_ref());
    let from_outside = matches!(ended, ExitCode::Cap | ExitCode::Model | ExitCode::Interrupted)
        || matches!(summary.end, Some(End::WorldLost { .. }));
    if from_outside || summary.metrics.hard_violations.is_empty() { ended } else { ExitCode::Violated }
}

/// The exit code of the end of a run.
pub fn exit_code(end: Option<&End>) -> ExitCode {
    match end {
        Some(End::Goal) => ExitCode::Success,
        Some(End::Stopped | End::GaveUp { .. } | End::Budget { .. } | End::Stalled { .. }) => ExitCode::NoGoal,
        Some(End::Cap { .. }) => ExitCode::Cap,
        Some(End::NothingAllowed { .. } | End::Impossible { .. } | End::Undecided { .. } | End::NoProposal { .. }) => {
            ExitCode::Aborted
        }
        Some(End::ModelLost { .. }) => ExitCode::Model,
        Some(End::WorldLost { .. } | End::Died { .. }) => ExitCode::World,
        Some(End::Interrupted) | None => ExitCode::Interrupted,
    }
}

/// The result as text.
pub fn text(summary: &RunSummary, optimum: &Optimum) -> String {
    let mut parts = vec![headline(summary)];
    if never_began(summary) {
        // All figures are zeros.
        parts.push(next(summary));
        return parts.join("\n\n");
    }
    if !summary.metrics.subgoals.is_empty() {
        let caveat = Optimum::caveat(summary).map(|caveat| format!("\n{DIM}{caveat}{DIM:#}"));
        parts.push(milestones(&summary.metrics, optimum) + caveat.as_deref().unwrap_or_default());
    }
    parts.push(figures(summary));
    parts.extend(summary.waiting.map(no_law));
    parts.push(next(summary));
    if summary.model.simulated {
        parts.push(simulated());
    }
    parts.join("\n\n")
}

/// Returns whether the run ended before the model or the world did anything.
fn never_began(summary: &RunSummary) -> bool {
    let lost = matches!(summary.end, Some(End::ModelLost { .. } | End::WorldLost { .. }));
    lost && summary.metrics.steps == 0 && summary.metrics.proposals == 0
}

fn headline(summary: &RunSummary) -> String {
    let steps = plural(summary.metrics.steps, "step");
    let (style, text) = match &summary.end {
        Some(End::Goal) => (GOAL, format!("goal reached in {steps}")),
        Some(End::Budget { what, limit }) => (WARNING, format!("{} used up before the goal", what.counted(*limit))),
        Some(end @ (End::Stopped | End::Stalled { .. } | End::Cap { .. } | End::Interrupted)) => {
            (WARNING, format!("{end} after {steps}"))
        }
        Some(end) if never_began(summary) => (ERROR, end.to_string()),
        Some(end) => (ERROR, format!("{end}, after {steps}")),
        None => (WARNING, format!("not finished; {steps} stored")),
    };
    // The message of an end may quote a server.
    let ended = format!("{style}{}{style:#}", foreign(&text));
    let head = format!("{HEAD}run {}{HEAD:#}", summary.run);
    let violated = &summary.metrics.hard_violations;
    if violated.is_empty() {
        return format!("{head}  {ended}");
    }
    let laws = if violated.len() == 1 { "hard law" } else { "hard laws" };
    format!("{head}  {ERROR}{laws} violated{ERROR:#}: {}\n{ended}", by_law(violated.iter()))
}

fn milestones(metrics: &Metrics, optimum: &Optimum) -> String {
    let mut table = Columns::new(["", ">steps", ">optimum"]);
    for subgoal in &metrics.subgoals {
        table.row([
            subgoal.name.clone(),
            subgoal.step.map_or("-".to_owned(), |step| step.to_string()),
            optimum.steps(&subgoal.name).map_or(String::new(), |steps| steps.to_string()),
        ]);
    }
    table.text()
}

fn figures(summary: &RunSummary) -> String {
    let metrics = &summary.metrics;
    let share = |share: Option<f64>| share.map(|share| format!("{:.1}%", share * 100.0)).unwrap_or_default();
    let mut table = Columns::new(["", ">", ">", ""]);
    let mut row = |name: &str, count: String, share: String, detail: String| {
        table.row([name.to_owned(), count, share, detail]);
    };
    let offered = match summary.offer {
        Offer::All => "",
        Offer::Allowed => "only allowed actions were offered",
    };
    row("proposals", metrics.proposals.to_string(), String::new(), offered.to_owned());
    let failed = metrics.failed_actions + metrics.malformed + metrics.unknown;
    let kinds = [
        (metrics.failed_actions, "failed in the world"),
        (metrics.malformed, "unreadable"),
        (metrics.unknown, "unknown"),
    ];
    let kinds: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    row("failed", failed.to_string(), share(metrics.failed_share), kinds.join(", "));
    if metrics.deaths > 0 {
        row("deaths", metrics.deaths.to_string(), String::new(), String::new());
    }
    if summary.shielded {
        let blocked = metrics.blocked + metrics.undecided;
        let undecided = (metrics.undecided > 0).then(|| format!("{} undecided", metrics.undecided));
        let laws = Some(by_law(metrics.blocks_by_law.iter())).filter(|laws| !laws.is_empty());
        let detail: Vec<String> = laws.into_iter().chain(undecided).collect();
        row("blocked", blocked.to_string(), share(metrics.blocked_share), detail.join(", "));
    } else {
        let breaches = metrics.unshielded_breaches;
        row("breaches", breaches.to_string(), String::new(), "a shield would have blocked them".to_owned());
    }
    if metrics.worded > 0 {
        let detail = format!("{} replaced by the computed reason", metrics.replaced);
        row("reasons of a model", metrics.worded.to_string(), String::new(), detail);
    }
    if metrics.fallbacks > 0 {
        let by_law = by_law(metrics.suspended_by_law.iter());
        let detail = if by_law.is_empty() { "steps under the hard laws alone".to_owned() } else { by_law };
        row("fallbacks", metrics.fallbacks.to_string(), String::new(), detail);
    }
    if metrics.violations > 0 {
        row("violations", metrics.violations.to_string(), String::new(), by_law(metrics.violations_by_law.iter()));
    }
    if !summary.owed.is_empty() {
        let owed: Vec<&str> = summary.owed.iter().map(|law| &**law).collect();
        row("still owed", summary.owed.len().to_string(), String::new(), owed.join(", "));
    }
    let seconds = metrics.ticks / 20;
    row("game time", format!("{}:{:02}", seconds / 60, seconds % 60), String::new(), String::new());
    let usage = &metrics.usage;
    let estimated = match usage.estimated {
        estimated if estimated > 0 && !summary.model.simulated => format!(", {} estimated", HumanCount(estimated)),
        _ => String::new(),
    };
    let split = format!("{} prompt, {} answer{estimated}", HumanCount(usage.prompt), HumanCount(usage.completion));
    row("tokens", HumanCount(usage.total()).to_string(), String::new(), split);
    if !summary.model.simulated {
        let cost = metrics.cost.map_or("unknown".to_owned(), |cost| cost.to_string());
        row("cost", cost, String::new(), String::new());
    }
    let text = table.text();
    // The figures have no heading.
    text.split_once('\n').map_or_else(String::new, |(_, rows)| rows.to_owned())
}

/// The laws with the highest counts.
pub fn by_law<'a>(counts: impl Iterator<Item = (&'a LawId, &'a u64)>) -> String {
    let mut counts: Vec<(&LawId, &u64)> = counts.collect();
    counts.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let shown: Vec<String> = counts.iter().take(4).map(|(law, count)| format!("{LAW}{law}{LAW:#} {count}")).collect();
    let more = if counts.len() > 4 { format!(", {} more", counts.len() - 4) } else { String::new() };
    shown.join(", ") + &more
}

fn next(summary: &RunSummary) -> String {
    let run = summary.run;
    if summary.resumable {
        format!("{DIM}go on with it:{DIM:#}  ltlcrit resume {run}")
    } else {
        format!(
            "{DIM}see it:{DIM:#}            ltlcrit report {run}\n\
             {DIM}under other laws:{DIM:#}  ltlcrit replay {run} --laws BOOK"
        )
    }
}
