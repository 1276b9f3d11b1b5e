//! The results of a batch so far, for commands and reports.

use std::path::Path;

use ltlcrit_model::NanoUsd;
use serde::Serialize;

use super::cells::{CellStatus, Cells};
use super::experiment::Experiment;
use super::files::DirectoryError;
use super::learned::{Learning, learnings};
use super::reference::Reference;
use super::summary::BatchSummary;
use crate::model::ModelSpec;

/// The results of a batch so far.
#[derive(Debug, Serialize)]
pub struct BatchOutcome {
    /// True if some model is a persona, whose metrics are not evidence about language models.
    pub simulated: bool,
    /// True if planners act in some conditions; they are not language models.
    pub planners: bool,
    /// The name of the plan.
    pub name: String,
    /// The number of cells of the plan, or of its shard.
    pub cells: usize,
    /// The number of finished cells.
    pub done: usize,
    /// The number of failed cells.
    pub failed: usize,
    /// The number of cells that have not run.
    pub waiting: usize,
    /// The maximum number of steps of a cell; cells without the goal count as this limit.
    pub limit: u64,
    /// Metrics and comparisons.
    #[serde(flatten)]
    pub summary: BatchSummary,
    /// The learnings of conditions, made before their first cell.
    pub learnings: Vec<LearningUsed>,
    /// Metrics from elsewhere that the plan compares with its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// The reasons of failed cells.
    pub failures: Vec<Failure>,
}

/// A learning with the total usage of its models.
#[derive(Debug, Serialize)]
pub struct LearningUsed {
    /// The learning.
    #[serde(flatten)]
    pub learning: Learning,
    /// The number of tokens.
    pub tokens: u64,
    /// The cost in billionths of a US dollar; `None` if a price is not known.
    pub cost: Option<NanoUsd>,
}

/// Failed cells of a condition with the same reason.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// The condition.
    pub condition: String,
    /// Their seeds.
    pub seeds: Vec<u64>,
    /// The reason.
    pub reason: String,
}

impl Failure {
    /// Groups the failed cells, given the states of all: consecutive cells with one reason form one entry.
    pub fn grouped(experiment: &Experiment, states: &[CellStatus]) -> Vec<Self> {
        let mut failures = Vec::<Self>::new();
        for (cell, state) in experiment.cells().iter().zip(states) {
            let CellStatus::Failed { reason } = state else { continue };
            let condition = &experiment.conditions[cell.condition].name;
            match failures.last_mut() {
                Some(last) if last.condition == *condition && last.reason == *reason => last.seeds.push(cell.seed),
                _ => {
                    failures.push(Self { condition: condition.clone(), seeds: vec![cell.seed], reason: reason.clone() })
                }
            }
        }
        failures
    }
}

impl BatchOutcome {
    /// Summarises the finished cells in the directory of a batch.
    ///
    /// # Errors
    /// Learned books cannot be read.
    pub fn of(experiment: &Experiment, path: &Path, states: &Cells) -> Result<Self, DirectoryError> {
        let cells: Vec<CellStatus> = experiment.cells().iter().map(|cell| states.state(cell.index)).collect();
        let failures = Failure::grouped(experiment, &cells);
        let used = |learning: Learning| {
            let total = learning.usage.total();
            LearningUsed { tokens: total.usage.total(), cost: total.known_cost(), learning }
        };
        let done = cells.iter().filter(|state| **state == CellStatus::Done).count();
        let failed = failures.iter().map(|failure| failure.seeds.len()).sum();
        Ok(Self {
            simulated: experiment.is_simulated(),
            planners: experiment.has_planners(),
            name: experiment.plan.name.clone(),
            cells: cells.len(),
            done,
            failed,
            waiting: cells.len() - done - failed,
            limit: experiment.steps(),
            summary: BatchSummary::of(experiment, states),
            learnings: learnings(path, experiment)?.into_iter().map(used).collect(),
            reference: experiment.plan.reference.clone(),
            failures,
        })
    }
}

impl Experiment {
    /// Returns whether some model is a persona, whose metrics are not evidence about language models.
    pub fn is_simulated(&self) -> bool {
        self.plan.models.iter().any(|model| matches!(model, ModelSpec::Simulated(_)))
    }

    /// Returns whether planners act in some conditions; they are not language models.
    pub fn has_planners(&self) -> bool {
        self.plan.models.iter().any(ModelSpec::is_no_model)
    }
}
