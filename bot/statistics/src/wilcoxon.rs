//! The Wilcoxon signed-rank test of paired differences.

use crate::error::differences;
use crate::ranks::Ranks;
use crate::{Error, Test};

/// Maximum number of pairs for the exact distribution of the rank sum.
const EXACT: usize = 50;

/// Tests whether the differences `first - second` of pairs lie symmetrically around 0.
///
/// The test is exact for at most 50 pairs whose differences are neither 0 nor tied in magnitude. Otherwise differences
/// of 0 are left out, and the rank sum is compared with a normal distribution. Its variance is corrected for ties,
/// without continuity correction: `scipy.stats.wilcoxon` with `method="asymptotic"`. Without a nonzero difference the
/// p-value is 1. Source: F. Wilcoxon, *Individual comparisons by ranking methods*, Biometrics Bulletin 1 (1945).
///
/// # Errors
///
/// No pairs, different lengths, a value that is not finite, or differences that overflow.
pub fn wilcoxon(first: &[f64], second: &[f64]) -> Result<Test, Error> {
    let mut differences = differences(first, second, 1)?;
    let pairs = differences.len();
    differences.retain(|difference| *difference != 0.0);
    let magnitudes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let Ranks { ranks, ties } = Ranks::of(&magnitudes);
    let positive: f64 = ranks.iter().zip(&differences).filter(|(_, value)| **value > 0.0).map(|(rank, _)| rank).sum();
    let n = differences.len();
    if pairs <= EXACT && n == pairs && ties == 0.0 {
        return Ok(Test::exact(2.0 * tail(n, positive.min((n * (n + 1) / 2) as f64 - positive) as usize)));
    }
    let n = n as f64;
    let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
    Ok(Test::normal(positive - n * (n + 1.0) / 4.0, variance))
}

/// Returns the probability that the ranks `1..=n`, each taken with probability 1/2, sum to at most `sum`.
fn tail(n: usize, sum: usize) -> f64 {
    let mut share = vec![0.0; sum + 1];
    share[0] = 1.0;
    for rank in 1..=n {
        for total in (0..=sum).rev() {
            let taken = if total >= rank { share[total - rank] } else { 0.0 };
            share[total] = (share[total] + taken) / 2.0;
        }
    }
    share.iter().sum()
}
