//! The runs step by step for the prompt: the best known one, and the others, whole.

use std::fmt::Write as _;

use ltlcrit_store::RunId;
use ltlcrit_verifier::PropSet;

use super::data::{code, count, visible};
use super::facts::state;
use super::history::{changes, message, varies};
use super::section::{Line, Section};
use crate::graph::{Citation, Path};
use crate::propose::Brief;

/// The best known successful run, step by step, in changes of what holds.
pub(super) fn best_run(brief: &Brief<'_>) -> Section {
    let mut best = best(brief);
    let (heading, lines) = match best.next() {
        None => ("No run was successful.".to_owned(), Vec::new()),
        Some((run, path)) => {
            let others: Vec<RunId> = best.map(|(run, _)| run).collect();
            (best_heading(run, path, &others), steps(brief, run, path, "*"))
        }
    };
    Section { heading, lines, short: Vec::new(), what: "lines", measure: "steps", rank: 7, share: 50 }
}

/// The successful runs of the fewest steps.
fn best<'a>(brief: &Brief<'a>) -> impl Iterator<Item = (RunId, &'a Path)> {
    let graph = brief.graph;
    let successful = graph.runs().filter(|(_, path)| path.reached_goal());
    let fewest = successful.map(|(_, path)| path.steps().len()).min();
    graph.runs().filter(move |(_, path)| path.reached_goal() && Some(path.steps().len()) == fewest)
}

fn best_heading(run: RunId, path: &Path, others: &[RunId]) -> String {
    let steps = count(path.steps().len() as u64, "step");
    let mut heading = format!("The best known successful run, run {run}, {steps}");
    if !others.is_empty() {
        let named: Vec<String> = others.iter().take(5).map(|run| format!("run {run}")).collect();
        let _ = write!(heading, "; as good: {}", named.join(", "));
        if others.len() > named.len() {
            let _ = write!(heading, " and {} more", others.len() - named.len());
        }
    }
    heading
        .push_str(". No law may block a step marked *, nor stopping at the end. + begins to hold, - no longer holds:");
    heading
}

/// The other runs, whole: first those that did not reach the goal, then those that took the most steps.
pub(super) fn other_runs(brief: &Brief<'_>) -> Section {
    let shown = best(brief).next().map(|(run, _)| run);
    let mut runs: Vec<(RunId, &Path)> = brief.graph.runs().filter(|(run, _)| Some(*run) != shown).collect();
    runs.sort_by_key(|(run, path)| (path.reached_goal(), std::cmp::Reverse(path.steps().len()), *run));
    let line = |(run, path): &(RunId, &Path)| {
        let taken = path.steps().len() as u64;
        let failed = path.steps().iter().filter(|step| brief.graph.failure(**step).is_some()).count();
        let ended = if path.reached_goal() { "goal reached" } else { "goal not reached" };
        let mut text = format!("run {run}, {ended}, {}, {failed} failed:", count(taken, "step"));
        for step in steps(brief, *run, path, "") {
            text.push('\n');
            text.push_str(&step.text);
        }
        Line { text, weight: taken }
    };
    let heading = if runs.is_empty() {
        "No other runs."
    } else {
        "The other runs, whole, first those that did not reach the goal, then the longest:"
    };
    Section {
        heading: heading.to_owned(),
        lines: runs.iter().map(line).collect(),
        short: Vec::new(),
        what: "runs",
        measure: "steps",
        rank: 10,
        share: 70,
    }
}

/// The steps of a run; those that were of use have the mark.
fn steps(brief: &Brief<'_>, run: RunId, path: &Path, mark: &str) -> Vec<Line> {
    let (graph, vocabulary) = (brief.graph, brief.vocabulary);
    let place = |steps: usize| graph.holds(graph.place_after(path, steps)).copied().unwrap_or(PropSet::EMPTY);
    let mut lines = vec![Line { text: format!("start: {}", state(vocabulary, &place(0))), weight: 0 }];
    // Steps that do the same without a change, like mining one stone after the other, share a line.
    let mut same: Option<(usize, String)> = None;
    for (at, edge) in path.steps().iter().enumerate() {
        let choice = graph.graph().edge_endpoints(*edge).map(|(choice, _)| choice);
        let chosen = choice.and_then(|choice| graph.chosen(choice));
        let name = chosen.map_or_else(|| "?".to_owned(), |(_, action)| visible(vocabulary.action_name(action), 120));
        let number = at + 1;
        let failure = graph.failure(*edge).map(|reason| {
            let message = message(graph, Citation { run, step: number as u32 });
            let said = message.map(|message| format!(": {message}")).unwrap_or_default();
            format!(" failed ({}{said})", code(&reason.to_string()))
        });
        let (before, after) = (place(at), place(at + 1));
        let changes = changes(vocabulary, &before, &after);
        let mark = if failure.is_some() && before == after { "" } else { mark };
        let varies = if choice.is_some_and(|choice| varies(graph, choice)) { " ~" } else { "" };
        let what = format!("{mark} {name}{}{changes}{varies}", failure.unwrap_or_default());
        match (&same, lines.last_mut()) {
            (Some((first, other)), Some(line)) if changes.is_empty() && *other == what => {
                *line = Line { text: format!("{first}-{number}{what}"), weight: line.weight + 1 };
            }
            _ => {
                same = changes.is_empty().then(|| (number, what.clone()));
                lines.push(Line { text: format!("{number}{what}"), weight: 1 });
            }
        }
    }
    lines
}
