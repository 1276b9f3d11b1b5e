//! The sign-flip permutation test of a mean paired difference.

use rand::RngExt as _;

use crate::error::differences;
use crate::location::sorted;
use crate::{Error, Resampling, Test, TestMethod};

/// Maximum number of nonzero differences for the exact test.
const EXACT: usize = 32;

/// Tests whether the mean of `first - second` over pairs differs from 0.
///
/// Under the null hypothesis that the arms of a pair can be swapped, every sign pattern of the differences is equally
/// likely. The p-value is the share of patterns with a mean at least as far from 0 as the observed one. It is exact for
/// up to 32 nonzero differences. With more, `k` of `resamples` random patterns are as extreme, and the p-value is
/// `(k + 1) / (resamples + 1)`, which keeps the test valid. Sums count as equal if they differ by less than 10^-12 of the sum
/// of magnitudes. Sources: R. A. Fisher, *The design of experiments* (1935); B. Phipson and G. K. Smyth, *Permutation
/// p-values should never be zero*, Statistical Applications in Genetics and Molecular Biology 9 (2010).
///
/// # Errors
///
/// No pairs, different lengths, a value that is not finite, differences that overflow, or resampling of more than 10^9
/// signs.
pub fn sign_flip(first: &[f64], second: &[f64], resampling: Resampling) -> Result<Test, Error> {
    let mut differences = differences(first, second, 1)?;
    differences.retain(|difference| *difference != 0.0);
    let observed: f64 = differences.iter().sum();
    // Only the magnitudes matter, since the set of sign patterns does not depend on the order of the arms.
    let magnitudes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let threshold = observed.abs() - 1e-12 * magnitudes.iter().sum::<f64>();
    if threshold <= 0.0 {
        return Ok(Test::exact(1.0));
    }
    if magnitudes.len() <= EXACT {
        return Ok(Test::exact(exact_share(&magnitudes, threshold)));
    }
    let mut generator = resampling.generator(magnitudes.len(), 0)?;
    let mut extreme = || {
        let sum: f64 = magnitudes.iter().map(|size| if generator.random_bool(0.5) { *size } else { -size }).sum();
        sum.abs() >= threshold
    };
    let count = (0..resampling.resamples).filter(|_| extreme()).count();
    let p = (count as f64 + 1.0) / (f64::from(resampling.resamples) + 1.0);
    Ok(Test { p, method: TestMethod::MonteCarlo { resamples: resampling.resamples } })
}

/// Returns the share of sign patterns whose sum is at least the positive threshold, in either direction.
///
/// The patterns of each half of the magnitudes are summed and sorted. A walk through both lists in opposite directions
/// counts the pairs that reach the threshold. By symmetry, equally many sums are at most minus the threshold.
fn exact_share(magnitudes: &[f64], threshold: f64) -> f64 {
    let (left, right) = magnitudes.split_at(magnitudes.len() / 2);
    let (left, right) = (sorted(&signed_sums(left)), sorted(&signed_sums(right)));
    let mut reaching: u64 = 0;
    let mut first = right.len();
    for sum in &left {
        while first > 0 && sum + right[first - 1] >= threshold {
            first -= 1;
        }
        reaching += (right.len() - first) as u64;
    }
    2.0 * reaching as f64 / (left.len() as f64 * right.len() as f64)
}

/// Returns the sums of all sign patterns.
fn signed_sums(magnitudes: &[f64]) -> Vec<f64> {
    magnitudes.iter().fold(vec![0.0], |sums, size| sums.iter().flat_map(|sum| [sum - size, sum + size]).collect())
}
