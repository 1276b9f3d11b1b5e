//! Summary of the runs for the prompt: the best known run step by step, and the choices that failed or cost steps.

use std::fmt::Write as _;

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};
use petgraph::graph::NodeIndex;

use super::data::{code, count, visible};
use super::facts::state;
use super::section::{Line, Section};
use crate::graph::{ChoiceClass, ChoiceReport, Citation, Edge, Path, Target};
use crate::propose::Brief;

/// A choice that was made, with its numbers.
pub(super) struct Made<'a> {
    pub report: ChoiceReport,
    pub action: ActionId,
    pub holds: &'a PropSet,
    pub state: NodeIndex,
    /// Whether a law that counts blocks it already: then it is no reason for another.
    pub blocked: bool,
}

impl Made<'_> {
    /// The number of times it failed.
    pub fn failed(&self) -> u32 {
        self.report.failures.iter().map(|failure| failure.count).sum()
    }

    /// Whether it is of a class, and no law blocks it yet.
    pub fn is_open(&self, class: ChoiceClass) -> bool {
        self.report.class == class && !self.blocked
    }

    /// The steps it costs more than the best choice known in its state.
    pub fn loss(&self) -> f64 {
        match (self.report.cost, self.report.best) {
            (Some(cost), Some(best)) => (cost - best).max(0.0),
            _ => 0.0,
        }
    }
}

/// All choices, by the first step they stand for.
pub(super) fn made<'a>(brief: &Brief<'a>) -> Vec<Made<'a>> {
    let made = brief.graph.choices().filter_map(|(choice, state, action)| {
        let (report, holds) = (brief.classes.report(brief.graph, choice)?, brief.graph.holds(state)?);
        let blocked = brief.laws.iter().any(|law| law.blocks(holds, action, brief.vocabulary));
        Some(Made { report, action, holds, state, blocked })
    });
    let mut made: Vec<Made<'a>> = made.collect();
    made.sort_by_key(|made| made.report.first);
    made
}

/// `missing_ingredients 3, died 1`
pub(super) fn reasons<'a>(failures: impl IntoIterator<Item = (&'a str, u64)>) -> String {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for (reason, count) in failures {
        match counts.iter_mut().find(|(other, _)| *other == code(reason)) {
            Some((_, sum)) => *sum += count,
            None => counts.push((code(reason), count)),
        }
    }
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    counts.iter().map(|(reason, count)| format!("{reason} {count}")).collect::<Vec<_>>().join(", ")
}

/// `run 3 step 5`
pub(super) fn cite(first: Citation) -> String {
    format!("run {} step {}", first.run, first.step)
}

/// The number of runs, how many reached the goal, and the target that costs are counted to.
pub(super) fn overview(brief: &Brief<'_>, made: &[Made<'_>]) -> Section {
    let graph = brief.graph;
    let runs = graph.runs().count() as u64;
    let arrived = graph.runs().filter(|(_, path)| path.reached_goal()).count() as u64;
    let steps = count(graph.step_count() as u64, "step");
    let mut text = format!("{}, {steps} in all; {} reached the goal.", count(runs, "run"), count(arrived, "run"));
    // Writing to a string cannot fail.
    let _ = match brief.classes.target() {
        _ if !brief.classes.target_was_reached() => {
            write!(text, " No run came so far that it is known which choices are efficient.")
        }
        Target::Goal => write!(text, " Costs are steps to the goal, on average."),
        Target::Subgoal(number) => {
            let subgoals = graph.subgoals();
            let holds = subgoals.get(number).map(|subgoal| state(brief.vocabulary, &subgoal.holds));
            let holds = holds.unwrap_or_else(|| "nothing".to_owned());
            let all = subgoals.len();
            write!(text, " Costs are steps, on average, to subgoal {} of {all}, where {holds} hold.", number + 1)
        }
    };
    let bad = |made: &&Made<'_>| matches!(made.report.class, ChoiceClass::Failed | ChoiceClass::Inefficient);
    let blocked: Vec<&Made<'_>> = made.iter().filter(|made| made.blocked).filter(bad).collect();
    if !blocked.is_empty() {
        let times = blocked.iter().map(|made| u64::from(made.report.made)).sum();
        let (choices, times) = (count(blocked.len() as u64, "bad choice"), count(times, "time"));
        let _ = write!(text, " Not told again, because the laws block it by now: {choices}, made {times}.");
    }
    Section {
        heading: format!("What runs did: {text}"),
        lines: Vec::new(),
        short: Vec::new(),
        what: "",
        measure: "",
        rank: 0,
        share: 0,
    }
}

/// The best known successful run, step by step, in changes of what holds.
pub(super) fn best_run(brief: &Brief<'_>) -> Section {
    let successful = || brief.graph.runs().filter(|(_, path)| path.reached_goal());
    let fewest = successful().map(|(_, path)| path.steps().len()).min();
    let mut best = successful().filter(|(_, path)| Some(path.steps().len()) == fewest);
    let (heading, lines) = match best.next() {
        None => ("No run was successful.".to_owned(), Vec::new()),
        Some((run, path)) => {
            let others: Vec<RunId> = best.map(|(run, _)| run).collect();
            (best_heading(run, path, &others), steps(brief, path))
        }
    };
    Section { heading, lines, short: Vec::new(), what: "lines", measure: "steps", rank: 7, share: 50 }
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
        ". No law may block a step of these, nor stopping at their ends. + begins to hold, - no longer holds:",
    );
    heading
}

