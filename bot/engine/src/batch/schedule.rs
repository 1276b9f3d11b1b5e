//! Schedules for learning the laws of a condition.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::seeds::Seeds;
use crate::config::{Config, LearnConfig};
use crate::learn::CriticSpec;
use crate::model::ModelSpec;

/// The keys of `[learn]` that are common to all learnings of a plan.
pub(super) const LEARN_KEYS: [&str; 3] = ["significance", "objective", "margin"];

/// The schedule for learning the laws of a condition, before its first cell and in its own world, by its own actor and
/// model. Other keys are those of `[config.learn]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The seeds of the episodes of the first iteration; later ones have as many that follow. The cells must not share a seed
    /// with them.
    pub seeds: Seeds,
    /// The number of learnings. Each has training seeds of its own, which follow those of the one before. The cell of a seed runs
    /// under the laws of learning `seed % repeats`.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub repeats: NonZeroU64,
    /// The maximum number of iterations; each has episodes and a critique.
    #[serde(default = "iterations")]
    pub iterations: usize,
    /// The critics that propose laws.
    #[serde(default = "critics")]
    pub critics: Vec<CriticSpec>,
    /// The model of the episodes; that of the cells if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelSpec>,
    /// The subgoal that ends the episodes; the goal of the cells if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// True if learning stops after two iterations in a row without a significant change.
    #[serde(default)]
    pub stop_when_stable: bool,
    /// True if the book may define observations of its own.
    #[serde(default = "derive")]
    pub derive: bool,
    /// True if the runs that the laws come from are kept.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub keep: bool,
    /// True if an episode of a planning task fails when it meets more danger than the task tolerates.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fatal_danger: bool,
}

fn once() -> NonZeroU64 {
    NonZeroU64::MIN
}

fn is_once(repeats: &NonZeroU64) -> bool {
    *repeats == once()
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
    /// Returns the configuration of the learning in the world of a cell's configuration.
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

    /// Returns the number of episodes of all learnings if every revision changes something and none is worse or in doubt:
    /// the first round, and two for each revision.
    pub fn episodes(&self) -> usize {
        let rounds = self.iterations.saturating_mul(2).saturating_add(1).saturating_mul(self.seeds.as_slice().len());
        rounds.saturating_mul(usize::try_from(self.repeats.get()).unwrap_or(usize::MAX))
    }

    /// Returns whether a critic is a language model.
    pub fn asks_models(&self) -> bool {
        self.critics.iter().any(|critic| matches!(critic, CriticSpec::Model(_)))
    }
}

/// Returns the name of a learned book in manifests, relative to the directory of the batch. The condition and its learning
/// are given by their indices, from 0.
pub(super) fn book_name(condition: usize, learning: u64) -> String {
    match learning {
        0 => format!("learned/{}/learned.toml", condition + 1),
        _ => format!("learned/{}.{}/learned.toml", condition + 1, learning + 1),
    }
}
