//! The result of a batch, and of a dry run, as `--json` prints them.

use ltlcrit_engine::batch::{BatchOutcome, Experiment, Schedule, Shard};
use serde::Serialize;

/// The result of a batch.
#[derive(Serialize)]
pub struct Document {
    #[serde(flatten)]
    pub outcome: BatchOutcome,
    /// The SHA-256 of all that results depend on.
    pub plan: String,
    /// The shard, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    pub directory: String,
}

/// The runs of a batch that has not begun.
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
    /// The learning of its laws, if they are learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learn: Option<DrySchedule<'a>>,
    pub cells: usize,
    pub steps: u64,
    pub requests: u64,
}

/// The learning of the laws of a condition.
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
    /// Returns the runs of a batch of this plan.
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
            simulated: experiment.is_simulated(),
            planners: experiment.has_planners(),
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
