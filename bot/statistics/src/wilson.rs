//! The Wilson score interval of a proportion.

use statrs::function::erf::erf_inv;

use crate::error::check_confidence;
use crate::{Error, Interval};

/// Returns the score interval of `successes / trials`, without continuity correction.
///
/// Unlike the interval by a normal approximation, it is never empty and never leaves `[0, 1]`, even at rates of 0 and
/// 1. Source: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, JASA 22 (1927).
///
/// # Errors
///
/// No trials, more successes than trials, or a confidence that is not strictly between 0 and 1.
pub fn wilson(successes: u64, trials: u64, confidence: f64) -> Result<Interval, Error> {
    check_confidence(confidence)?;
    if trials == 0 {
        return Err(Error::TooFew { needed: 1, given: 0 });
    }
    if successes > trials {
        return Err(Error::Successes { successes, trials });
    }
    let (n, rate) = (trials as f64, successes as f64 / trials as f64);
    // The upper quantile of the normal distribution at (1 + confidence) / 2, squared.
    let z2 = 2.0 * erf_inv(confidence).powi(2);
    let scale = 1.0 + z2 / n;
    let centre = (rate + z2 / (2.0 * n)) / scale;
    let half = (z2 * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n))).sqrt() / scale;
    let low = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if successes == trials { 1.0 } else { (centre + half).min(1.0) };
    Ok(Interval { low, high, confidence })
}
