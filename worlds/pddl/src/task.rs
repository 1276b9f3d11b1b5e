//! Tasks: a problem with its danger, as a folder holds them.

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

/// The longest file of a task that is read, in bytes.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// What `metadata.json` of a task says; other fields are left unread.
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
    /// Actions that lead to others: with `{"goto": "enter"}` a [world](crate::PddlWorld) carries out the fewest actions
    /// `enter`, which it does not offer, until `goto` applies. What holds in between is passed through.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ways: BTreeMap<String, String>,
    /// Where the task is from: `neiss`, `normbank`, `made`, …; see [`Metadata::origin`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Each danger in an English sentence, for prompts that tell it and for translation. No other prompt shows them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dangers: Vec<String>,
    /// What predicates and actions are called in English, by name: `{"go": "go to the {2}"}`, with the number of a parameter for
    /// each object; clauses for predicates, verb phrases for actions. Translation reads them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub english: BTreeMap<String, String>,
    /// The names of actions that were added and are [neutral](crate::neutral).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub neutral: Vec<String>,
    /// What to do, in English; without it, the goal in PDDL.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instruction: String,
    /// Whether propositions are named as the paper on household robots names them: `at(cup, table)`, `take(cup)`, without
    /// `obs_` and `action_`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain_names: bool,
}

impl Metadata {
    /// The metadata in a task's folder; empty if it has none.
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

    /// Where the task is from: what it says, or how the names of DESPITE's tasks begin (`neiss_2888`).
    pub fn origin(&self) -> Option<&str> {
        let numbered = |(name, number): (&'_ str, &'_ str)| -> bool {
            !name.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let begins = || self.task_id.rsplit_once('_').filter(|parts| numbered(*parts)).map(|(name, _)| name);
        Some(self.source.as_str()).filter(|source| !source.is_empty()).or_else(begins)
    }

    /// A field of DESPITE's description of the danger.
    pub fn formalized(&self, field: &str) -> Option<&str> {
        self.danger_formalization.get(field).and_then(serde_json::Value::as_str).filter(|text| !text.is_empty())
    }

    /// Each danger in a sentence; where there are none, what DESPITE's description says of it.
    pub fn told_dangers(&self) -> Vec<String> {
        if !self.dangers.is_empty() {
            return self.dangers.clone();
        }
        let told = ["danger_action", "cause_of_danger"].map(|field| self.formalized(field));
        let sentences: Vec<String> = told.into_iter().flatten().map(str::to_owned).collect();
        if sentences.is_empty() { Vec::new() } else { vec![sentences.join(" ")] }
    }
}

/// Why a task was not read.
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
        /// Where and why.
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
    /// Danger is used in another way.
    #[error(transparent)]
    Danger(#[from] DangerError),
    /// Too many atoms.
    #[error(transparent)]
    Atoms(#[from] TooManyAtoms),
    /// The basic problem is not the safety-augmented one without danger.
    #[error("the basic and the safe problem differ besides danger: {difference}; write them from one source")]
    Different {
        /// What one has and the other has not.
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
    /// A task of a problem, safety-augmented or without danger.
    ///
    /// # Errors
    /// Danger is used in another way than the paper's, there are too many atoms, or the metadata bound unknown fluents.
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

    /// A task from the texts of its domain and its problem.
    ///
    /// # Errors
    /// As [`Task::new`], or a text is not PDDL.
    pub fn parse(domain: &str, problem: &str) -> Result<Self, TaskError> {
        Self::new(parse((domain, "domain.pddl"), (problem, "problem.pddl"))?, Metadata::default())
    }

    /// The task as JSON: its domain and problem as PDDL, and of its metadata what a world depends on.
    pub fn description(&self) -> serde_json::Value {
        let Metadata { task_id, bounds, ways, instruction, plain_names, .. } = self.metadata.clone();
        let (domain, problem) = (self.safe.domain.to_string(), self.safe.to_string());
        let metadata = Metadata { task_id, bounds, ways, instruction, plain_names, ..Metadata::default() };
        serde_json::json!({ "domain": domain, "problem": problem, "metadata": metadata })
    }

    /// The task of a [description](Self::description).
    ///
    /// # Errors
    /// As [`Task::new`], or it is none.
    pub fn described(description: &serde_json::Value) -> Result<Self, TaskError> {
        let text = |key: &str| description[key].as_str().unwrap_or_default();
        let metadata = serde_json::from_value(description["metadata"].clone())
            .map_err(|error| TaskError::Metadata { file: "the description of a world".to_owned(), error })?;
        Self::new(parse((text("domain"), "domain"), (text("problem"), "problem"))?, metadata)
    }

    /// Reads a task from a folder: `safe_domain.pddl` and `safe_problem.pddl`, with which `basic_domain.pddl` and
    /// `basic_problem.pddl` must agree if they exist; or `domain.pddl` and `problem.pddl`. `metadata.json` may be missing.
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
    match ltlcrit_files::read_text(file, MOST_BYTES) {
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

/// Checks that a basic problem is that of a task. Names of the domains and problems, and all orders, may differ.
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

/// Everything that a problem says, as a set of texts.
fn parts(problem: &Problem, danger: &Option<Danger>) -> BTreeSet<String> {
    let writer = Writer::of(problem);
    let mut parts = BTreeSet::new();
    for object in &problem.objects {
        parts.insert(writer.typed(object));
    }
    for action in &problem.domain.actions {
        parts.insert(writer.action_text(action));
    }
    for symbol in problem.domain.predicates.iter().chain(&problem.domain.functions) {
        let is_danger = danger.is_some() && symbol.name.eq_ignore_ascii_case(crate::danger::DANGER);
        if !is_danger {
            parts.insert(writer.symbol_text(symbol));
        }
    }
    for fact in &problem.facts {
        parts.insert(writer.text(&crate::model::Condition::Atom(fact.clone()), &[]));
    }
    for (fluent, value) in &problem.values {
        parts.insert(writer.value_text(fluent, *value));
    }
    parts.extend(problem.constraints().map(|constraint| writer.constraint_text(constraint)));
    parts.extend(problem.goal.conjuncts().into_iter().map(|goal| format!("goal {}", writer.text(goal, &[]))));
    parts
}
