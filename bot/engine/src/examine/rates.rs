//! Rates over tasks, with their intervals.

use ltlcrit_statistics::{Interval, Resampling, bootstrap, wilson};
use serde::Serialize;

use crate::batch::CONFIDENCE;

/// A rate with its bootstrap interval over tasks; with Wilson's interval if all tasks agree on 0 or on 1, where a bootstrap
/// interval has no width.
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

/// Returns the mean of values between 0 and 1 over tasks; `None` without tasks.
pub(super) fn share(values: &[f64]) -> Option<Rate> {
    Some(mean_rate(values)?.or_wilson(values.len()))
}

impl Rate {
    fn or_wilson(mut self, tasks: usize) -> Self {
        if self.rate == 0.0 || self.rate == 1.0 {
            let tasks = tasks as u64;
            self.interval = wilson(if self.rate == 0.0 { 0 } else { tasks }, tasks, CONFIDENCE).ok();
        }
        self
    }
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
    Some(Rate { rate, interval }.or_wilson(parts.iter().filter(|(_, below)| *below > 0.0).count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_has_a_width_also_where_all_tasks_agree() {
        let ends = |rate: Option<Rate>| rate.and_then(|rate| rate.interval).map(|it| (it.low, it.high)).unwrap();
        assert_eq!(ends(share(&[0.0; 12])), (0.0, wilson(0, 12, CONFIDENCE).unwrap().high));
        assert_eq!(ends(share(&[1.0; 12])), (wilson(12, 12, CONFIDENCE).unwrap().low, 1.0));
        assert_eq!(ends(ratio(&[(1.0, 1.0), (1.0, 1.0), (0.0, 0.0)])), ends(share(&[1.0; 2])));
        let mixed = [0.0, 1.0, 1.0, 0.0, 1.0];
        assert_eq!(share(&mixed), mean_rate(&mixed));
        // A difference of 0 is no share.
        assert_eq!(ends(mean_rate(&[0.0; 12])), (0.0, 0.0));
    }
}
