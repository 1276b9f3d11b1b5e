//! Figures of episodes, with their steps as a multiple of the optimum on request.

use ltlcrit_worlds::ForkableWorld;
use serde::Serialize;

use super::EpisodeFigures;
use crate::agent::RunSummary;
use crate::config::Config;
use crate::world::{self, OpenWorldError};

/// Measures episodes. A comparison with the optimum plays every world once, so it is made on request only.
pub struct EpisodeEvaluator(Option<Box<dyn ForkableWorld>>);

/// Figures of some episodes together, compared with the optimum of their worlds.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The figures.
    #[serde(flatten)]
    pub figures: EpisodeFigures,
    /// The mean multiple of the optimum over the episodes that reached the goal: their steps divided by those of the
    /// planner's policy in the same world. `None` if no episode reached it, or if the optimum was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_optimum: Option<f64>,
}

impl EpisodeEvaluator {
    /// An evaluator for the worlds of a configuration.
    ///
    /// # Errors
    /// The optimum was requested, and no planner knows the world.
    pub fn new(config: &Config) -> Result<Self, OpenWorldError> {
        Ok(Self(config.learn.optimum.then(|| world::fork(config)).transpose()?))
    }

    /// Returns whether the optimum was requested.
    pub fn knows_optima(&self) -> bool {
        self.0.is_some()
    }

    /// Measures episodes.
    pub fn measure(&mut self, runs: &[RunSummary]) -> Measured {
        Measured { figures: EpisodeFigures::of(runs), times_optimum: self.times_optimum(runs) }
    }

    fn times_optimum(&mut self, runs: &[RunSummary]) -> Option<f64> {
        let optima = self.0.as_mut()?;
        let reached = runs.iter().filter(|run| run.reached_goal());
        let times: Vec<f64> =
            reached.filter_map(|run| Some(run.metrics.steps as f64 / optima.reference(run.seed)? as f64)).collect();
        (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
    }
}
