//! Tasks: a problem with its danger, stored as a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use ltlcrit_files::FileError;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::atoms::{Atoms, TooManyAtoms};
use crate::danger::{Danger, DangerError, split};
use crate::error::SyntaxError;
use crate::model::{Domain, FunctionId, Problem};
use crate::number::Number;
use crate::semantics::{Bounds, Initial};
use crate::write::Writer;

/// Maximum size of a task's file, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The contents of a task's `metadata.json`; other fields are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// The task's name.
    #[serde(default)]
    pub task_id: String,
    /// DESPITE's description of the danger, by field: `setting`, `robot_task`, `danger_group`, ….
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub danger_formalization: BTreeMap<String, serde_json::Value>,
    /// Plans known to be feasible: `safe` and `unsafe`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reference_feasible_plans: BTreeMap<String, String>,
    /// The least and the greatest value of numeric fluents, by name. PDDL has no bounds; the original's problems do.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, (Number, Number)>,
    /// Helper actions: with `{"goto": "enter"}`, a [world](crate::PddlWorld) carries out the fewest actions `enter`
    /// until `goto` applies. It does not offer `enter`. The states in between are intermediate states.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ways: BTreeMap<String, String>,
    /// The source of the task: `neiss`, `normbank`, `made`, …; see [`Metadata::origin`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The dangers, one English sentence each, for prompts that state them and for translation. No other prompt shows
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dangers: Vec<String>,
    /// The English texts of predicates and actions, by name: `{"go": "go to the {2}"}`, with the number of a parameter
    /// for each object. Predicates have clauses, actions verb phrases. Translation reads them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub english: BTreeMap<String, String>,
    /// The names of added actions that are [neutral](crate::neutral).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub neutral: Vec<String>,
    /// The task in English; without it, the goal in PDDL is used.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instruction: String,
    /// True if propositions have the names of the paper on household robots: `at(cup, table)`, `take(cup)`, without
    /// `obs_` and `action_`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain_names: bool,
}

impl Metadata {
    /// Reads the metadata in a task's folder; empty if the file is missing.
    ///
    /// # Errors
    /// The file is unreadable, or not of this form.
    pub fn read(folder: &Path) -> Result<Self, TaskError> {
        let file = folder.join("metadata.json");
        let wrong = |error| TaskError::Metadata { file: file.display().to_string(), error };
        match read_if_exists(&file)? {
            // A list would be read as the fields in order.
            Some(text) if !text.trim_start().starts_with('{') => Err(wrong(serde_json::Error::custom(
                "found no object; write `{\"task_id\": \"NAME\"}`, or remove the file",
            ))),
            Some(text) => serde_json::from_str(&text).map_err(wrong),
            None => Ok(Self::default()),
        }
    }

    /// Returns the source of the task: its field, or the prefix of a DESPITE task's name (`neiss_2888`).
    pub fn origin(&self) -> Option<&str> {
        let numbered = |(name, number): (&'_ str, &'_ str)| -> bool {
            !name.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let begins = || self.task_id.rsplit_once('_').filter(|parts| numbered(*parts)).map(|(name, _)| name);
        Some(self.source.as_str()).filter(|source| !source.is_empty()).or_else(begins)
    }

    /// Returns a field of DESPITE's description of the danger.
    pub fn formalized(&self, field: &str) -> Option<&str> {
        self.danger_formalization.get(field).and_then(serde_json::Value::as_str).filter(|text| !text.is_empty())
    }

    /// Returns each danger in a sentence; without sentences, those of DESPITE's description.
    pub fn told_dangers(&self) -> Vec<String> {
        if !self.dangers.is_empty() {
            return self.dangers.clone();
        }
        let told = ["danger_action", "cause_of_danger"].map(|field| self.formalized(field));
        let sentences: Vec<String> = told.into_iter().flatten().map(str::to_owned).collect();
        if sentences.is_empty() { Vec::new() } else { vec![sentences.join(" ")] }
    }
}

/// The reason why a task was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TaskError {
    /// A file cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// The reason.
        error: FileError,
    },
    /// The folder has no task.
    #[error(
        "{folder} holds no task: write `domain.pddl` and `problem.pddl`, or `safe_domain.pddl` and `safe_problem.pddl` for one \
         with danger"
    )]
    Missing {
        /// The folder.
        folder: String,
    },
    /// The danger conditions are in Python only.
    #[error(
        "{folder} has its danger conditions in `code.py` only; the script `worlds/pddl/tools/despite_to_pddl.py` writes them as \
         `safe_domain.pddl` and `safe_problem.pddl`"
    )]
    NotExported {
        /// The folder.
        folder: String,
    },
    /// A file is not PDDL.
    #[error("{file}:{error}")]
    Syntax {
        /// The file.
        file: String,
        /// The place and the reason.
        error: SyntaxError,
    },
    /// `metadata.json` does not have the fields.
    #[error("{file}: {error}")]
    Metadata {
        /// The file.
        file: String,
        /// The reason.
        error: serde_json::Error,
    },
    /// Danger is used in an unsupported way.
    #[error(transparent)]
    Danger(#[from] DangerError),
    /// Too many atoms.
    #[error(transparent)]
    Atoms(#[from] TooManyAtoms),
    /// The basic problem is not the safety-augmented one without danger.
    #[error("the basic and the safe problem differ besides danger: {difference}; write them from one source")]
    Different {
        /// The part that one has and the other does not have.
        difference: String,
    },
    /// A bound of an unknown fluent.
    #[error("metadata bounds `{0}`, which is no numeric fluent of the domain")]
    Bounds(String),
    /// A least value that is greater than the greatest.
    #[error(
        "metadata bounds `{name}` from {least} to {most}; write the least value first, for example [\"0\", \"10\"]"
    )]
    Reversed {
        /// The fluent.
        name: String,
        /// The value that is written first.
        least: Number,
        /// The value that is written second.
        most: Number,
    },
    /// A way of an unknown action.
    #[error("metadata has a way with `{0}`, which is no action of the domain")]
    Ways(String),
}

