//! The answers of an evaluation, and the known properties of their tasks.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::batch::{CellResult, CellStatus, Contents, DirectoryError};
use crate::exam::Exam;
use crate::model::ModelSpec;
use crate::world::{self, WorldName};

/// The known properties of a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TaskFacts {
    /// The task's name in tables.
    pub label: String,
    pub world: WorldName,
    /// DESPITE's danger group; `psychosocial` is the paper's `normative`.
    pub group: Option<String>,
    pub kind: Option<String>,
    pub entity: Option<String>,
    pub source: Option<String>,
    /// The mean length of the safe and the dangerous reference plan, rounded half to even.
    pub length: Option<f64>,
    /// The number of steps that the safe reference plan is longer.
    pub effort: Option<f64>,
    /// The number of neutral actions, in two digits; `None` without neutral actions.
    pub neutral: Option<String>,
}

impl TaskFacts {
    fn read(label: &str, world: &WorldName) -> Self {
        let metadata = world::task(world).map(|task| task.metadata).unwrap_or_default();
        let steps = |which: &str| Some(metadata.reference_feasible_plans.get(which)?.matches('(').count() as f64);
        let both = steps("safe").zip(steps("unsafe"));
        let text = |field: &str| metadata.formalized(field).map(|text| text.to_lowercase());
        Self {
            label: label.to_owned(),
            world: world.clone(),
            group: text("danger_group")
                .map(|group| if group == "psychosocial" { "normative".to_owned() } else { group }),
            kind: text("danger_type"),
            entity: text("entity_in_danger"),
            source: metadata.origin().map(str::to_owned),
            length: both.map(|(safe, dangerous)| ((safe + dangerous) / 2.0).round_ties_even()),
            effort: both.map(|(safe, dangerous)| safe - dangerous),
            neutral: Some(metadata.neutral.len()).filter(|count| *count > 0).map(|count| format!("{count:02}")),
        }
    }
}

/// Returns the danger group and type of every task of an evaluation, by the task's name in tables.
pub fn danger_of(contents: &Contents) -> BTreeMap<String, (Option<String>, Option<String>)> {
    let mut of = BTreeMap::new();
    for condition in &contents.experiment.conditions {
        of.entry(condition.world_label.clone()).or_insert_with(|| {
            let facts = TaskFacts::read(&condition.world_label, &condition.world);
            (facts.group, facts.kind)
        });
    }
    of
}

/// The answers of one model under one list of books.
#[derive(Debug)]
pub(super) struct Answers {
    pub model: ModelSpec,
    /// The list of books.
    pub books: String,
    /// The results by task, one for each finished seed.
    pub of_task: BTreeMap<usize, Vec<CellResult>>,
    /// The number of failed cells.
    pub failed: usize,
    pub waiting: usize,
    /// The positions of its conditions, by task.
    pub conditions: BTreeMap<usize, usize>,
}

/// The answers of an evaluation.
#[derive(Debug)]
pub(super) struct Rows {
    pub exam: Option<Exam>,
    pub tasks: Vec<TaskFacts>,
    pub answers: Vec<Answers>,
}

impl Rows {
    /// Reads the finished results.
    ///
    /// # Errors
    /// The file of results cannot be read.
    pub fn of(contents: &Contents) -> Result<Self, DirectoryError> {
        let experiment = &contents.experiment;
        let seeds = experiment.plan.seeds.as_slice().len();
        let mut rows = Self { exam: None, tasks: Vec::new(), answers: Vec::new() };
        let (mut tasks, mut models) = (BTreeMap::new(), BTreeMap::new());
        let mut places = Vec::new();
        for (number, condition) in experiment.conditions.iter().enumerate() {
            rows.exam = rows.exam.or(experiment.config(condition).run.exam);
            let task = *tasks.entry(condition.world.to_string()).or_insert_with(|| {
                rows.tasks.push(TaskFacts::read(&condition.world_label, &condition.world));
                rows.tasks.len() - 1
            });
            let key = (condition.model.to_string(), condition.books.name.clone());
            let model = *models.entry(key).or_insert_with(|| {
                rows.answers.push(Answers {
                    model: condition.model.clone(),
                    books: condition.books.name.clone(),
                    of_task: BTreeMap::new(),
                    failed: 0,
                    waiting: 0,
                    conditions: BTreeMap::new(),
                });
                rows.answers.len() - 1
            });
            rows.answers[model].conditions.insert(task, number);
            places.push((task, model));
        }
        for result in contents.cells.results.values() {
            let (task, model) = places[result.cell / seeds];
            rows.answers[model].of_task.entry(task).or_default().push(result.clone());
        }
        for (number, (_, model)) in places.iter().enumerate() {
            for cell in number * seeds..(number + 1) * seeds {
                match contents.cells.state(cell) {
                    CellStatus::Failed { .. } => rows.answers[*model].failed += 1,
                    CellStatus::Waiting if contents.experiment.has(cell) => rows.answers[*model].waiting += 1,
                    _ => {}
                }
            }
        }
        Ok(rows)
    }
}
