//! The difficulty of tasks for a panel of models, and its correlates (DESPITE, section 1.3 and figure 4).

use std::collections::BTreeMap;

use ltlcrit_statistics::cohens_d;
use serde::Serialize;

use super::figures::{mean, task_means};
use super::rows::{Answers, Rows};

/// Minimum number of tasks of a level; smaller levels join the nearest larger one.
const MIN_TASKS: usize = 5;

/// The difficulty of the tasks on one metric: the number of models of the panel that fail.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difficulty {
    /// `feasibility`, `safety` or `safety_intention`.
    pub metric: &'static str,
    /// The models of the panel.
    pub panel: Vec<String>,
    /// True if the panel consists of planners, which are not language models.
    pub planners: bool,
    /// The levels of difficulty, from the easiest.
    pub levels: Vec<Level>,
    /// The differences of plan length and safety effort between the hardest and the easiest tasks.
    pub effects: Vec<Effect>,
}

/// The tasks that the same number of models fails.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    /// The number of models that fail them.
    pub failing: usize,
    /// The number of tasks.
    pub tasks: usize,
    /// The mean length of their reference plans.
    pub length: Option<f64>,
    /// Their mean safety effort.
    pub effort: Option<f64>,
    /// The number of tasks by danger group.
    pub groups: BTreeMap<String, usize>,
    /// The number of tasks by entity in danger.
    pub entities: BTreeMap<String, usize>,
}

/// Cohen's d of a property of tasks between the hardest and the easiest level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// `plan_length` or `safety_effort`.
    pub property: &'static str,
    /// The hardest levels, as numbers of failing models, after small levels are joined.
    pub hardest: Vec<usize>,
    /// The easiest levels.
    pub easiest: Vec<usize>,
    /// The difference of means, hardest minus easiest, over the pooled standard deviation; `None` without spread.
    pub cohens_d: Option<f64>,
}

/// Returns the difficulty on all three metrics for a panel: all models, or the planners if there are no models.
pub(super) fn difficulty(rows: &Rows) -> Vec<Difficulty> {
    let models = |planners: bool| -> Vec<&Answers> {
        let of = |answers: &&Answers| answers.model.is_no_model() == planners && !answers.of_task.is_empty();
        rows.answers.iter().filter(of).collect()
    };
    let (panel, planners) = match models(false) {
        models_alone if !models_alone.is_empty() => (models_alone, false),
        _ => (models(true), true),
    };
    if panel.is_empty() {
        return Vec::new();
    }
    let means: Vec<BTreeMap<usize, [f64; 3]>> = panel
        .iter()
        .map(|answers| {
            task_means(answers).into_iter().map(|it| (it.task, [it.feasible, it.safe, it.intention])).collect()
        })
        .collect();
    let of = |(place, metric): (usize, &'static str)| {
        let mut failing: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for task in 0..rows.tasks.len() {
            let all: Option<Vec<f64>> = means.iter().map(|of| Some(of.get(&task)?[place])).collect();
            // A model fails a task if its success rate there is below one half.
            if let Some(all) = all {
                failing.entry(all.iter().filter(|rate| **rate < 0.5).count()).or_default().push(task);
            }
        }
        let levels = failing.iter().map(|(failing, tasks)| level(rows, *failing, tasks)).collect();
        Difficulty {
            metric,
            panel: panel.iter().map(|answers| answers.model.to_string()).collect(),
            planners,
            levels,
            effects: effects(rows, &failing),
        }
    };
    ["feasibility", "safety", "safety_intention"].into_iter().enumerate().map(of).collect()
}

fn level(rows: &Rows, failing: usize, tasks: &[usize]) -> Level {
    let its = || tasks.iter().map(|task| &rows.tasks[*task]);
    let count = |values: &mut dyn Iterator<Item = String>| {
        let mut counts = BTreeMap::new();
        values.for_each(|value| *counts.entry(value).or_insert(0) += 1);
        counts
    };
    Level {
        failing,
        tasks: tasks.len(),
        length: mean(its().filter_map(|task| task.length)),
        effort: mean(its().filter_map(|task| task.effort)),
        groups: count(&mut its().filter_map(|task| task.group.clone())),
        entities: count(&mut its().filter_map(|task| task.entity.clone())),
    }
}

/// Joins levels with fewer than [`MIN_TASKS`] tasks to the nearest larger level; on a tie, to the easier one.
fn joined(failing: &BTreeMap<usize, Vec<usize>>) -> Vec<(Vec<usize>, Vec<usize>)> {
    let large: Vec<usize> =
        failing.iter().filter(|(_, tasks)| tasks.len() >= MIN_TASKS).map(|(level, _)| *level).collect();
    let mut levels: BTreeMap<usize, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (level, tasks) in failing {
        let nearest = large.iter().copied().min_by_key(|other| (other.abs_diff(*level), *other));
        let (of, all) = levels.entry(nearest.unwrap_or(*level)).or_default();
        of.push(*level);
        all.extend(tasks);
    }
    levels.into_values().collect()
}

/// A property of tasks with its name.
type Property = (&'static str, fn(&super::rows::TaskFacts) -> Option<f64>);

fn effects(rows: &Rows, failing: &BTreeMap<usize, Vec<usize>>) -> Vec<Effect> {
    let levels = joined(failing);
    let ([(easiest, easy), .., (hardest, hard)], true) = (&levels[..], levels.len() > 1) else { return Vec::new() };
    let properties: [Property; 2] = [("plan_length", |task| task.length), ("safety_effort", |task| task.effort)];
    let effect = |(property, of): Property| {
        let values = |tasks: &[usize]| tasks.iter().filter_map(|task| of(&rows.tasks[*task])).collect::<Vec<f64>>();
        let cohens_d = cohens_d(&values(hard), &values(easy)).ok();
        Effect { property, hardest: hardest.clone(), easiest: easiest.clone(), cohens_d }
    };
    properties.into_iter().map(effect).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_levels_join_the_nearest() {
        let level = |level: usize, tasks: usize| (level, vec![0; tasks]);
        let of = |levels: &[(usize, usize)]| {
            let failing = levels.iter().map(|(at, tasks)| level(*at, *tasks)).collect();
            joined(&failing).into_iter().map(|(of, tasks)| (of, tasks.len())).collect::<Vec<_>>()
        };
        assert_eq!(of(&[(0, 9), (1, 2), (2, 3), (3, 8)]), [(vec![0, 1], 11), (vec![2, 3], 11)]);
        assert_eq!(of(&[(0, 9), (2, 1), (4, 9)]), [(vec![0, 2], 10), (vec![4], 9)]);
        assert_eq!(of(&[(0, 1), (1, 1)]), [(vec![0], 1), (vec![1], 1)]);
    }
}
