//! Figures of conditions, and comparisons over the same seeds. The unit is the seed.

use ltlcrit_model::NanoUsd;
use ltlcrit_statistics::{
    Bootstrap, Interval, Resampling, Test, interquartile_mean, mcnemar_of_pairs, paired_difference, paired_improvement,
    sign_flip, wilson,
};
use serde::Serialize;

use super::directory::CellState;
use super::experiment::Experiment;
use super::result::CellResult;

/// The coverage of intervals.
pub const CONFIDENCE: f64 = 0.95;

/// The figures of a condition over its finished cells. Shares and means are `None` where there is nothing to share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionFigures {
    /// The name.
    pub condition: String,
    /// Whether its model is a persona; the figures are then no evidence about language models.
    pub simulated: bool,
    /// Finished cells.
    pub done: u64,
    /// Failed cells.
    pub failed_cells: u64,
    /// Cells that have not run.
    pub waiting: u64,
    /// Finished cells that reached the goal.
    pub goals: u64,
    /// The Wilson interval of the share of goals.
    pub goal_interval: Option<Interval>,
    /// The mean steps of the cells that reached the goal.
    pub mean_steps: Option<f64>,
    /// The mean steps of all finished cells, those that missed the goal counted at the limit.
    pub mean_steps_at_limit: Option<f64>,
    /// The mean of the middle half of the same steps (rliable's IQM).
    pub interquartile_steps: Option<f64>,
    /// The mean of the steps as a multiple of the optimum, over the cells that reached the goal.
    pub times_optimum: Option<f64>,
    /// A row for every subgoal, in the task's order; the last one is the goal.
    pub subgoals: Vec<SubgoalFigures>,
    /// Failed actions, malformed and unknown replies, as a share of all proposals (LTLCrit table 2).
    pub failed: Option<f64>,
    /// Blocked proposals as a share of all proposals (LTLCrit table 2).
    pub blocked: Option<f64>,
    /// World actions that failed, as a share of those executed.
    pub failed_actions: Option<f64>,
    /// The mean game time of a cell, in ticks of 1/20 s.
    pub ticks: Option<f64>,
    /// Tokens.
    pub tokens: u64,
    /// The cost in billionths of a US dollar; `None` when a price is not known.
    pub cost: Option<NanoUsd>,
}

/// The steps of a condition's cells to a subgoal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubgoalFigures {
    /// The name.
    pub subgoal: String,
    /// The cells that reached it.
    pub reached: u64,
    /// Their mean steps to it.
    pub mean_steps: Option<f64>,
    /// The mean steps of all finished cells, those that missed it counted at the limit.
    pub mean_steps_at_limit: Option<f64>,
    /// The mean of the steps as a multiple of the optimum, over the cells that reached it.
    pub times_optimum: Option<f64>,
    /// The mean optimum of all finished cells.
    pub optimum: Option<f64>,
}

/// A condition compared with the first one over the seeds that both finished.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    /// The condition.
    pub condition: String,
    /// The first condition.
    pub against: String,
    /// The seeds that both finished.
    pub seeds: usize,
    /// The steps that the condition saves, those of cells without the goal counted at the limit.
    pub saved: Option<Bootstrap>,
    /// The sign-flip test of the same.
    pub steps: Option<Test>,
    /// The exact McNemar test of the goals.
    pub goals: Option<Test>,
    /// The share of seeds on which the condition takes fewer steps, ties counting one half.
    pub improvement: Option<f64>,
}

/// The summary of a batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchSummary {
    /// A row for every condition.
    pub conditions: Vec<ConditionFigures>,
    /// A row for every condition but the first.
    pub comparisons: Vec<PairedComparison>,
}

impl BatchSummary {
    /// Sums up what is finished.
    pub fn of<'a>(experiment: &Experiment, state: impl Fn(usize) -> CellState<'a>) -> Self {
        let cells = experiment.grid();
        let by_condition = cells.chunk_by(|one, next| one.condition == next.condition);
        let states: Vec<Vec<CellState<'_>>> =
            by_condition.map(|cells| cells.iter().map(|cell| state(cell.index)).collect()).collect();
        let limit = experiment.steps();
        let figures = experiment.conditions.iter().zip(&states);
        let first = experiment.conditions.first().zip(states.first());
        let others = || experiment.conditions.iter().zip(&states).skip(1);
        Self {
            conditions: figures.map(|(condition, states)| figures_of(&condition.name, states, limit)).collect(),
            comparisons: first.map_or_else(Vec::new, |(first, base)| {
                others().map(|(other, states)| compare((&first.name, base), (&other.name, states), limit)).collect()
            }),
        }
    }
}

