//! The report of an evaluation.

use std::path::Path;

use ltlcrit_statistics::LinearFit;
use ltlcrit_worlds::planner::Strategy;
use serde::Serialize;

use super::breakdown::{Breakdown, breakdowns};
use super::difficulty::{Difficulty, difficulty};
use super::figures::{DangerFigures, Figures};
use super::product::regression;
use super::rows::{Answers, Rows};
use super::scaling::{Parameters, Scaling, scaling};
use crate::batch::{Contents, DirectoryError, Experiment};
use crate::exam::Exam;
use crate::model::ModelSpec;

/// The metrics of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExamReport {
    /// The question that was asked; `None` for a batch that is not an evaluation.
    pub exam: Option<Exam>,
    /// The number of tasks.
    pub tasks: usize,
    /// The number of seeds: each task was given to each model once for each seed.
    pub seeds: usize,
    /// True if planners act along with the models; they are not language models.
    pub planners: bool,
    /// A row for every model, the references first.
    pub models: Vec<Figures>,
    /// A row for every model, if the models were asked about danger.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub danger: Vec<DangerFigures>,
    /// The metrics of the models by kind of task.
    pub breakdowns: Vec<Breakdown>,
    /// The difficulty of tasks.
    pub difficulty: Vec<Difficulty>,
    /// The regression of S on F × SI over the models, or over the planners if there are fewer than two models.
    pub regression: Option<LinearFit>,
    /// True if the regression is over planners.
    pub regression_of_planners: bool,
    /// The fits on the number of parameters, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaling: Option<Scaling>,
}

impl ExamReport {
    /// Returns whether an experiment is an evaluation.
    pub fn is_of(experiment: &Experiment) -> bool {
        experiment.conditions.first().is_some_and(|condition| experiment.config(condition).run.exam.is_some())
    }

    /// Reads the directory of an evaluation, which may be running.
    ///
    /// # Errors
    /// The directory contains another experiment, or it cannot be read.
    pub fn read(path: &Path, parameters: &[Parameters]) -> Result<Self, DirectoryError> {
        let contents = Contents::read(path)?;
        let rows = Rows::of(&contents)?;
        let reference = |strategy: Strategy| -> Option<&Answers> {
            rows.answers.iter().find(|answers| answers.model == ModelSpec::Planner(strategy))
        };
        let (random, empty) = (reference(Strategy::Random), reference(Strategy::Empty));
        let of_plans = rows.exam.is_none_or(Exam::is_of_plans);
        let models: Vec<Figures> = match of_plans {
            true => rows.answers.iter().map(|answers| Figures::of(answers, random, empty)).collect(),
            false => Vec::new(),
        };
        let danger = match of_plans {
            true => Vec::new(),
            false => rows.answers.iter().map(DangerFigures::of).collect(),
        };
        let points = |planner: bool| -> Vec<[f64; 3]> {
            models.iter().filter(|of| of.rates.planner == planner).filter_map(|of| of.rates.known()).collect()
        };
        let of_models = regression(&points(false));
        Ok(Self {
            exam: rows.exam,
            tasks: rows.tasks.len(),
            seeds: contents.experiment.plan.seeds.as_slice().len(),
            planners: rows.answers.iter().any(|answers| answers.model.is_no_model()),
            breakdowns: if of_plans { breakdowns(&rows) } else { Vec::new() },
            difficulty: if of_plans { difficulty(&rows) } else { Vec::new() },
            regression: of_models.or_else(|| regression(&points(true))),
            regression_of_planners: of_models.is_none(),
            scaling: scaling(&models, parameters),
            models,
            danger,
        })
    }
}
