//! The result of a batch, and of a dry run, as `--json` prints them.

use std::path::Path;

use ltlcrit_engine::batch::{
    BatchSummary, Cell, CellState, Directory, Experiment, Learning, Reference, Schedule, Shard,
};
use ltlcrit_engine::model::ModelSpec;
use serde::Serialize;

/// The result of a batch.
#[derive(Serialize)]
pub struct Document<'a> {
    /// Whether some model is a persona; its figures are no evidence about language models.
    pub simulated: bool,
    /// Whether planners act in some conditions; they are no language models.
    pub planners: bool,
    pub name: &'a str,
    /// The SHA-256 of all that results depend on.
    pub plan: String,
    /// The shard, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    pub directory: String,
    pub cells: usize,
    pub done: usize,
    pub failed: usize,
    pub waiting: usize,
    #[serde(flatten)]
    pub summary: &'a BatchSummary,
    /// The learnings of conditions, made before their first cell.
    pub learnings: &'a [Learning],
    /// Figures from elsewhere that the plan names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<&'a Reference>,
    pub failures: Vec<Failure>,
}

/// Cells of a condition that failed for one reason.
#[derive(Serialize)]
pub struct Failure {
    pub condition: String,
    pub seeds: Vec<u64>,
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

impl<'a> Document<'a> {
    /// The result so far.
    pub fn new(
        experiment: &'a Experiment,
        path: &Path,
        directory: &Directory,
        summary: &'a BatchSummary,
        learnings: &'a [Learning],
    ) -> Self {
        let states = directory.cells();
        let cells = experiment.cells();
        let done = cells.iter().filter(|cell| states.state(cell.index) == CellState::Done).count();
        let failures = Failure::grouped(experiment, &cells, |cell| match states.state(cell.index) {
            CellState::Failed(reason) => Some(reason),
            _ => None,
        });
        let failed = failures.iter().map(|failure| failure.seeds.len()).sum();
        Self {
            simulated: simulated(experiment),
            planners: planners(experiment),
            name: &experiment.plan.name,
            plan: experiment.hash(),
            shard: experiment.plan.shard,
            directory: path.display().to_string(),
            cells: cells.len(),
            done,
            failed,
            waiting: cells.len() - done - failed,
            summary,
            learnings,
            reference: experiment.plan.reference.as_ref(),
            failures,
        }
    }
}

/// Whether some model is a persona.
pub fn simulated(experiment: &Experiment) -> bool {
    experiment.plan.models.iter().any(|model| matches!(model, ModelSpec::Simulated(_)))
}

/// Whether planners act in some conditions.
fn planners(experiment: &Experiment) -> bool {
    experiment.plan.models.iter().any(ModelSpec::is_no_model)
}

/// What a batch would run.
#[derive(Serialize)]
pub struct DryRun<'a> {
    pub simulated: bool,
    pub planners: bool,
    pub name: &'a str,
    pub plan: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
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
    pub world: String,
    pub actor: &'static str,
    pub model: String,
    pub books: &'a [String],
    pub terrain: &'static str,
    /// How its laws are learned, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learn: Option<DrySchedule<'a>>,
    pub cells: usize,
    pub steps: u64,
    pub requests: u64,
}

/// How the laws of a condition are learned.
#[derive(Serialize)]
pub struct DrySchedule<'a> {
    #[serde(flatten)]
    pub schedule: &'a Schedule,
    /// The most episodes.
    pub episodes: usize,
    /// The most requests to the model of the actor. Critics are asked besides.
    pub requests: u64,
}

impl<'a> DryRun<'a> {
    /// What a batch of this plan would run.
    pub fn of(experiment: &'a Experiment) -> Self {
        let all = experiment.cells();
        let conditions: Vec<DryCondition<'a>> = experiment
            .conditions
            .iter()
            .enumerate()
            .map(|(number, condition)| {
                let cells = all.iter().filter(|cell| cell.condition == number).count();
                DryCondition {
                    condition: &condition.name,
                    world: condition.world.to_string(),
                    actor: condition.actor.name(),
                    model: condition.model.to_string(),
                    books: &condition.books.books,
                    terrain: condition.terrain.name(),
                    learn: condition.books.learn.as_ref().filter(|_| cells > 0).map(|schedule| DrySchedule {
                        schedule,
                        episodes: schedule.episodes(),
                        requests: experiment.most_learning_requests(condition),
                    }),
                    cells,
                    steps: experiment.steps().saturating_mul(cells as u64),
                    requests: experiment.most_requests(condition, cells),
                }
            })
            .collect();
        let used = conditions.iter().filter(|condition| condition.cells > 0).count();
        Self {
            simulated: simulated(experiment),
            planners: planners(experiment),
            name: &experiment.plan.name,
            plan: experiment.hash(),
            shard: experiment.plan.shard,
            seeds: experiment.plan.seeds.to_string(),
            cells: all.len(),
            steps: conditions.iter().map(|condition| condition.steps).fold(0, u64::saturating_add),
            requests: conditions.iter().map(|condition| condition.requests).fold(0, u64::saturating_add),
            cost: experiment.most_cost().map(|cost| cost * used as f64),
            conditions,
        }
    }
}
