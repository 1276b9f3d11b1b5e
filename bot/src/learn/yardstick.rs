//! The steps of episodes as a multiple of what the planner's policy needs in the same worlds.

use ltlcrit_minecraft::Optima;
use serde::Serialize;

use super::EpisodeFigures;
use crate::agent::RunSummary;
use crate::config::Config;
use crate::world;

/// Measures episodes; against the optimum only where that is asked for, since every world is played through for it.
pub struct Yardstick(Option<Optima>);

/// Figures of some episodes together, with the worlds they were in.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The figures.
    #[serde(flatten)]
    pub figures: EpisodeFigures,
    /// The steps of an episode that reached the goal as a multiple of what the planner's policy needs in that world; the
    /// mean over these episodes. `None` if none did, or if it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_optimum: Option<f64>,
}

impl Yardstick {
    /// For the worlds of a configuration. A server of our own serves the world that is embedded.
    pub fn new(config: &Config) -> Self {
        Self(config.learn.optimum.then(|| Optima::new(world::embedded(config))))
    }

    /// Whether the optimum was asked for.
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
            reached.filter_map(|run| Some(run.metrics.steps as f64 / optima.of(run.seed)? as f64)).collect();
        (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
    }
}
