//! Bootstrap intervals of any statistic: BCa, or percentile.

use rand::RngExt as _;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, Normal};

use crate::error::{check_confidence, finite};
use crate::location::{all_alike, mean_of, quantile_of_sorted};
use crate::{Error, Interval, Resampling};

/// An estimate with its bootstrap interval, both in the unit of the statistic.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bootstrap {
    /// The statistic of the given sample.
    pub estimate: f64,
    /// The interval of the statistic.
    pub interval: Interval,
    /// The method of the interval.
    pub method: BootstrapMethod,
    /// The number of resampled units.
    pub units: usize,
    /// The number of resamples.
    pub resamples: u32,
}

/// The method of a bootstrap interval.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BootstrapMethod {
    /// Quantiles of the replicates, bias-corrected and accelerated.
    Bca,
    /// Plain quantiles of the replicates: of units in groups, or where BCa is not defined, because leaving out a unit never
    /// changes the statistic, or because all replicates lie on one side of it.
    Percentile,
}

/// Returns the bootstrap interval of a statistic of independent units, such as seeds.
///
/// Whole units are drawn with replacement, as many as the sample has. Dependent values (the arms of a seed, the
/// episodes of a cluster) must be one unit. The interval is BCa if that is defined and percentile otherwise. If all
/// units are equal, it has no width and does not cover unseen units. Source: B. Efron, *Better bootstrap confidence
/// intervals*, JASA 82 (1987). The share of replicates below the estimate counts equal ones half, as
/// `scipy.stats.bootstrap` does.
///
/// # Errors
///
/// Fewer than 2 units, a confidence that is not strictly between 0 and 1, a statistic that is not finite, or more than
/// 10^9 draws: (resamples + units) * units.
pub fn bootstrap<T>(
    units: &[T],
    statistic: impl Fn(&[&T]) -> f64,
    confidence: f64,
    resampling: Resampling,
) -> Result<Bootstrap, Error> {
    check_confidence(confidence)?;
    let n = units.len();
    if n < 2 {
        return Err(Error::TooFew { needed: 2, given: n });
    }
    let mut generator = resampling.generator(n, n)?;
    let all: Vec<&T> = units.iter().collect();
    let estimate = finite(statistic(&all))?;
    let mut sample = all.clone();
    let mut replicate = || {
        sample.fill_with(|| &units[generator.random_range(0..n)]);
        finite(statistic(&sample))
    };
    let replicates = (0..resampling.resamples).map(|_| replicate()).collect::<Result<Vec<f64>, Error>>()?;
    let without = |left_out: usize| {
        let rest = [&all[..left_out], &all[left_out + 1..]].concat();
        finite(statistic(&rest))
    };
    let jackknife = (0..n).map(without).collect::<Result<Vec<f64>, Error>>()?;
    let (interval, method) = interval(estimate, replicates, &jackknife, confidence);
    Ok(Bootstrap { estimate, interval, method, units: n, resamples: resampling.resamples })
}

/// Returns the bootstrap interval of a statistic of units in groups that were drawn themselves, such as the test seeds of
/// several learnings.
///
/// Groups are drawn with replacement, and within each drawn group its units, so the interval covers how much another
/// group would have differed. It is a percentile interval, because an acceleration from a few groups is noise. With fewer than
/// about ten groups it is too narrow. Source: A. C. Davison and D. V. Hinkley, *Bootstrap methods and their application*
/// (1997), section 3.8.
///
/// # Errors
///
/// Fewer than 2 groups, an empty group, or the errors of [`bootstrap`].
pub fn nested_bootstrap<T>(
    groups: &[Vec<T>],
    statistic: impl Fn(&[&T]) -> f64,
    confidence: f64,
    resampling: Resampling,
) -> Result<Bootstrap, Error> {
    check_confidence(confidence)?;
    let n = groups.len();
    if n < 2 {
        return Err(Error::TooFew { needed: 2, given: n });
    }
    if groups.iter().any(Vec::is_empty) {
        return Err(Error::TooFew { needed: 1, given: 0 });
    }
    let largest = groups.iter().map(Vec::len).max().unwrap_or(0);
    let mut generator = resampling.generator(n.saturating_mul(largest.saturating_add(1)), 1)?;
    let all: Vec<&T> = groups.iter().flatten().collect();
    let estimate = finite(statistic(&all))?;
    let mut replicate = || {
        let mut sample = Vec::with_capacity(all.len());
        for _ in 0..n {
            let group = &groups[generator.random_range(0..n)];
            sample.extend((0..group.len()).map(|_| &group[generator.random_range(0..group.len())]));
        }
        finite(statistic(&sample))
    };
    let replicates = (0..resampling.resamples).map(|_| replicate()).collect::<Result<Vec<f64>, Error>>()?;
    let (interval, method) = interval(estimate, replicates, &[], confidence);
    Ok(Bootstrap { estimate, interval, method, units: n, resamples: resampling.resamples })
}

