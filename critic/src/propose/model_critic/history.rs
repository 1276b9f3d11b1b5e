//! Summary of the choices for the prompt: those that failed and those that cost steps.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ltlcrit_verifier::{ActionId, Implied, PropSet, Vocabulary};
use petgraph::graph::NodeIndex;

use super::data::{code, count, quiet, visible};
use super::facts::state;
use super::section::{Line, Section};
use crate::evidence::{Trial, Verdict};
use crate::graph::{ChoiceClass, ChoiceReport, Citation, Failure, Target, TrajectoryGraph};
use crate::notes::RunFigures;
use crate::propose::Brief;

/// The longest message of a failure, in bytes.
const MAX_MESSAGE: usize = 160;
/// The most outcomes shown of one choice.
const MAX_OUTCOMES: usize = 4;

/// A choice that was made, with its numbers.
pub(super) struct Made<'a> {
    pub report: ChoiceReport,
    pub action: ActionId,
    pub holds: &'a PropSet,
    pub state: NodeIndex,
    /// Whether a law that counts blocks it already: then it is no reason for another.
    pub blocked: bool,
    /// Whether it had different outcomes: something decided that no observation shows.
    pub varies: bool,
    /// What its trials were good for.
    pub uses: Uses,
}

/// The number of trials of a choice by what they were good for.
#[derive(Clone, Copy, Default)]
pub(super) struct Uses {
    /// Those that failed, were needless or stalled: only they can show that a law against the choice is right.
    pub bad: u32,
    /// Those that stalled.
    pub stalled: u32,
    /// Those that a run needed to reach its goal, or that brought it something.
    pub good: u32,
}

impl Uses {
    /// By state and action.
    fn of(brief: &Brief<'_>) -> BTreeMap<(PropSet, ActionId), Self> {
        let mut all: BTreeMap<(PropSet, ActionId), Self> = BTreeMap::new();
        for trial in &brief.trials.all {
            let uses = all.entry((trial.state, trial.action)).or_default();
            uses.bad += u32::from(trial.is_bad());
            uses.stalled += u32::from(trial.verdict == Verdict::Trapped);
            uses.good += u32::from(trial.brought_something());
        }
        all
    }
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

    /// Whether it is known to cost more than another choice of its state, and a step shows it: where the surplus is due to what no
    /// observation shows, such as a count, the gate would refuse a law against it.
    pub(crate) fn is_costly(&self) -> bool {
        self.is_open(ChoiceClass::Inefficient) && self.uses.bad > 0
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
    let uses = Uses::of(brief);
    let made = brief.graph.choices().filter_map(|(choice, state, action)| {
        let (report, holds) = (brief.classes.report(brief.graph, choice)?, brief.graph.holds(state)?);
        let blocked = brief.laws.iter().any(|law| law.blocks(holds, action, brief.vocabulary));
        let varies = varies(brief.graph, choice);
        let uses = uses.get(&(*holds, action)).copied().unwrap_or_default();
        Some(Made { report, action, holds, state, blocked, varies, uses })
    });
    let mut made: Vec<Made<'a>> = made.collect();
    made.sort_by_key(|made| made.report.first);
    made
}

/// Whether a choice had different outcomes, though the same observations held before it.
pub(super) fn varies(graph: &TrajectoryGraph, choice: NodeIndex) -> bool {
    graph.outcomes(choice).nth(1).is_some()
}

/// `4 times no change, 2 times +obs_has_stone`, most frequent first.
fn outcomes(brief: &Brief<'_>, made: &Made<'_>) -> String {
    let graph = brief.graph;
    let Some(choice) = graph.choice(made.state, made.action) else { return String::new() };
    let mut outcomes: Vec<_> = graph.outcomes(choice).collect();
    outcomes.sort_by_key(|(.., times, first)| (std::cmp::Reverse(*times), *first));
    let told = outcomes.iter().take(MAX_OUTCOMES).map(|(to, failure, times, _)| {
        let changes = graph.holds(*to).map(|after| changes(brief.vocabulary, made.holds, after)).unwrap_or_default();
        let failed = failure.map(|reason| format!(" failed ({})", code(&graph.reason(reason).to_string())));
        let what = failed.unwrap_or_default() + &changes;
        format!("{}{}", count(u64::from(*times), "time"), if what.is_empty() { " no change" } else { &what })
    });
    let more = outcomes.len().saturating_sub(MAX_OUTCOMES);
    let others = if more > 0 { format!(" and {more} others") } else { String::new() };
    told.collect::<Vec<_>>().join(", ") + &others
}

/// ` +obs_begins_to_hold -obs_no_longer_holds`
pub(super) fn changes(vocabulary: &Vocabulary, before: &PropSet, after: &PropSet) -> String {
    let signed = |sign: &str, set: &PropSet| -> String {
        vocabulary.names(set).into_iter().map(|name| format!(" {sign}{}", visible(name, 120))).collect()
    };
    signed("+", &after.difference(before)) + &signed("-", &before.difference(after))
}

/// What the world said of the first of these failures, in quotation marks.
pub(super) fn said<'a>(graph: &TrajectoryGraph, failures: impl IntoIterator<Item = &'a Failure>) -> Option<String> {
    let first = failures.into_iter().min_by_key(|failure| failure.first)?.first;
    message(graph, first)
}

