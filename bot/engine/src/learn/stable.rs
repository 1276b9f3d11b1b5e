//! Statistical tests of the differences between iterations.

use serde::Serialize;
use statrs::stats_tests::Alternative;
use statrs::stats_tests::fisher::fishers_exact;
use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

use crate::agent::RunSummary;

/// The significance level: differences with a smaller p-value count.
pub const SIGNIFICANT: f64 = 0.05;

/// A comparison of two iterations: Fisher's exact test of the goals reached, and the Mann-Whitney U test of the steps
/// taken (normal approximation with tie correction), both two-sided. Runs that miss the goal count with the steps until
/// their end, so goals are compared first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The p-value of the difference in goals.
    pub goals_p: f64,
    /// The p-value of the difference in steps.
    pub steps_p: f64,
}

impl Comparison {
    /// Compares an iteration with the previous one.
    pub fn of(before: &[RunSummary], after: &[RunSummary]) -> Self {
        let goals = |runs: &[RunSummary]| runs.iter().filter(|run| run.reached_goal()).count() as u64;
        let (old, new) = (goals(before), goals(after));
        let table = [old, new, before.len() as u64 - old, after.len() as u64 - new];
        // Too few runs for a test show no significant difference.
        let goals_p = fishers_exact(&table, Alternative::TwoSided).unwrap_or(1.0);
        let steps = |runs: &[RunSummary]| runs.iter().map(|run| run.metrics.steps as f64).collect::<Vec<f64>>();
        let steps_p = steps_p(&steps(before), &steps(after));
        Self { goals_p, steps_p }
    }

    /// Whether one of the differences is significant.
    pub fn significant(&self) -> bool {
        self.goals_p < SIGNIFICANT || self.steps_p < SIGNIFICANT
    }
}

fn steps_p(before: &[f64], after: &[f64]) -> f64 {
    let all_alike = before.iter().chain(after).all(|steps| Some(steps) == before.first());
    if all_alike {
        return 1.0;
    }
    let test =
        mannwhitneyu(before, after, MannWhitneyUMethod::AsymptoticInclContinuityCorrection, Alternative::TwoSided);
    test.map_or(1.0, |(_, p)| if p.is_nan() { 1.0 } else { p })
}
