//! The runs for the prompt: their figures, and the steps of the best one and of the others.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_store::RunId;
use ltlcrit_verifier::{PropSet, Vocabulary};

use super::data::{code, count, visible};
use super::facts::{action, state};
use super::section::Section;
use crate::evidence::Verdict;
use crate::graph::{Citation, RunPath};
use crate::propose::Brief;

/// The maximum number of steps of a round that is folded where it repeats.
const MAX_ROUND: usize = 6;

/// Shows the figures of the runs under each revision of the laws, the newest one first.
pub(super) fn overview(brief: &Brief<'_>) -> Section {
    let mut revisions: BTreeMap<Reverse<Option<u64>>, Vec<&RunPath>> = BTreeMap::new();
    for run in brief.graph.runs() {
        revisions.entry(Reverse(revision(brief, run))).or_default().push(run);
    }
    let line = |(revision, runs): (Reverse<Option<u64>>, Vec<&RunPath>)| {
        let reached: Vec<usize> = runs.iter().filter(|run| run.has_reached_goal()).map(|run| run.len()).collect();
        let (steps, goals) = (runs.iter().map(|run| run.len()).sum::<usize>(), reached.len());
        let failed = 100.0 * runs.iter().map(|run| run.failures()).sum::<usize>() as f64 / steps.max(1) as f64;
        let mean = reached.iter().sum::<usize>() as f64 / goals.max(1) as f64;
        let mean = if goals > 0 { format!(" in {mean:.1} steps") } else { String::new() };
        let under = revision.0.map(|revision| format!("revision {revision}: ")).unwrap_or_default();
        let runs = count(runs.len() as u64, "run");
        format!("- {under}{goals} of {runs} reached the goal{mean}; {failed:.1}% of the actions failed")
    };
    Section::new("The runs, under the newest laws first:", 20, revisions.into_iter().map(line))
}

fn revision(brief: &Brief<'_>, run: &RunPath) -> Option<u64> {
    brief.notes.revisions.get(&run.id()).copied()
}

/// Shows the best known successful run.
pub(super) fn best_run(brief: &Brief<'_>) -> Section {
    match best(brief) {
        None => Section::new("No run was successful.", 0, []),
        Some(run) => {
            let heading = format!("The best run, {}:", title(brief, run));
            Section::new(heading, 50, steps(brief, run))
        }
    }
}

fn best<'a>(brief: &Brief<'a>) -> Option<&'a RunPath> {
    brief.graph.runs().filter(|run| run.has_reached_goal()).min_by_key(|run| run.len())
}

/// Shows the other runs, whole: those under the newest laws first; under the same laws first those that missed the goal, then those that
/// took the most steps. If a refused change is to be put right, only the runs that it cites are shown.
pub(super) fn other_runs(brief: &Brief<'_>) -> Section {
    let best = best(brief).map(RunPath::id);
    let refused = brief.refused.iter().filter_map(|refused| refused.change.brought());
    let cited: BTreeSet<RunId> =
        refused.flat_map(|(proposal, _)| &proposal.evidence).map(|cited| RunId(cited.run)).collect();
    let is_told = |run: &RunPath| Some(run.id()) != best && (cited.is_empty() || cited.contains(&run.id()));
    let mut runs: Vec<&RunPath> = brief.graph.runs().filter(|run| is_told(run)).collect();
    runs.sort_by_key(|run| (Reverse(revision(brief, run)), run.has_reached_goal(), Reverse(run.len()), run.id()));
    let line = |run: &RunPath| format!("{}:\n{}", title(brief, run), steps(brief, run).join("\n"));
    Section::new("Other runs:", 70, runs.into_iter().map(line))
}

fn title(brief: &Brief<'_>, run: &RunPath) -> String {
    let ended = if run.has_reached_goal() { "goal reached" } else { "goal not reached" };
    let under = revision(brief, run).map(|revision| format!(" under revision {revision}")).unwrap_or_default();
    format!("run {}{under}, {ended}, {}", run.id(), count(run.len() as u64, "step"))
}

/// Tells the steps of a run, one in a line. Steps and rounds of steps that repeat are told once.
fn steps(brief: &Brief<'_>, run: &RunPath) -> Vec<String> {
    let told: Vec<String> = (0..run.len()).map(|at| step(brief, run, at)).collect();
    let mut lines = vec![format!("start: {}", state(brief.vocabulary, &run.state_before(0)))];
    let mut at = 0;
    while at < told.len() {
        let rounds = |length: usize| {
            let rounds = told[at..].chunks_exact(length);
            rounds.take_while(|round| *round == &told[at..at + length]).count()
        };
        let repeated = (1..=MAX_ROUND).map(|length| (length, rounds(length))).find(|(_, times)| *times > 1);
        let (length, times) = repeated.unwrap_or((1, 1));
        let (end, what) = (at + length * times, told[at..at + length].join(";"));
        lines.push(match (length, times) {
            (_, 1) => format!("{end}{what}"),
            (1, _) => format!("{}-{end}{what}", at + 1),
            _ => format!("{}-{end} {times} times:{what}", at + 1),
        });
        at = end;
    }
    lines
}

/// Tells a step: the action, its use, and the changes of the observations.
fn step(brief: &Brief<'_>, run: &RunPath, at: usize) -> String {
    let (before, step) = (run.state_before(at), &run.steps()[at]);
    let changes = changes(brief.vocabulary, &before, &run.state_before(at + 1));
    if brief.laws.iter().any(|law| law.blocks(&before, step.action, brief.vocabulary)) {
        return format!(" blocked by now{changes}");
    }
    let trial = brief.trials.on(Citation { run: run.id(), step: at as u32 + 1 });
    let (mark, used) = match trial.map(|trial| trial.verdict) {
        Some(Verdict::Needed) => ("*", ""),
        Some(Verdict::Needless | Verdict::NoEffect) => ("", " needless"),
        Some(Verdict::Trapped) => ("", " trapped"),
        _ => ("", ""),
    };
    let failed = step.failure.as_ref().map(|reason| format!(" failed ({})", code(&reason.to_string())));
    format!("{mark} {}{}{used}{changes}", action(brief.vocabulary, step.action), failed.unwrap_or_default())
}

/// Tells changes: ` +obs_begins_to_hold -obs_no_longer_holds`.
fn changes(vocabulary: &Vocabulary, before: &PropSet, after: &PropSet) -> String {
    let signed = |sign: &str, set: &PropSet| -> String {
        vocabulary.names(set).into_iter().map(|name| format!(" {sign}{}", visible(name, 120))).collect()
    };
    signed("+", &after.difference(before)) + &signed("-", &before.difference(after))
}