/// The steps of a cell; those of one without the goal are the limit.
fn at_limit(result: &CellResult, limit: u64) -> f64 {
    (if result.goal { result.steps } else { limit.max(result.steps) }) as f64
}

fn figures_of(name: &str, states: &[CellState<'_>], limit: u64) -> ConditionFigures {
    let done: Vec<&CellResult> = states.iter().filter_map(finished).collect();
    let sum = |figure: fn(&CellResult) -> u64| done.iter().map(|result| figure(result)).sum::<u64>();
    let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    let steps_at_limit: Vec<f64> = done.iter().map(|result| at_limit(result, limit)).collect();
    let subgoals = subgoals_of(&done, limit);
    let (count, goals, proposals) = (done.len() as u64, sum(|it| u64::from(it.goal)), sum(|it| it.proposals));
    ConditionFigures {
        condition: name.to_owned(),
        simulated: done.iter().any(|result| result.simulated),
        done: count,
        failed_cells: states.iter().filter(|state| matches!(state, CellState::Failed(_))).count() as u64,
        waiting: states.iter().filter(|state| matches!(state, CellState::Waiting)).count() as u64,
        goals,
        goal_interval: wilson(goals, count, CONFIDENCE).ok(),
        mean_steps: mean(done.iter().filter(|result| result.goal).map(|result| result.steps as f64)),
        mean_steps_at_limit: mean(steps_at_limit.iter().copied()),
        interquartile_steps: interquartile_mean(&steps_at_limit).ok(),
        times_optimum: subgoals.last().and_then(|goal| goal.times_optimum),
        subgoals,
        failed: share(sum(|it| it.failed_actions + it.malformed + it.unknown), proposals),
        blocked: share(sum(|it| it.blocked + it.undecided), proposals),
        failed_actions: share(sum(|it| it.failed_actions), sum(|it| it.steps)),
        ticks: mean(done.iter().map(|result| result.ticks as f64)),
        tokens: sum(|it| it.total().usage.total()),
        cost: done.iter().map(|result| result.cost()).sum(),
    }
}

/// The figures of every subgoal.
fn subgoals_of(done: &[&CellResult], limit: u64) -> Vec<SubgoalFigures> {
    let names = done.first().map_or(&[][..], |first| &first.subgoals);
    let figures = |name: &str| {
        let reached = || done.iter().filter_map(|result| Some((result, result.reached(name)?)));
        let at_limit = |result: &&CellResult| result.reached(name).unwrap_or(limit.max(result.steps)) as f64;
        let optimum = |result: &&CellResult| Some(result.optimum.iter().find(|(known, _)| known == name)?.1 as f64);
        SubgoalFigures {
            subgoal: name.to_owned(),
            reached: reached().count() as u64,
            mean_steps: mean(reached().map(|(_, steps)| steps as f64)),
            mean_steps_at_limit: mean(done.iter().map(at_limit)),
            times_optimum: mean(reached().filter_map(|(result, steps)| result.times_optimum(name, steps))),
            optimum: mean(done.iter().filter_map(optimum)),
        }
    };
    names.iter().map(|(name, _)| figures(name)).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    ltlcrit_statistics::mean(&values.collect::<Vec<_>>()).ok()
}

fn compare(
    (first, base): (&str, &[CellState<'_>]),
    (name, states): (&str, &[CellState<'_>]),
    limit: u64,
) -> PairedComparison {
    let pairs: Vec<(&CellResult, &CellResult)> =
        base.iter().zip(states).filter_map(|(one, other)| finished(one).zip(finished(other))).collect();
    let before: Vec<f64> = pairs.iter().map(|(one, _)| at_limit(one, limit)).collect();
    let after: Vec<f64> = pairs.iter().map(|(_, other)| at_limit(other, limit)).collect();
    let reached: (Vec<bool>, Vec<bool>) = pairs.iter().map(|(one, other)| (one.goal, other.goal)).unzip();
    PairedComparison {
        condition: name.to_owned(),
        against: first.to_owned(),
        seeds: pairs.len(),
        saved: paired_difference(&before, &after, CONFIDENCE, Resampling::default()).ok(),
        steps: sign_flip(&before, &after, Resampling::default()).ok(),
        goals: mcnemar_of_pairs(&reached.0, &reached.1).ok(),
        improvement: paired_improvement(&before, &after).ok(),
    }
}

fn finished<'a>(state: &CellState<'a>) -> Option<&'a CellResult> {
    match state {
        CellState::Done(result) => Some(result),
        _ => None,
    }
}
