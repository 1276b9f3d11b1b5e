//! Adds up the results of a condition, one at a time.

use std::collections::BTreeMap;

use ltlcrit_model::NanoUsd;
use ltlcrit_statistics::{interquartile_mean, wilson};
use ltlcrit_store::LawId;

use super::comparison::CONFIDENCE;
use super::condition::Condition;
use super::figures::{ConditionFigures, SubgoalFigures};
use super::result::CellResult;

/// The results of a condition so far.
#[derive(Default)]
pub(super) struct Tally {
    limit: u64,
    simulated: bool,
    goals: u64,
    /// The steps to the goal.
    steps: Vec<f64>,
    at_limit: Vec<f64>,
    ticks: Vec<f64>,
    subgoals: Vec<SubgoalTally>,
    executed: u64,
    failed_actions: u64,
    proposals: u64,
    failed: u64,
    blocked: u64,
    fallbacks: u64,
    suspended_by_law: BTreeMap<LawId, u64>,
    violating: u64,
    tokens: u64,
    cost: Option<NanoUsd>,
}

/// The steps to a subgoal so far.
#[derive(Default)]
struct SubgoalTally {
    name: String,
    steps: Vec<f64>,
    at_limit: Vec<f64>,
    times_optimum: Vec<f64>,
    optimum: Vec<f64>,
}

/// Returns the number of steps of a result. A result without the goal counts as the limit.
pub(super) fn at_limit(result: &CellResult, limit: u64) -> f64 {
    (if result.goal { result.steps } else { limit.max(result.steps) }) as f64
}

impl Tally {
    /// Creates a tally without results. `limit` is the maximum number of steps of a cell.
    pub fn new(limit: u64) -> Self {
        Self { limit, cost: Some(NanoUsd(0)), ..Self::default() }
    }

    /// Adds a result.
    pub fn add(&mut self, result: &CellResult) {
        if self.at_limit.is_empty() {
            let names = result.subgoals.iter().map(|(name, _)| SubgoalTally::new(name));
            self.subgoals = names.collect();
        }
        self.simulated |= result.simulated;
        self.goals += u64::from(result.goal);
        self.steps.extend(result.goal.then_some(result.steps as f64));
        self.at_limit.push(at_limit(result, self.limit));
        self.ticks.push(result.ticks as f64);
        self.executed += result.steps;
        self.failed_actions += result.failed_actions;
        self.proposals += result.proposals;
        self.failed += result.failed_actions + result.malformed + result.unknown;
        self.blocked += result.blocked + result.undecided;
        self.fallbacks += result.fallbacks;
        for (law, steps) in &result.suspended_by_law {
            *self.suspended_by_law.entry(law.clone()).or_default() += steps;
        }
        self.violating += u64::from(result.hard_violations > 0);
        self.tokens += result.total().usage.total();
        self.cost = [self.cost, result.cost()].into_iter().sum();
        for subgoal in &mut self.subgoals {
            subgoal.add(result, self.limit);
        }
    }

    /// Returns the metrics.
    pub fn figures(self, condition: &Condition, failed_cells: u64, waiting: u64) -> ConditionFigures {
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let done = self.at_limit.len() as u64;
        let subgoals: Vec<SubgoalFigures> = self.subgoals.iter().map(SubgoalTally::figures).collect();
        ConditionFigures {
            condition: condition.name.clone(),
            simulated: self.simulated,
            planner: condition.model.is_no_model(),
            done,
            failed_cells,
            waiting,
            goals: self.goals,
            goal_interval: wilson(self.goals, done, CONFIDENCE).ok(),
            mean_steps: mean(&self.steps),
            mean_steps_at_limit: mean(&self.at_limit),
            interquartile_steps: interquartile_mean(&self.at_limit).ok(),
            times_optimum: subgoals.last().and_then(|goal| goal.times_optimum),
            subgoals,
            failed: share(self.failed, self.proposals),
            blocked: share(self.blocked, self.proposals),
            failed_actions: share(self.failed_actions, self.executed),
            ticks: mean(&self.ticks),
            fallbacks: self.fallbacks,
            suspended_by_law: self.suspended_by_law,
            violating: self.violating,
            tokens: self.tokens,
            cost: self.cost,
        }
    }
}

impl SubgoalTally {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    fn add(&mut self, result: &CellResult, limit: u64) {
        let steps = result.reached(&self.name);
        let optimum = result.optimum.iter().find(|(known, _)| *known == self.name);
        self.steps.extend(steps.map(|steps| steps as f64));
        self.at_limit.push(steps.unwrap_or(limit.max(result.steps)) as f64);
        self.times_optimum.extend(steps.and_then(|steps| result.times_optimum(&self.name, steps)));
        self.optimum.extend(optimum.map(|(_, steps)| *steps as f64));
    }

    fn figures(&self) -> SubgoalFigures {
        SubgoalFigures {
            subgoal: self.name.clone(),
            reached: self.steps.len() as u64,
            mean_steps: mean(&self.steps),
            mean_steps_at_limit: mean(&self.at_limit),
            times_optimum: mean(&self.times_optimum),
            optimum: mean(&self.optimum),
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    ltlcrit_statistics::mean(values).ok()
}
