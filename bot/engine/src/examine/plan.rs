//! The plan of an evaluation.

use std::path::PathBuf;

use ltlcrit_worlds::planner::Strategy;
use serde_json::json;

use crate::actor::ActorKind;
use crate::batch::{BookList, BookLists, Plan, Seeds};
use crate::config::RunConfig;
use crate::exam::Exam;
use crate::model::ModelSpec;
use crate::user_error::UserError;
use crate::world::WorldName;

/// The advice for a path without tasks.
pub const TASKS_HELP: &str = "name folders with `safe_domain.pddl` and `safe_problem.pddl`, or a folder of such folders; `ltlcrit exam \
    make -o DIR` makes some";

/// The references that run along with every model: lower and upper bounds.
const REFERENCES: [Strategy; 5] =
    [Strategy::Empty, Strategy::Random, Strategy::Careful, Strategy::Shortest, Strategy::Safe];

/// The settings of an evaluation.
#[derive(Clone, Debug)]
pub struct ExamPlan {
    /// The name of the plan.
    pub name: String,
    /// The folders of the tasks.
    pub tasks: Vec<PathBuf>,
    /// The models, besides the references.
    pub models: Vec<ModelSpec>,
    /// The question that they are asked.
    pub exam: Exam,
    /// The seeds; each task is given to each model once for each seed.
    pub seeds: Seeds,
    /// Maximum number of steps of a run.
    pub steps: u64,
    /// The actor of an evaluation in steps.
    pub actor: ActorKind,
    /// True if an evaluation in steps runs under the laws against the task's danger.
    pub lawful: bool,
    /// True if the prompts say what is dangerous.
    pub tell: bool,
}

impl ExamPlan {
    /// Returns the plan in the form that the batch runner takes.
    ///
    /// # Errors
    /// Two models or two tasks have the same name, or there are too many cells.
    pub fn plan(&self) -> Result<Plan, UserError> {
        let mut models: Vec<ModelSpec> = Vec::new();
        if self.exam.is_of_plans() {
            models.extend(REFERENCES.map(ModelSpec::Planner));
        }
        models.extend(self.models.iter().filter(|model| !REFERENCES.map(ModelSpec::Planner).contains(model)).cloned());
        let books = match self.exam == Exam::Steps && self.lawful {
            true => vec!["danger".to_owned()],
            false => Vec::new(),
        };
        let mut config = json!({ "run": { "exam": self.exam, "steps": self.steps } });
        if self.tell {
            config["prompt"] = json!({ "dangers": true });
        }
        checked(&Plan {
            name: self.name.clone(),
            seeds: self.seeds.clone(),
            shard: None,
            worlds: worlds(&self.tasks)?,
            actors: vec![self.actor],
            models,
            terrains: vec![RunConfig::default().terrain],
            books: Some(BookLists(vec![BookList::of(books)])),
            settings: Default::default(),
            reference: None,
            config: config.as_object().cloned().unwrap_or_default(),
            inputs: std::collections::BTreeMap::new(),
        })
    }
}

/// Returns the worlds of tasks.
fn worlds(tasks: &[PathBuf]) -> Result<Vec<WorldName>, UserError> {
    let world = |task: &PathBuf| format!("pddl:{}", task.display()).parse::<WorldName>();
    let named: Result<Vec<WorldName>, _> = tasks.iter().map(world).collect();
    named.map_err(|error| wrong(error.to_string()))
}

/// Writes the plan and reads it back, as a file is read.
fn checked(plan: &Plan) -> Result<Plan, UserError> {
    let text = toml_edit::ser::to_string_pretty(plan).map_err(|error| wrong(error.to_string()))?;
    Plan::parse(&text, &plan.name)
}

fn wrong(message: String) -> UserError {
    UserError::new(message).help(TASKS_HELP)
}