/// A planning task, with danger if it has any.
#[derive(Clone, Debug)]
pub struct Task {
    /// The problem as it is written, danger included.
    pub safe: Arc<Problem>,
    /// The problem without danger.
    pub basic: Arc<Problem>,
    /// The danger, if the problem has any.
    pub danger: Option<Danger>,
    /// The metadata.
    pub metadata: Metadata,
    pub(crate) atoms: Arc<Atoms>,
    pub(crate) bounds: Arc<Bounds>,
    pub(crate) initial: Arc<Initial>,
}

impl Task {
    /// Creates a task from a problem, safety-augmented or without danger.
    ///
    /// # Errors
    /// Danger is used in another way than the paper's, there are too many atoms, or the metadata bounds unknown
    /// fluents.
    pub fn new(safe: Problem, metadata: Metadata) -> Result<Self, TaskError> {
        let safe = Arc::new(safe);
        let (basic, danger) = match split(&safe)? {
            Some((basic, danger)) => (Arc::new(basic), Some(danger)),
            None => (safe.clone(), None),
        };
        let atoms = Atoms::of(&safe)?;
        let functions = &safe.domain.functions;
        let number = |name: &String| functions.iter().position(|of| of.name.eq_ignore_ascii_case(name));
        let bound = |(name, (least, most)): (&String, &(Number, Number))| match number(name) {
            Some(number) if least.is_between(*least, *most) => Ok((FunctionId(number as u32), (*least, *most))),
            Some(_) => Err(TaskError::Reversed { name: name.clone(), least: *least, most: *most }),
            None => Err(TaskError::Bounds(name.clone())),
        };
        let bounds = metadata.bounds.iter().map(bound).collect::<Result<_, _>>()?;
        let initial = Arc::new(Initial::of(&safe, &atoms));
        Ok(Self { safe, basic, danger, metadata, atoms: Arc::new(atoms), bounds: Arc::new(bounds), initial })
    }

    /// Returns whether danger of this value is tolerable at the end of a plan.
    pub(crate) fn tolerates(&self, danger: Number) -> bool {
        self.danger.as_ref().is_none_or(|of| of.tolerates(danger))
    }

    /// Returns the danger before the first step.
    pub(crate) fn initial_danger(&self) -> Number {
        self.danger.as_ref().map_or(Number::ZERO, |danger| danger.initial)
    }

    /// Creates a task from the texts of its domain and its problem.
    ///
    /// # Errors
    /// As [`Task::new`], or a text is not PDDL.
    pub fn parse(domain: &str, problem: &str) -> Result<Self, TaskError> {
        Self::new(parse((domain, "domain.pddl"), (problem, "problem.pddl"))?, Metadata::default())
    }

    /// Returns the task as JSON: its domain and problem as PDDL, and the part of its metadata that a world depends on.
    pub fn description(&self) -> serde_json::Value {
        let Metadata { task_id, bounds, ways, instruction, plain_names, .. } = self.metadata.clone();
        let (domain, problem) = (self.safe.domain.to_string(), self.safe.to_string());
        let metadata = Metadata { task_id, bounds, ways, instruction, plain_names, ..Metadata::default() };
        serde_json::json!({ "domain": domain, "problem": problem, "metadata": metadata })
    }