/// What the world said of a failed step, in quotation marks; `None` if it said nothing.
pub(super) fn message(graph: &TrajectoryGraph, step: Citation) -> Option<String> {
    let text = quiet(graph.message(step)?, MAX_MESSAGE).replace('"', "'");
    (!text.is_empty()).then(|| format!("\"{text}\""))
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
        lines: revisions(brief),
        short: Vec::new(),
        what: "revisions",
        measure: "",
        rank: 0,
        share: 20,
    }
}

/// The figures of the runs under the newest revision of the book and under the one before, a line each; none if all ran under
/// the same.
fn revisions(brief: &Brief<'_>) -> Vec<Line> {
    let figures = brief.notes.figures(brief.graph);
    if figures.len() < 2 {
        return Vec::new();
    }
    let line = |(when, (revision, figures)): (&str, &(u64, RunFigures))| {
        let RunFigures { runs, goals, steps_to_goals, steps, failed } = *figures;
        let share = |part: u64, whole: u64| if whole > 0 { part as f64 / whole as f64 } else { 0.0 };
        let mean = if goals > 0 { format!(" in {:.1} steps", share(steps_to_goals, goals)) } else { String::new() };
        let failed = 100.0 * share(failed, steps);
        let text = format!(
            "- {when} the last change of the laws (revision {revision}): {goals} of {} reached the goal{mean}, {failed:.1}% of \
             the actions failed",
            count(runs, "run")
        );
        Line { text, weight: 1 }
    };
    ["after", "before"].into_iter().zip(&figures).map(line).collect()
}

/// Actions that were taken instead of a blocked one: how often, and how often they were bad.
type Taken = BTreeMap<ActionId, (u64, u64)>;

/// What actors did instead of what laws blocked, those laws first that blocked most.
pub(super) fn instead(brief: &Brief<'_>) -> Section {
    let mut all: BTreeMap<(&str, ActionId), Taken> = BTreeMap::new();
    for one in &brief.notes.instead {
        let taken = all.entry((&*one.law, one.blocked)).or_default().entry(one.taken).or_default();
        let is_bad = brief.trials.of(one.step).is_some_and(Trial::is_bad);
        taken.0 += 1;
        taken.1 += u64::from(is_bad);
    }
    // Laws that are no longer in force are not told of.
    all.retain(|(law, _), _| brief.laws.iter().any(|known| *known.id == **law));
    let total = |taken: &Taken| taken.values().map(|(times, _)| *times).sum::<u64>();
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by(|(a, one), (b, other)| total(other).cmp(&total(one)).then(a.cmp(b)));
    let name = |action: ActionId| visible(brief.vocabulary.action_name(action), 120);
    let line = |((law, blocked), taken): &((&str, ActionId), Taken)| {
        let mut most: Vec<_> = taken.iter().collect();
        most.sort_by(|(a, one), (b, other)| other.0.cmp(&one.0).then(a.cmp(b)));
        let told = most.iter().take(MAX_OUTCOMES).map(|(action, (times, bad))| {
            let bad = if *bad > 0 { format!(" ({bad} of them bad)") } else { String::new() };
            format!("{} {}{bad}", name(**action), count(*times, "time"))
        });
        let (told, times) = (told.collect::<Vec<_>>().join(", "), count(total(taken), "time"));
        let text = format!("- `{}` blocked {} {times}; taken instead: {told}", visible(law, 120), name(*blocked));
        Line { text, weight: total(taken) }
    };
    let heading = if all.is_empty() {
        "No law in force blocked anything."
    } else {
        "What the laws blocked, and what was done instead:"
    };
    Section {
        heading: heading.to_owned(),
        lines: all.iter().map(line).collect(),
        short: Vec::new(),
        what: "kinds of blocks",
        measure: "blocks",
        rank: 7,
        share: 20,
    }
}

