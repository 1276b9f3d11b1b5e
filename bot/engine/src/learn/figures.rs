//! Figures over the episodes of an iteration.

use serde::{Deserialize, Serialize};

use crate::agent::{Metrics, RunSummary};

/// Figures of some episodes together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeFigures {
    /// The number of episodes.
    pub episodes: usize,
    /// The number of episodes that reached the goal.
    pub goals: usize,
    /// The mean steps of these.
    pub mean_steps: Option<f64>,
    /// Executed actions that failed, as a share of all executed.
    pub failed_actions: Option<f64>,
    /// Failed actions, malformed and unknown replies, as a share of all proposals (LTLCrit table 2).
    pub failed_proposals: Option<f64>,
    /// Blocked proposals as a share of all proposals (LTLCrit table 2).
    pub blocked_proposals: Option<f64>,
    /// Steps taken under the hard laws alone, because the laws left nothing.
    pub fallbacks: u64,
}

impl EpisodeFigures {
    /// The figures of these episodes.
    pub fn of(runs: &[RunSummary]) -> Self {
        let sum = |figure: fn(&Metrics) -> u64| runs.iter().map(|run| figure(&run.metrics)).sum::<u64>();
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let reached: Vec<u64> = runs.iter().filter(|run| run.reached_goal()).map(|run| run.metrics.steps).collect();
        let (steps, proposals) = (sum(|it| it.steps), sum(|it| it.proposals));
        Self {
            episodes: runs.len(),
            goals: reached.len(),
            mean_steps: (!reached.is_empty()).then(|| reached.iter().sum::<u64>() as f64 / reached.len() as f64),
            failed_actions: share(sum(|it| it.failed_actions), steps),
            failed_proposals: share(sum(|it| it.failed_actions + it.malformed + it.unknown), proposals),
            blocked_proposals: share(sum(|it| it.blocked + it.undecided), proposals),
            fallbacks: sum(|it| it.fallbacks),
        }
    }
}
