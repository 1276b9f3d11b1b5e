//! Metrics of conditions. The unit is the seed.

use std::collections::BTreeMap;

use ltlcrit_model::NanoUsd;
use ltlcrit_statistics::{Bootstrap, Interval, Resampling, bootstrap, interquartile_mean, nested_bootstrap, wilson};
use ltlcrit_store::LawId;
use serde::Serialize;

use super::comparison::{CONFIDENCE, grouped, mean_of};
use super::condition::Condition;
use super::result::CellResult;

/// The metrics of a condition over its finished cells. Shares and means are `None` if there is nothing to average.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionFigures {
    /// The name.
    pub condition: String,
    /// True if its model is a persona; the metrics are then not evidence about language models.
    pub simulated: bool,
    /// True if a planner acts, which is not a language model.
    pub planner: bool,
    /// The number of finished cells.
    pub done: u64,
    /// The number of failed cells.
    pub failed_cells: u64,
    /// The number of cells that have not run.
    pub waiting: u64,
    /// The number of finished cells that reached the goal.
    pub goals: u64,
    /// The Wilson interval of the share of goals; of several learnings the union with the one that draws learnings, and then
    /// seeds within each.
    pub goal_interval: Option<Interval>,
    /// The mean steps of the cells that reached the goal.
    pub mean_steps: Option<f64>,
    /// The mean steps of all finished cells. Cells without the goal count as the limit.
    pub mean_steps_at_limit: Option<f64>,
    /// The bootstrap interval of that mean; `None` if the steps do not differ.
    pub steps_interval: Option<Interval>,
    /// The interquartile mean of the same steps (rliable's IQM).
    pub interquartile_steps: Option<f64>,
    /// The bootstrap interval of that mean; `None` if the steps do not differ.
    pub interquartile_interval: Option<Interval>,
    /// The mean of the steps as a multiple of the optimum, over the cells that reached the goal.
    pub times_optimum: Option<f64>,
    /// A row for every subgoal, in the task's order; the last one is the goal.
    pub subgoals: Vec<SubgoalFigures>,
    /// Failed actions, malformed and unknown replies, as a share of all proposals (LTLCrit table 2).
    pub failed: Option<f64>,
    /// Blocked proposals as a share of all proposals (LTLCrit table 2).
    pub blocked: Option<f64>,
    /// Failed world actions as a share of those executed.
    pub failed_actions: Option<f64>,
    /// The number of steps with suspended soft laws.
    #[serde(skip_serializing_if = "crate::agent::metrics::is_zero")]
    pub fallbacks: u64,
    /// The number of steps for which each law was suspended individually. Empty under the fallback `all`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub suspended_by_law: BTreeMap<LawId, u64>,
    /// The mean game time of a cell, in ticks of 1/20 s.
    pub ticks: Option<f64>,
    /// The number of finished cells in which a hard law was violated.
    #[serde(skip_serializing_if = "crate::agent::metrics::is_zero")]
    pub violating: u64,
    /// The number of tokens.
    pub tokens: u64,
    /// The cost in billionths of a US dollar; `None` if a price is not known.
    pub cost: Option<NanoUsd>,
}

/// The steps of a condition's cells to a subgoal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubgoalFigures {
    /// The name.
    pub subgoal: String,
    /// The number of cells that reached it.
    pub reached: u64,
    /// Their mean steps to it.
    pub mean_steps: Option<f64>,
    /// The mean steps of all finished cells. Cells that missed it count as the limit.
    pub mean_steps_at_limit: Option<f64>,
    /// The mean of the steps as a multiple of the optimum, over the cells that reached it.
    pub times_optimum: Option<f64>,
    /// The mean optimum of all finished cells.
    pub optimum: Option<f64>,
}