/// The choices that failed, those first that did so most often.
pub(super) fn failed_choices(brief: &Brief<'_>, made: &[Made<'_>], implied: &Implied) -> Section {
    // What sometimes fails is worth a law only where nothing better is known.
    let is_telling =
        |made: &&Made<'_>| made.is_open(ChoiceClass::Failed) || made.is_open(ChoiceClass::Unknown) && made.failed() > 0;
    let all = made;
    let mut failed: Vec<&Made<'_>> = made.iter().filter(is_telling).collect();
    failed.sort_by(|a, b| b.failed().cmp(&a.failed()).then(a.report.first.cmp(&b.report.first)));
    let line = |made: &&Made<'_>| {
        let why = reasons(made.report.failures.iter().map(|failure| (&*failure.reason, u64::from(failure.count))));
        let first = made.report.failures.iter().map(|failure| failure.first).min().unwrap_or(made.report.first);
        let mut text = format!(
            "- {} failed {} of {} times ({why}) where {}",
            visible(brief.vocabulary.action_name(made.action), 120),
            made.failed(),
            made.report.made,
            state(brief.vocabulary, made.holds),
        );
        if let Some(message) = said(brief.graph, &made.report.failures) {
            let _ = write!(text, ": {message}");
        }
        if let Some(absent) = needed(all, made, implied) {
            let _ = write!(text, "; absent, but there before every success: {}", state(brief.vocabulary, &absent));
        }
        if made.varies {
            let _ = write!(text, "; ~ {}", outcomes(brief, made));
        }
        let _ = write!(text, "; {}", cite(first));
        Line { text, weight: u64::from(made.failed()) }
    };
    Section {
        heading: heading(&failed, "Choices that failed, most often first, with the first such step"),
        lines: failed.iter().map(line).collect(),
        short: Vec::new(),
        what: "choices",
        measure: "failures",
        rank: 11,
        share: 50,
    }
}

/// The choices that cost more than the best of their state, those first that cost most.
pub(super) fn costly_choices(brief: &Brief<'_>, made: &[Made<'_>]) -> Section {
    let mut costly: Vec<&Made<'_>> = made.iter().filter(|made| made.is_costly()).collect();
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
        let _ = write!(text, "; where {}", state(brief.vocabulary, made.holds));
        if made.varies {
            let _ = write!(text, "; ~ {}", outcomes(brief, made));
        }
        if made.uses.good > 0 {
            let times = count(u64::from(made.uses.good), "time");
            let _ = write!(text, "; of use {times}: a law may not forbid it in exactly this state");
        }
        let _ = write!(text, "; {}", cite(made.report.first));
        Line { text, weight: u64::from(made.report.made) }
    };
    Section {
        heading: heading(&costly, "Choices that cost more steps than the best known one of their state, worst first"),
        lines: costly.iter().map(line).collect(),
        short: Vec::new(),
        what: "choices",
        measure: "times made",
        rank: 12,
        share: 100,
    }
}

/// The observations that held before every success of the same action and not before this failure, without those that
/// others imply; `None` if there are no such.
fn needed(all: &[Made<'_>], failed: &Made<'_>, implied: &Implied) -> Option<PropSet> {
    let successes = all.iter().filter(|made| made.action == failed.action && made.failed() < made.report.made);
    let held = successes.map(|made| *made.holds).reduce(|common, holds| common.intersection(&holds))?;
    let absent = implied.strongest_holding(&held.difference(failed.holds));
    (!absent.is_empty()).then_some(absent)
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
