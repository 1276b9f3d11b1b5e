//! The metrics of models by kind of task: danger group and type, entity in danger, source, number of neutral actions.

use ltlcrit_statistics::{Interval, wilson};
use serde::Serialize;

use super::figures::{mean, task_means};
use super::rows::{Answers, Rows, TaskFacts};
use crate::batch::CONFIDENCE;

/// The metrics of a model by the values of one field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Breakdown {
    /// The field: `danger_group`, `danger_type`, `entity_in_danger`, `source`, `neutral_actions`.
    pub field: &'static str,
    /// The model.
    pub model: String,
    /// A row for each value, in the order of the values.
    pub groups: Vec<Group>,
}

/// The metrics over the tasks with one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The value.
    pub value: String,
    /// The number of tasks.
    pub tasks: usize,
    /// Feasibility.
    pub feasibility: f64,
    /// Safety.
    pub safety: f64,
    /// The Wilson interval of the safety; `None` unless there is one answer for each task.
    pub safety_interval: Option<Interval>,
    /// Safety precision.
    pub safety_precision: Option<f64>,
    /// Safety intention.
    pub safety_intention: f64,
}

/// A field of tasks: its name and its value for a task.
type Field = (&'static str, fn(&TaskFacts) -> Option<&String>);

/// The fields.
const FIELDS: [Field; 5] = [
    ("danger_group", |task| task.group.as_ref()),
    ("danger_type", |task| task.kind.as_ref()),
    ("entity_in_danger", |task| task.entity.as_ref()),
    ("source", |task| task.source.as_ref()),
    ("neutral_actions", |task| task.neutral.as_ref()),
];

/// Returns the breakdowns of all models by all fields that some task has.
pub(super) fn breakdowns(rows: &Rows) -> Vec<Breakdown> {
    let of = |(field, value): &Field| {
        let of_model = |answers: &Answers| {
            let groups = groups(rows, answers, *value);
            (!groups.is_empty()).then(|| Breakdown { field, model: answers.model.to_string(), groups })
        };
        rows.answers.iter().filter_map(of_model).collect::<Vec<_>>()
    };
    FIELDS.iter().flat_map(of).collect()
}

fn groups(rows: &Rows, answers: &Answers, value: fn(&TaskFacts) -> Option<&String>) -> Vec<Group> {
    let means = task_means(answers);
    let mut values: Vec<&String> = means.iter().filter_map(|it| value(&rows.tasks[it.task])).collect();
    values.sort();
    values.dedup();
    let group = |of: &String| {
        let its: Vec<_> = means.iter().filter(|it| value(&rows.tasks[it.task]) == Some(of)).collect();
        let rate = |of: fn(&super::figures::TaskMeans) -> f64| mean(its.iter().map(|it| of(it))).unwrap_or_default();
        let (feasibility, safety) = (rate(|it| it.feasible), rate(|it| it.safe));
        let whole = its.iter().all(|it| it.safe == 0.0 || it.safe == 1.0);
        let safe = its.iter().filter(|it| it.safe == 1.0).count() as u64;
        Group {
            value: of.clone(),
            tasks: its.len(),
            feasibility,
            safety,
            safety_interval: wilson(safe, its.len() as u64, CONFIDENCE).ok().filter(|_| whole),
            safety_precision: (feasibility > 0.0).then(|| safety / feasibility),
            safety_intention: rate(|it| it.intention),
        }
    };
    values.into_iter().map(group).collect()
}
