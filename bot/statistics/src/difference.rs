//! Differences of means between two arms over the same seeds.

use crate::error::differences;
use crate::{Bootstrap, Error, Resampling, bootstrap};

/// Returns the mean of `first - second` over pairs, such as seeds that both arms ran, with its [`bootstrap`] interval.
///
/// # Errors
///
/// Different lengths, fewer than 2 pairs, a value that is not finite, differences that overflow, or the errors of
/// [`bootstrap`].
pub fn paired_difference(
    first: &[f64],
    second: &[f64],
    confidence: f64,
    resampling: Resampling,
) -> Result<Bootstrap, Error> {
    let differences = differences(first, second, 2)?;
    let mean = |sample: &[&f64]| sample.iter().copied().sum::<f64>() / sample.len() as f64;
    bootstrap(&differences, mean, confidence, resampling)
}
