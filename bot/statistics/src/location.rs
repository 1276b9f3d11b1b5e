//! Typical values of a sample: means and quantiles.

use crate::Error;
use crate::error::{check_sample, finite};

/// Returns the arithmetic mean.
///
/// # Errors
///
/// No values, a value that is not finite, or values whose sum overflows.
pub fn mean(values: &[f64]) -> Result<f64, Error> {
    check_sample(values, 1)?;
    finite(mean_of(values))
}

/// Returns the value below which a fraction of the sample lies, interpolated linearly between order statistics. This is
/// definition 7 of Hyndman and Fan, *Sample quantiles in statistical packages*, The American Statistician 50 (1996),
/// and numpy's.
///
/// # Errors
///
/// No values, a value that is not finite, or a fraction outside `[0, 1]`.
pub fn quantile(values: &[f64], fraction: f64) -> Result<f64, Error> {
    check_sample(values, 1)?;
    if !(0.0..=1.0).contains(&fraction) {
        return Err(Error::Fraction { given: fraction });
    }
    Ok(quantile_of_sorted(&sorted(values), fraction))
}

/// Returns the mean of the middle half: the 25 % trimmed mean that rliable reports as IQM,
/// `scipy.stats.trim_mean(values, 0.25)`.
///
/// `floor(n / 4)` values are left out at each end, and the others count fully. No value counts in part, because the
/// number is rounded down. The middle 2 of 4 values count. All but the minimum and the maximum of 5, 6 or 7 values
/// count. All values count if there are fewer than 4. Source: R. Agarwal et al., *Deep reinforcement learning at the
/// edge of the statistical precipice*, NeurIPS (2021).
///
/// # Errors
///
/// No values, a value that is not finite, or values whose sum overflows.
pub fn interquartile_mean(values: &[f64]) -> Result<f64, Error> {
    check_sample(values, 1)?;
    let (sorted, cut) = (sorted(values), values.len() / 4);
    finite(mean_of(&sorted[cut..values.len() - cut]))
}

/// Returns the mean of checked values.
pub(crate) fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the sum of squared distances from the mean, for checked values.
pub(crate) fn squares_of(values: &[f64]) -> f64 {
    // Rounding may move the mean of equal values away from them.
    if all_alike(values) {
        return 0.0;
    }
    let mean = mean_of(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// Returns whether all values are equal.
pub(crate) fn all_alike(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns a copy in ascending order.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// Returns a quantile of values in ascending order, which must not be empty.
pub(crate) fn quantile_of_sorted(sorted: &[f64], fraction: f64) -> f64 {
    let position = fraction * (sorted.len() - 1) as f64;
    let below = sorted[position.floor() as usize];
    let above = sorted[position.ceil() as usize];
    let share = position.fract();
    // A weighted sum cannot overflow. The first branch returns equal values exactly.
    if below == above { below } else { below * (1.0 - share) + above * share }
}