impl ConditionFigures {
    /// Computes the metrics of a condition's finished cells. `limit` is the maximum number of steps of a cell.
    pub(super) fn of(condition: &Condition, done: &[&CellResult], limit: u64, failed_cells: u64, waiting: u64) -> Self {
        let sum = |of: fn(&CellResult) -> u64| done.iter().map(|result| of(result)).sum::<u64>();
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let (proposals, goals) = (sum(|it| it.proposals), sum(|it| u64::from(it.goal)));
        let at_limit: Vec<f64> = done.iter().map(|it| it.at_limit(limit) as f64).collect();
        let of_learnings =
            |of: &dyn Fn(&CellResult) -> f64| grouped(done.iter().map(|it| (condition.learning_of(it.seed), of(it))));
        let steps = of_learnings(&|it| it.at_limit(limit) as f64);
        let interquartile = |sample: &[&f64]| {
            interquartile_mean(&sample.iter().map(|steps| **steps).collect::<Vec<_>>()).unwrap_or(f64::NAN)
        };
        let with_learnings = |wilson: Interval| {
            let goals = || resampled(&of_learnings(&|it| f64::from(u8::from(it.goal))), mean_of);
            let several = if steps.len() > 1 { goals().unwrap_or(wilson) } else { wilson };
            Interval { low: wilson.low.min(several.low), high: wilson.high.max(several.high), ..wilson }
        };
        let subgoals = SubgoalFigures::of(done, limit);
        let mut suspended_by_law: BTreeMap<LawId, u64> = BTreeMap::new();
        for (law, steps) in done.iter().flat_map(|result| &result.suspended_by_law) {
            *suspended_by_law.entry(law.clone()).or_default() += steps;
        }
        Self {
            condition: condition.name.clone(),
            simulated: done.iter().any(|result| result.simulated),
            planner: condition.model.is_no_model(),
            done: done.len() as u64,
            failed_cells,
            waiting,
            goals,
            goal_interval: wilson(goals, done.len() as u64, CONFIDENCE).ok().map(with_learnings),
            mean_steps: mean(done.iter().filter(|it| it.goal).map(|it| it.steps as f64)),
            mean_steps_at_limit: mean(at_limit.iter().copied()),
            steps_interval: resampled(&steps, mean_of),
            interquartile_steps: interquartile_mean(&at_limit).ok(),
            interquartile_interval: resampled(&steps, interquartile),
            times_optimum: subgoals.last().and_then(|goal| goal.times_optimum),
            subgoals,
            failed: share(sum(|it| it.failed_actions + it.malformed + it.unknown), proposals),
            blocked: share(sum(|it| it.blocked + it.undecided), proposals),
            failed_actions: share(sum(|it| it.failed_actions), sum(|it| it.steps)),
            fallbacks: sum(|it| it.fallbacks),
            suspended_by_law,
            ticks: mean(done.iter().map(|it| it.ticks as f64)),
            violating: sum(|it| u64::from(it.hard_violations > 0)),
            tokens: sum(|it| it.total().usage.total()),
            cost: done.iter().map(|it| it.cost()).sum(),
        }
    }
}

/// The number of resamples of the interval of a condition.
const RESAMPLES: u32 = 2_000;

/// Returns the bootstrap interval of a statistic over learnings and the seeds within each, or over the seeds of one group.
/// `None` if it would have no width: it would not cover what was not seen.
fn resampled(groups: &[Vec<f64>], statistic: impl Fn(&[&f64]) -> f64) -> Option<Interval> {
    let resampling = Resampling { resamples: RESAMPLES, ..Resampling::default() };
    let bootstrap: Bootstrap = match groups {
        [seeds] => bootstrap(seeds, statistic, CONFIDENCE, resampling),
        several => nested_bootstrap(several, statistic, CONFIDENCE, resampling),
    }
    .ok()?;
    Some(bootstrap.interval).filter(|interval| interval.low < interval.high)
}

impl SubgoalFigures {
    /// Computes the steps of finished cells to every subgoal.
    fn of(done: &[&CellResult], limit: u64) -> Vec<Self> {
        let figures = |(name, _): &(String, Option<u64>)| {
            let steps = || done.iter().filter_map(|it| it.reached(name));
            let optimum = done.iter().filter_map(|it| it.optimum.iter().find(|(known, _)| known == name));
            Self {
                subgoal: name.clone(),
                reached: steps().count() as u64,
                mean_steps: mean(steps().map(|steps| steps as f64)),
                mean_steps_at_limit: mean(done.iter().map(|it| it.reached(name).unwrap_or(limit.max(it.steps)) as f64)),
                times_optimum: mean(done.iter().filter_map(|it| it.times_optimum(name, it.reached(name)?))),
                optimum: mean(optimum.map(|(_, steps)| *steps as f64)),
            }
        };
        done.first().into_iter().flat_map(|first| &first.subgoals).map(figures).collect()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    ltlcrit_statistics::mean(&values.collect::<Vec<_>>()).ok()
}
