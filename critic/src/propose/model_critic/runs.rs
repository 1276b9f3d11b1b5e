//! The runs step by step for the prompt: the best known one, and the others, whole.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ltlcrit_store::RunId;
use ltlcrit_verifier::PropSet;

use super::data::{code, count, visible};
use super::facts::state;
use super::history::{changes, message, varies};
use super::section::{Line, Section};
use crate::evidence::{Trials, Verdict};
use crate::graph::{Citation, Path};
use crate::propose::Brief;

/// The best known successful run, step by step, in changes of what holds.
pub(super) fn best_run(brief: &Brief<'_>) -> Section {
    let mut best = best(brief);
    let (heading, lines) = match best.next() {
        None => ("No run was successful.".to_owned(), Vec::new()),
        Some((run, path)) => {
            let others: Vec<RunId> = best.map(|(run, _)| run).collect();
            (best_heading(run, path, &others), steps(brief, run, path, brief.trials))
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
    heading.push_str(
        ". * the run needed this step, needless: it would have ended as well without it, led nowhere: it went round in a dead \
         end; + begins to hold, - no longer holds:",
    );
    heading
}

/// The other runs, whole: the newest revision of the laws first; of one revision first those that did not reach the goal, then
/// those that took the most steps. When a refused change is to be put right, only the runs that it cites.
pub(super) fn other_runs(brief: &Brief<'_>) -> Section {
    let shown = best(brief).next().map(|(run, _)| run);
    let cited = cited(brief);
    let is_told = |run: &RunId| Some(*run) != shown && (cited.is_empty() || cited.contains(run));
    let mut runs: Vec<(RunId, &Path)> = brief.graph.runs().filter(|(run, _)| is_told(run)).collect();
    let revision = |run: RunId| brief.notes.revisions.get(&run).copied();
    runs.sort_by_key(|(run, path)| {
        (std::cmp::Reverse(revision(*run)), path.reached_goal(), std::cmp::Reverse(path.steps().len()), *run)
    });
    let line = |(run, path): &(RunId, &Path)| {
        let taken = path.steps().len() as u64;
        let failed = path.steps().iter().filter(|step| brief.graph.failure(**step).is_some()).count();
        let ended = if path.reached_goal() { "goal reached" } else { "goal not reached" };
        let under = revision(*run).map(|revision| format!(" under revision {revision}")).unwrap_or_default();
        let mut text = format!("run {run}{under}, {ended}, {}, {failed} failed:", count(taken, "step"));
        for step in steps(brief, *run, path, brief.trials) {
            text.push('\n');
            text.push_str(&step.text);
        }
        Line { text, weight: taken }
    };
    let heading = match (runs.is_empty(), cited.is_empty()) {
        (true, true) => "No other runs.",
        (true, false) => "The refused changes cite no other run.",
        (false, true) => {
            "The other runs, the newest laws first, and of each revision first those that did not reach the goal:"
        }
        (false, false) => "The runs that the refused changes cite, whole:",
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

/// The runs that refused changes cite; none in a first round.
fn cited(brief: &Brief<'_>) -> BTreeSet<RunId> {
    let refused = brief.refused.iter().filter_map(|refused| refused.change.brought());
    refused.flat_map(|(proposal, _)| &proposal.evidence).map(|cited| RunId(cited.run)).collect()
}

/// What the prompt calls a verdict: before the action, and after it. A failure is told with its reason.
fn marks(verdict: Option<Verdict>) -> (&'static str, &'static str) {
    match verdict {
        Some(Verdict::Needed) => ("*", ""),
        Some(Verdict::Needless | Verdict::NoEffect) => ("", " needless"),
        Some(Verdict::Trapped) => ("", " led nowhere"),
        Some(Verdict::Failed | Verdict::Spared | Verdict::Open | Verdict::Gained) | None => ("", ""),
    }
}

/// The steps of a run, marked with what they were good for.
fn steps(brief: &Brief<'_>, run: RunId, path: &Path, trials: &Trials) -> Vec<Line> {
    let (graph, vocabulary) = (brief.graph, brief.vocabulary);
    let place = |steps: usize| graph.holds(graph.place_after(path, steps)).copied().unwrap_or(PropSet::EMPTY);
    let mut lines = vec![Line { text: format!("start: {}", state(vocabulary, &place(0))), weight: 0 }];
    // Steps that do the same without a change, like mining one stone after the other, share a line.
    let mut same: Option<(usize, String)> = None;
    let choice_of = |at: usize| graph.graph().edge_endpoints(path.steps()[at]).map(|(choice, _)| choice);
    let is_blocked = |at: usize| {
        let chosen = choice_of(at).and_then(|choice| graph.chosen(choice));
        chosen.is_some_and(|(_, action)| brief.laws.iter().any(|law| law.blocks(&place(at), action, vocabulary)))
    };
    let mut told = 0;
    for (at, edge) in path.steps().iter().enumerate() {
        // What laws block by now is told by its end alone, if it is more than one step.
        if at < told {
            continue;
        }
        let end = (at..path.steps().len()).find(|at| !is_blocked(*at)).unwrap_or(path.steps().len());
        if end > at + 1 {
            let changes = changes(vocabulary, &place(at), &place(end));
            let steps = count((end - at) as u64, "step");
            lines.push(Line {
                text: format!("{}-{end} {steps} that laws block by now{changes}", at + 1),
                weight: (end - at) as u64,
            });
            (told, same) = (end, None);
            continue;
        }
        let choice = choice_of(at);
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
        let (mark, good_for) = marks(trials.of(Citation { run, step: number as u32 }).map(|trial| trial.verdict));
        let varies = if choice.is_some_and(|choice| varies(graph, choice)) { " ~" } else { "" };
        let what = format!("{mark} {name}{}{good_for}{changes}{varies}", failure.unwrap_or_default());
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
