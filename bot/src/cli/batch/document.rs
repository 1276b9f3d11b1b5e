//! The result of a batch, and of a dry run, as `--json` prints them.

use std::path::Path;

use ltlcrit_engine::batch::{BatchSummary, CellState, Directory, Experiment};
use ltlcrit_engine::model::ModelSpec;
use serde::Serialize;

/// The result of a batch.
#[derive(Serialize)]
pub struct Document<'a> {
    /// Whether some model is a persona; its figures are no evidence about language models.
    pub simulated: bool,
    pub name: &'a str,
    /// The SHA-256 of all that results depend on.
    pub plan: String,
    pub directory: String,
    pub cells: usize,
    pub done: usize,
    pub failed: usize,
    pub waiting: usize,
    #[serde(flatten)]
    pub summary: &'a BatchSummary,
    pub failures: Vec<Failure>,
}

/// Cells of a condition that failed for one reason.
#[derive(Serialize)]
pub struct Failure {
    pub condition: String,
    pub seeds: Vec<u64>,
    pub reason: String,
}

impl<'a> Document<'a> {
    /// The result so far.
    pub fn new(experiment: &'a Experiment, path: &Path, directory: &Directory, summary: &'a BatchSummary) -> Self {
        let cells = experiment.cells();
        let (mut done, mut failures) = (0, Vec::<Failure>::new());
        for cell in &cells {
            match directory.state(cell.index) {
                CellState::Waiting => {}
                CellState::Done(_) => done += 1,
                CellState::Failed(reason) => {
                    let condition = &experiment.conditions[cell.condition].name;
                    match failures.last_mut() {
                        Some(last) if last.condition == *condition && last.reason == reason => {
                            last.seeds.push(cell.seed)
                        }
                        _ => failures.push(Failure {
                            condition: condition.clone(),
                            seeds: vec![cell.seed],
                            reason: reason.to_owned(),
                        }),
                    }
                }
            }
        }
        let failed = failures.iter().map(|failure| failure.seeds.len()).sum();
        Self {
            simulated: simulated(experiment),
            name: &experiment.plan.name,
            plan: experiment.hash(),
            directory: path.display().to_string(),
            cells: cells.len(),
            done,
            failed,
            waiting: cells.len() - done - failed,
            summary,
            failures,
        }
    }
}

/// Whether some model is a persona.
pub fn simulated(experiment: &Experiment) -> bool {
    experiment.plan.models.iter().any(|model| matches!(model, ModelSpec::Simulated(_)))
}

/// What a batch would run.
#[derive(Serialize)]
pub struct DryRun<'a> {
    pub simulated: bool,
    pub name: &'a str,
    pub plan: String,
    pub seeds: String,
    pub cells: usize,
    /// The most steps of all cells.
    pub steps: u64,
    /// The most requests of all cells, without those that are sent again because an answer was lost or cut off.
    pub requests: u64,
    /// The most US dollars of all cells, if the cost is capped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    pub conditions: Vec<DryCondition<'a>>,
}

/// A condition of it.
#[derive(Serialize)]
pub struct DryCondition<'a> {
    pub condition: &'a str,
    pub actor: &'static str,
    pub model: String,
    pub books: &'a [String],
    pub terrain: &'static str,
    pub cells: usize,
    pub steps: u64,
    pub requests: u64,
}

impl<'a> DryRun<'a> {
    /// What a batch of this plan would run.
    pub fn of(experiment: &'a Experiment) -> Self {
        let cells = experiment.plan.seeds.as_slice().len();
        let steps = experiment.steps().saturating_mul(cells as u64);
        let requests = experiment.most_requests();
        let times = experiment.conditions.len() as u64;
        Self {
            simulated: simulated(experiment),
            name: &experiment.plan.name,
            plan: experiment.hash(),
            seeds: experiment.plan.seeds.to_string(),
            cells: experiment.plan.cells(),
            steps: steps.saturating_mul(times),
            requests: requests.saturating_mul(times),
            cost: experiment.most_cost().map(|cost| cost * times as f64),
            conditions: experiment
                .conditions
                .iter()
                .map(|condition| DryCondition {
                    condition: &condition.name,
                    actor: condition.actor.name(),
                    model: condition.model.to_string(),
                    books: &condition.books.books,
                    terrain: condition.terrain.name(),
                    cells,
                    steps,
                    requests,
                })
                .collect(),
        }
    }
}
