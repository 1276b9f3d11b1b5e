//! Statistical tests of the differences between iterations.

use std::collections::BTreeMap;

use ltlcrit_statistics::{Resampling, mcnemar_of_pairs, sign_flip};
use serde::Serialize;

use crate::agent::RunSummary;

/// The significance level: differences with a smaller p-value count.
pub const SIGNIFICANT: f64 = 0.05;

/// A comparison of two iterations on the same seeds, paired by seed: the exact McNemar test of the goals reached, and the
/// sign-flip test of the steps taken, both two-sided. Runs that miss the goal count with the steps until their end, so goals
/// are compared first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The p-value of the difference in goals.
    pub goals_p: f64,
    /// The p-value of the difference in steps.
    pub steps_p: f64,
}

impl Comparison {
    /// Compares an iteration with the previous one. Seeds that only one of them has are left out.
    pub fn of(before: &[RunSummary], after: &[RunSummary]) -> Self {
        let later: BTreeMap<u64, &RunSummary> = after.iter().map(|run| (run.seed, run)).collect();
        let pairs = before.iter().filter_map(|run| Some((run, *later.get(&run.seed)?)));
        let (before, after): (Vec<_>, Vec<_>) = pairs.unzip();
        let goals = |runs: &[&RunSummary]| runs.iter().map(|run| run.reached_goal()).collect::<Vec<_>>();
        let steps = |runs: &[&RunSummary]| runs.iter().map(|run| run.metrics.steps as f64).collect::<Vec<_>>();
        // Without pairs nothing is significant.
        let goals_p = mcnemar_of_pairs(&goals(&before), &goals(&after)).map_or(1.0, |test| test.p);
        let steps_p = sign_flip(&steps(&before), &steps(&after), Resampling::default()).map_or(1.0, |test| test.p);
        Self { goals_p, steps_p }
    }

    /// Returns whether one of the differences is significant.
    pub fn significant(&self) -> bool {
        self.goals_p < SIGNIFICANT || self.steps_p < SIGNIFICANT
    }
}