    /// Creates the task of a [description](Self::description).
    ///
    /// # Errors
    /// As [`Task::new`], or the JSON is not a description.
    pub fn described(description: &serde_json::Value) -> Result<Self, TaskError> {
        let text = |key: &str| description[key].as_str().unwrap_or_default();
        let metadata = serde_json::from_value(description["metadata"].clone())
            .map_err(|error| TaskError::Metadata { file: "the description of a world".to_owned(), error })?;
        Self::new(parse((text("domain"), "domain"), (text("problem"), "problem"))?, metadata)
    }

    /// Reads a task from a folder: `safe_domain.pddl` and `safe_problem.pddl`, or `domain.pddl` and `problem.pddl`. If
    /// `basic_domain.pddl` and `basic_problem.pddl` exist, the safe files must agree with them. `metadata.json` may be
    /// missing.
    ///
    /// # Errors
    /// A file is unreadable or wrong, or the files contradict each other.
    pub fn read(folder: &Path) -> Result<Self, TaskError> {
        let metadata = Metadata::read(folder)?;
        let shown = || folder.display().to_string();
        if let Some(safe) = read_problem(folder, "safe_")? {
            let task = Self::new(safe, metadata)?;
            if let Some(basic) = read_problem(folder, "basic_")? {
                agree(&basic, &task)?;
            }
            return Ok(task);
        }
        if folder.join("code.py").exists() {
            return Err(TaskError::NotExported { folder: shown() });
        }
        match read_problem(folder, "")? {
            Some(problem) => Self::new(problem, metadata),
            None => Err(TaskError::Missing { folder: shown() }),
        }
    }
}

fn read_if_exists(file: &Path) -> Result<Option<String>, TaskError> {
    match ltlcrit_files::read_text(file, MAX_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(FileError::Missing) => Ok(None),
        Err(error) => Err(TaskError::Unreadable { file: file.display().to_string(), error }),
    }
}

fn read_problem(folder: &Path, prefix: &str) -> Result<Option<Problem>, TaskError> {
    let files = ["domain", "problem"].map(|part| folder.join(format!("{prefix}{part}.pddl")));
    let [domain, problem] = [read_if_exists(&files[0])?, read_if_exists(&files[1])?];
    let names = files.each_ref().map(|file| file.display().to_string());
    match (domain, problem) {
        (Some(domain), Some(problem)) => parse((&domain, &names[0]), (&problem, &names[1])).map(Some),
        (None, None) => Ok(None),
        (domain, _) => {
            let [of_domain, of_problem] = names;
            let file = if domain.is_none() { of_domain } else { of_problem };
            Err(TaskError::Unreadable { file, error: FileError::Missing })
        }
    }
}

fn parse((domain, of_domain): (&str, &str), (problem, of_problem): (&str, &str)) -> Result<Problem, TaskError> {
    let syntax = |file: &str| {
        let file = file.to_owned();
        move |error| TaskError::Syntax { file, error }
    };
    let domain = Domain::parse(domain).map_err(syntax(of_domain))?;
    Problem::parse(problem, Arc::new(domain)).map_err(syntax(of_problem))
}

/// Checks that a basic problem is that of a task. The names of the domains and problems, and all orders, may differ.
fn agree(basic: &Problem, task: &Task) -> Result<(), TaskError> {
    let (one, other) = (parts(basic, &task.danger), parts(&task.basic, &task.danger));
    let missing = |in_: &BTreeSet<String>, from: &BTreeSet<String>, whose: &str| {
        from.difference(in_).next().map(|part| format!("only the {whose} has `{part}`"))
    };
    match missing(&other, &one, "basic problem").or_else(|| missing(&one, &other, "safe problem")) {
        None => Ok(()),
        Some(difference) => Err(TaskError::Different { difference }),
    }
}

/// Returns all parts of a problem, as a set of texts.
fn parts(problem: &Problem, danger: &Option<Danger>) -> BTreeSet<String> {
    let writer = Writer::of(problem);
    let mut parts = BTreeSet::new();
    for object in &problem.objects {
        parts.insert(writer.typed(object));
    }
    for action in &problem.domain.actions {
        parts.insert(writer.action(action));
    }
    for symbol in problem.domain.predicates.iter().chain(&problem.domain.functions) {
        let is_danger = danger.is_some() && symbol.name.eq_ignore_ascii_case(crate::danger::DANGER);
        if !is_danger {
            parts.insert(writer.symbol(symbol));
        }
    }
    for fact in &problem.facts {
        parts.insert(writer.atom(fact, &[]));
    }
    for (fluent, value) in &problem.values {
        parts.insert(writer.value(fluent, *value));
    }
    parts.extend(problem.constraints().map(|constraint| writer.constraint(constraint)));
    parts.extend(problem.goal.conjuncts().into_iter().map(|goal| format!("goal {}", writer.condition(goal, &[]))));
    parts
}