/// Returns the interval of an estimate, given its replicates and the estimates that leave out one unit each.
fn interval(
    estimate: f64,
    mut replicates: Vec<f64>,
    jackknife: &[f64],
    confidence: f64,
) -> (Interval, BootstrapMethod) {
    replicates.sort_unstable_by(f64::total_cmp);
    let tails = [(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0];
    let bca = bca_fractions(estimate, &replicates, jackknife, tails);
    let method = if bca.is_some() { BootstrapMethod::Bca } else { BootstrapMethod::Percentile };
    let [low, high] = bca.unwrap_or(tails).map(|fraction| quantile_of_sorted(&replicates, fraction));
    (Interval { low, high, confidence }, method)
}

/// Returns the fractions of the sorted replicates at which BCa places the ends of the interval. `None` if the bias
/// correction or the acceleration is not defined.
fn bca_fractions(estimate: f64, replicates: &[f64], jackknife: &[f64], tails: [f64; 2]) -> Option<[f64; 2]> {
    if all_alike(jackknife) {
        return None;
    }
    let normal = Normal::standard();
    let below = replicates.partition_point(|replicate| *replicate < estimate);
    let at_most = replicates.partition_point(|replicate| *replicate <= estimate);
    let bias = normal.inverse_cdf((below + at_most) as f64 / (2 * replicates.len()) as f64);
    let centre = mean_of(jackknife);
    let powers = |power| jackknife.iter().map(|value| (centre - value).powi(power)).sum::<f64>();
    let acceleration = powers(3) / (6.0 * powers(2).powf(1.5));
    let fraction = |tail: f64| {
        let shifted = bias + normal.inverse_cdf(tail);
        let stretch = 1.0 - acceleration * shifted;
        let fraction = normal.cdf(bias + shifted / stretch);
        (stretch > 0.0 && fraction.is_finite()).then_some(fraction)
    };
    let [low, high] = tails.map(fraction);
    if bias.is_finite() { Some([low?, high?]) } else { None }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Returns the means of all samples with replacement.
    fn every_mean(values: &[f64]) -> Vec<f64> {
        let sums = values.iter().fold(vec![0.0], |sums: Vec<f64>, _| {
            sums.iter().flat_map(|sum| values.iter().map(move |value| sum + value)).collect()
        });
        sums.iter().map(|sum| sum / values.len() as f64).collect()
    }

    fn without_one(values: &[f64]) -> Vec<f64> {
        let sum: f64 = values.iter().sum();
        values.iter().map(|value| (sum - value) / (values.len() - 1) as f64).collect()
    }

    #[test]
    fn intervals_of_given_replicates_are_those_of_scipy() {
        let file: Value = serde_json::from_str(include_str!("../tests/scipy.json")).unwrap();
        let mut compared = 0;
        for case in file["cases"].as_array().unwrap() {
            let values = case["data"]["d"].as_array().into_iter().flatten();
            let values: Vec<f64> = values.map(|value| value.as_f64().unwrap()).collect();
            let jackknife = match case["function"].as_str().unwrap() {
                "bca" => without_one(&values),
                "percentile" => Vec::new(),
                _ => continue,
            };
            let confidence = case["data"]["c"].as_f64().unwrap();
            let (interval, method) = interval(mean_of(&values), every_mean(&values), &jackknife, confidence);
            assert_eq!(method == BootstrapMethod::Percentile, jackknife.is_empty());
            let ends = [(interval.low, &case["gives"][0]), (interval.high, &case["gives"][1])];
            for (given, expected) in ends {
                let expected = expected.as_f64().unwrap();
                // The fraction is exact to 10^-11. Between two replicates, the quantile changes 10^3 times as fast.
                assert!((given - expected).abs() < 1e-8, "{given} instead of {expected}: {case}");
            }
            compared += 1;
        }
        assert_eq!(compared, 18);
    }

    #[test]
    fn bca_without_replicates_below_the_estimate_is_percentile() {
        let (interval, method) = interval(0.0, vec![1.0, 2.0, 3.0], &[0.0, 1.0, 3.0], 0.5);
        assert_eq!((interval.low, interval.high, method), (1.5, 2.5, BootstrapMethod::Percentile));
    }
}
