//! How the laws of a condition are learned.

use serde::{Deserialize, Serialize};

use super::seeds::Seeds;
use crate::config::{Config, LearnConfig};
use crate::learn::CriticSpec;
use crate::model::ModelSpec;

/// The keys of `[learn]` that hold for every learning of a plan.
pub(super) const LEARN_KEYS: [&str; 8] =
    ["tolerance", "significance", "exceptions", "contrast", "literals", "efficiency", "dead_end", "margin"];

/// How the laws of a condition are learned, before its first cell and in its own world, by its own actor and model. Other keys
/// are those of `[config.learn]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The seeds of the episodes of every iteration. None of them is a seed of the cells.
    pub seeds: Seeds,
    /// The most iterations: episodes, then a critique.
    #[serde(default = "iterations")]
    pub iterations: usize,
    /// The critics that propose laws.
    #[serde(default = "critics")]
    pub critics: Vec<CriticSpec>,
    /// The model of the episodes; that of the cells if it is `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSpec>,
    /// The subgoal that the episodes end at; the goal of the cells if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Whether to stop once two iterations in a row changed nothing significant.
    #[serde(default)]
    pub stop_when_stable: bool,
    /// Whether the book may define observations of its own.
    #[serde(default = "derive")]
    pub derive: bool,
    /// Whether the runs that the laws come from are kept.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub keep: bool,
    /// Whether an episode of a planning task ends, as a failure, when it meets more danger than the task tolerates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fatal_danger: bool,
}

fn iterations() -> usize {
    LearnConfig::default().iterations
}

fn critics() -> Vec<CriticSpec> {
    LearnConfig::default().critics
}

fn yes() -> bool {
    true
}

fn derive() -> bool {
    LearnConfig::default().derive
}

impl Schedule {
    /// The configuration of the learning in the world of a cell's configuration.
    pub fn config(&self, cells: &Config) -> Config {
        let mut config = cells.clone();
        config.run.goal = self.goal.clone().or(config.run.goal);
        config.run.model = self.model.clone().unwrap_or(config.run.model);
        config.run.fatal_danger |= self.fatal_danger;
        config.run.stall = 0;
        config.learn = LearnConfig {
            world: config.run.world.clone(),
            iterations: self.iterations,
            episodes: self.seeds.as_slice().len() as u64,
            critics: self.critics.clone(),
            stop_when_stable: self.stop_when_stable,
            derive: self.derive,
            review: false,
            ..config.learn
        };
        config
    }

    /// The most episodes.
    pub fn episodes(&self) -> usize {
        self.iterations.saturating_mul(self.seeds.as_slice().len())
    }

    /// Whether a critic is a language model.
    pub fn asks_models(&self) -> bool {
        self.critics.iter().any(|critic| matches!(critic, CriticSpec::Model(_)))
    }
}

/// The learned book of the condition at a place, from 0, as manifests name it: below the directory of the batch.
pub(super) fn book_name(condition: usize) -> String {
    format!("learned/{}/learned.toml", condition + 1)
}
