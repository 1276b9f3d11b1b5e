//! The tasks, from the data that come with the crate.

use std::sync::Arc;

use ltlcrit_pddl::{Domain, Metadata, Problem, Task, TaskError};
use ltlcrit_verifier::syntax::nearest_name;
use serde::{Deserialize, Serialize};
use thiserror::Error;

const DOMAIN: &str = include_str!("../data/domain.pddl");

/// The objects and the facts of each environment.
const ENVIRONMENTS: [(&str, &str); 3] = [
    ("flat", include_str!("../data/flat.pddl")),
    ("floor", include_str!("../data/floor.pddl")),
    ("house", include_str!("../data/house.pddl")),
];

/// A group of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Constraints on rooms alone.
    FourRoom,
    /// Everyday constraints in a house of 105 objects.
    Mobile,
    /// Ten constraints at once.
    Robot,
    /// Tasks that must be given up.
    Abort,
}

impl Family {
    /// All groups, in order.
    pub const ALL: [Self; 4] = [Self::FourRoom, Self::Mobile, Self::Robot, Self::Abort];

    fn text(self) -> &'static str {
        match self {
            Self::FourRoom => include_str!("../data/four-room.toml"),
            Self::Mobile => include_str!("../data/mobile.toml"),
            Self::Robot => include_str!("../data/robot.toml"),
            Self::Abort => include_str!("../data/abort.toml"),
        }
    }
}

/// A constraint, in English and as a formula.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Constraint {
    /// The constraint in everyday words.
    pub sentence: Arc<str>,
    /// The exact wording of an expert.
    pub exact: Arc<str>,
    /// The formula, verified by hand.
    pub formula: Arc<str>,
}

/// A task of the household.
#[derive(Clone, Debug)]
pub struct HouseholdTask {
    /// Its name, such as `four-room-1`.
    pub name: Arc<str>,
    /// Its group.
    pub family: Family,
    /// The instruction, in English.
    pub instruction: Arc<str>,
    /// A plan that reaches the goal, regardless of the constraints: the in-context example of prompts.
    pub example: Vec<Arc<str>>,
    /// The constraints in order: an experiment with `k` constraints uses the first `k`.
    pub constraints: Vec<Constraint>,
    /// The shipped law book with the constraints, if they are not listed here.
    pub book: Option<Arc<str>>,
    /// The task in PDDL.
    pub task: Task,
}

/// The reason that a task cannot be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HouseholdError {
    /// No task has this name.
    #[error("the household has no task `{given}`{}", .nearest.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?")))]
    Unknown {
        /// The name given.
        given: String,
        /// The nearest name.
        nearest: Option<String>,
    },
    /// The data cannot be read.
    #[error("the data of the household cannot be read: {0}")]
    Data(String),
    /// The data are not a valid planning task.
    #[error(transparent)]
    Task(#[from] TaskError),
}

#[derive(Deserialize)]
struct File {
    task: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: Arc<str>,
    environment: String,
    start: String,
    instruction: Arc<str>,
    goal: String,
    #[serde(default)]
    example: Vec<Arc<str>>,
    book: Option<Arc<str>>,
    #[serde(default)]
    constraint: Vec<Constraint>,
}

fn entries() -> Result<Vec<(Family, Entry)>, HouseholdError> {
    let mut all = Vec::new();
    for family in Family::ALL {
        let file: File = toml::from_str(family.text()).map_err(|error| HouseholdError::Data(error.to_string()))?;
        all.extend(file.task.into_iter().map(|entry| (family, entry)));
    }
    Ok(all)
}

/// The names of all tasks, in order.
///
/// # Errors
/// The data cannot be read.
pub fn names() -> Result<Vec<Arc<str>>, HouseholdError> {
    Ok(entries()?.into_iter().map(|(_, entry)| entry.name).collect())
}

/// Returns the task with a name.
///
/// # Errors
/// No task has this name; the error suggests the nearest one.
pub fn task(name: &str) -> Result<HouseholdTask, HouseholdError> {
    let mut all = entries()?;
    let Some(at) = all.iter().position(|(_, entry)| &*entry.name == name) else {
        let nearest = nearest_name(name, all.iter().map(|(_, entry)| &*entry.name)).map(str::to_owned);
        return Err(HouseholdError::Unknown { given: name.chars().take(80).collect(), nearest });
    };
    let (family, entry) = all.swap_remove(at);
    let Entry { name, environment, start, instruction, goal, example, book, constraint } = entry;
    let environment = ENVIRONMENTS.iter().find(|(known, _)| *known == environment);
    let (_, objects) = environment.ok_or_else(|| HouseholdError::Data(format!("{name} is nowhere")))?;
    // The environment ends with its list of initial facts.
    let objects = objects.trim_end().strip_suffix(')').unwrap_or(objects);
    let problem =
        format!("(define (problem {name}) (:domain household)\n{objects}\n  (agent_at {start}))\n(:goal {goal}))");
    let syntax = |error: ltlcrit_pddl::SyntaxError| HouseholdError::Data(format!("{name}:{error}"));
    let domain = Arc::new(Domain::parse(DOMAIN).map_err(syntax)?);
    let metadata = Metadata {
        // All tasks share the household's vocabulary, so that one law book serves them all.
        task_id: "household".to_owned(),
        ways: [("goto".to_owned(), "enter".to_owned())].into(),
        instruction: instruction.to_string(),
        danger_formalization: [("robot_role".to_owned(), "household robot".into())].into(),
        plain_names: true,
        ..Metadata::default()
    };
    let task = Task::new(Problem::parse(&problem, domain).map_err(syntax)?, metadata)?;
    Ok(HouseholdTask { name, family, instruction, example, constraints: constraint, book, task })
}