fn steps(brief: &Brief<'_>, path: &Path) -> Vec<Line> {
    let (graph, vocabulary) = (brief.graph, brief.vocabulary);
    let place = |steps: usize| graph.holds(graph.place_after(path, steps)).copied().unwrap_or(PropSet::EMPTY);
    let mut lines = vec![Line { text: format!("start: {}", state(vocabulary, &place(0))), weight: 0 }];
    // Steps that do the same without a change, like mining one stone after the other, share a line.
    let mut same: Option<(usize, String)> = None;
    for (at, edge) in path.steps().iter().enumerate() {
        let chosen = graph.graph().edge_endpoints(*edge).and_then(|(choice, _)| graph.chosen(choice));
        let name = chosen.map_or_else(|| "?".to_owned(), |(_, action)| visible(vocabulary.action_name(action), 120));
        let failure = match graph.graph().edge_weight(*edge) {
            Some(Edge::Led { failure: Some(reason), .. }) => {
                format!(" failed ({})", code(&graph.reason(*reason).to_string()))
            }
            _ => String::new(),
        };
        let (before, after) = (place(at), place(at + 1));
        let signed = |sign: &str, set: &PropSet| -> String {
            vocabulary.names(set).into_iter().map(|name| format!(" {sign}{}", visible(name, 120))).collect()
        };
        let changes = signed("+", &after.difference(&before)) + &signed("-", &before.difference(&after));
        let what = format!("{name}{failure}{changes}");
        let number = at + 1;
        match (&same, lines.last_mut()) {
            (Some((first, other)), Some(line)) if changes.is_empty() && *other == what => {
                *line = Line { text: format!("{first}-{number} {what}"), weight: line.weight + 1 };
            }
            _ => {
                same = changes.is_empty().then(|| (number, what.clone()));
                lines.push(Line { text: format!("{number} {what}"), weight: 1 });
            }
        }
    }
    lines
}

/// The choices that failed, those first that did so most often.
pub(super) fn failed_choices(brief: &Brief<'_>, made: &[Made<'_>]) -> Section {
    // What sometimes fails is worth a law only where nothing better is known.
    let is_telling =
        |made: &&Made<'_>| made.is_open(ChoiceClass::Failed) || made.is_open(ChoiceClass::Unknown) && made.failed() > 0;
    let mut failed: Vec<&Made<'_>> = made.iter().filter(is_telling).collect();
    failed.sort_by(|a, b| b.failed().cmp(&a.failed()).then(a.report.first.cmp(&b.report.first)));
    let line = |made: &&Made<'_>| {
        let why = reasons(made.report.failures.iter().map(|failure| (&*failure.reason, u64::from(failure.count))));
        let first = made.report.failures.iter().map(|failure| failure.first).min().unwrap_or(made.report.first);
        let text = format!(
            "- {} failed {} of {} times ({why}) where {}; {}",
            visible(brief.vocabulary.action_name(made.action), 120),
            made.failed(),
            made.report.made,
            state(brief.vocabulary, made.holds),
            cite(first)
        );
        Line { text, weight: u64::from(made.failed()) }
    };
    Section {
        heading: heading(&failed, "Choices that failed, most often first, with the first such step"),
        lines: failed.iter().map(line).collect(),
        short: Vec::new(),
        what: "choices",
        measure: "failures",
        rank: 10,
        share: 50,
    }
}

/// The choices that cost more than the best of their state, those first that cost most.
pub(super) fn costly_choices(brief: &Brief<'_>, made: &[Made<'_>]) -> Section {
    let mut costly: Vec<&Made<'_>> = made.iter().filter(|made| made.is_open(ChoiceClass::Inefficient)).collect();
    costly.sort_by(|a, b| b.loss().total_cmp(&a.loss()).then(a.report.first.cmp(&b.report.first)));
    let line = |made: &&Made<'_>| {
        let mut text = format!(
            "- {} cost {:.1} steps, made {}",
            visible(brief.vocabulary.action_name(made.action), 120),
            made.report.cost.unwrap_or_default(),
            count(u64::from(made.report.made), "time")
        );
        if made.failed() > 0 {
            let _ = write!(text, " (failed {})", made.failed());
        }
        if let Some(better) = better(brief, made) {
            let _ = write!(text, "; {better} costs {:.1}", made.report.best.unwrap_or_default());
        }
        let _ = write!(text, "; where {}; {}", state(brief.vocabulary, made.holds), cite(made.report.first));
        Line { text, weight: u64::from(made.report.made) }
    };
    Section {
        heading: heading(&costly, "Choices that cost more steps than the best known one of their state, worst first"),
        lines: costly.iter().map(line).collect(),
        short: Vec::new(),
        what: "choices",
        measure: "times made",
        rank: 11,
        share: 100,
    }
}

fn heading(choices: &[&Made<'_>], heading: &str) -> String {
    if choices.is_empty() { format!("{heading}: none.") } else { format!("{heading} ({}):", choices.len()) }
}

/// The action of the best choice made in the same state; `None` at the target, where nothing is better than stopping.
fn better(brief: &Brief<'_>, made: &Made<'_>) -> Option<String> {
    let graph = brief.graph;
    let choices = graph.graph().neighbors(made.state).filter_map(|choice| {
        let ((_, action), cost) = (graph.chosen(choice)?, brief.classes.cost(choice)?);
        (cost < made.report.cost?).then_some((cost, action))
    });
    let (_, action) = choices.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
    Some(visible(brief.vocabulary.action_name(action), 120))
}
