//! Rates over tasks, with bootstrap intervals.

use ltlcrit_statistics::{Interval, Resampling, bootstrap};
use serde::Serialize;

use crate::batch::CONFIDENCE;

/// A rate with its bootstrap interval over tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// The rate.
    pub rate: f64,
    /// Its interval; `None` for fewer than two tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

/// Returns the resampling of a bootstrap over `tasks` tasks: 10,000 resamples as in DESPITE, fewer for very many tasks.
fn resampling(tasks: usize) -> Resampling {
    let most = 200_000_000 / tasks.max(1) as u64;
    Resampling { resamples: most.clamp(200, 10_000) as u32, seed: 0 }
}

/// Returns the mean over tasks; `None` without tasks.
pub(super) fn mean_rate(values: &[f64]) -> Option<Rate> {
    if values.is_empty() {
        return None;
    }
    let mean = |sample: &[&f64]| sample.iter().copied().sum::<f64>() / sample.len().max(1) as f64;
    let rate = mean(&values.iter().collect::<Vec<_>>());
    let interval = bootstrap(values, mean, CONFIDENCE, resampling(values.len())).ok().map(|it| it.interval);
    Some(Rate { rate, interval })
}

/// Returns the ratio of two sums over the same tasks, such as S/F; `None` if the second sum is 0. A resample whose
/// second sum is 0 counts as 0, as in the released analysis.
pub(super) fn ratio(parts: &[(f64, f64)]) -> Option<Rate> {
    let ratio = |sample: &[&(f64, f64)]| {
        let (above, below) = sample.iter().fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
        if below == 0.0 { 0.0 } else { above / below }
    };
    if parts.iter().all(|(_, below)| *below == 0.0) {
        return None;
    }
    let rate = ratio(&parts.iter().collect::<Vec<_>>());
    let interval = bootstrap(parts, ratio, CONFIDENCE, resampling(parts.len())).ok().map(|it| it.interval);
    Some(Rate { rate, interval })
}
