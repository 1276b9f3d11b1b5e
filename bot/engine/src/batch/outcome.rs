//! The results of a batch so far, as commands print them and reports embed them.

use std::path::Path;

use ltlcrit_model::NanoUsd;
use serde::Serialize;

use super::cells::{CellState, Cells};
use super::condition::Cell;
use super::experiment::Experiment;
use super::learned::{LearnedError, Learning, learnings};
use super::reference::Reference;
use super::summary::BatchSummary;
use crate::model::ModelSpec;

/// The results of a batch so far.
#[derive(Debug, Serialize)]
pub struct BatchOutcome {
    /// Whether some model is a persona, whose figures are no evidence about language models.
    pub simulated: bool,
    /// Whether planners act in some conditions; they are no language models.
    pub planners: bool,
    /// The name of the plan.
    pub name: String,
    /// The cells of the plan, or of its shard.
    pub cells: usize,
    /// Finished cells.
    pub done: usize,
    /// Failed cells.
    pub failed: usize,
    /// Cells that have not run.
    pub waiting: usize,
    /// The most steps of a cell, at which cells without the goal are counted.
    pub limit: u64,
    /// Figures and comparisons.
    #[serde(flatten)]
    pub summary: BatchSummary,
    /// The learnings of conditions, made before their first cell.
    pub learnings: Vec<LearningUsed>,
    /// Figures from elsewhere beside which the plan shows its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// The reasons of failed cells.
    pub failures: Vec<Failure>,
}

/// A learning with what all its models used together.
#[derive(Debug, Serialize)]
pub struct LearningUsed {
    /// The learning.
    #[serde(flatten)]
    pub learning: Learning,
    /// Tokens.
    pub tokens: u64,
    /// The cost in billionths of a US dollar; `None` when a price is not known.
    pub cost: Option<NanoUsd>,
}

/// Cells of a condition that failed for one reason.
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
    /// The cells that failed, those in a row with one reason together.
    pub fn grouped<'a>(
        experiment: &Experiment,
        cells: &[Cell],
        reason: impl Fn(&Cell) -> Option<&'a str>,
    ) -> Vec<Self> {
        let mut failures = Vec::<Self>::new();
        for (cell, reason) in cells.iter().filter_map(|cell| Some((cell, reason(cell)?))) {
            let condition = &experiment.conditions[cell.condition].name;
            match failures.last_mut() {
                Some(last) if last.condition == *condition && last.reason == reason => last.seeds.push(cell.seed),
                _ => failures.push(Self {
                    condition: condition.clone(),
                    seeds: vec![cell.seed],
                    reason: reason.to_owned(),
                }),
            }
        }
        failures
    }
}

impl BatchOutcome {
    /// Sums up what is finished in the directory of a batch.
    ///
    /// # Errors
    /// Results or learned books that cannot be read.
    pub fn of(experiment: &Experiment, path: &Path, states: &Cells) -> Result<Self, LearnedError> {
        let cells = experiment.cells();
        let failures = Failure::grouped(experiment, &cells, |cell| match states.state(cell.index) {
            CellState::Failed(reason) => Some(reason),
            _ => None,
        });
        let used = |learning: Learning| {
            let total = learning.usage.total();
            LearningUsed { tokens: total.usage.total(), cost: total.known_cost(), learning }
        };
        let done = cells.iter().filter(|cell| states.state(cell.index) == CellState::Done).count();
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
            summary: BatchSummary::of(experiment, states)?,
            learnings: learnings(path, experiment)?.into_iter().map(used).collect(),
            reference: experiment.plan.reference.clone(),
            failures,
        })
    }
}

impl Experiment {
    /// Whether some model is a persona, whose figures are no evidence about language models.
    pub fn is_simulated(&self) -> bool {
        self.plan.models.iter().any(|model| matches!(model, ModelSpec::Simulated(_)))
    }

    /// Whether planners act in some conditions; they are no language models.
    pub fn has_planners(&self) -> bool {
        self.plan.models.iter().any(ModelSpec::is_no_model)
    }
}
