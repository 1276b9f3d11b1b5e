//! Effect sizes in standard deviations.

use crate::Error;
use crate::error::{check_sample, differences, finite};
use crate::location::{mean_of, squares_of};

/// Returns Cohen's d of unrelated samples: the difference of means, first minus second, over the pooled standard
/// deviation with `n + m - 2` degrees of freedom. Source: J. Cohen, *Statistical power analysis for the behavioral
/// sciences* (1988).
///
/// # Errors
///
/// Fewer than 2 values in a sample, a value that is not finite, no spread within the samples, or squares that overflow.
pub fn cohens_d(first: &[f64], second: &[f64]) -> Result<f64, Error> {
    check_sample(first, 2)?;
    check_sample(second, 2)?;
    let freedom = (first.len() + second.len() - 2) as f64;
    over_spread(mean_of(first) - mean_of(second), (squares_of(first) + squares_of(second)) / freedom)
}

/// Returns Cohen's d of paired samples, called d_z there: the mean of `first - second` over the standard deviation of
/// these differences with `n - 1` degrees of freedom.
///
/// # Errors
///
/// Different lengths, fewer than 2 pairs, a value that is not finite, equal differences, or squares that overflow.
pub fn paired_cohens_d(first: &[f64], second: &[f64]) -> Result<f64, Error> {
    let differences = differences(first, second, 2)?;
    over_spread(mean_of(&differences), squares_of(&differences) / (differences.len() - 1) as f64)
}

fn over_spread(difference: f64, variance: f64) -> Result<f64, Error> {
    if variance == 0.0 {
        return Err(Error::NoSpread);
    }
    finite(variance)?;
    finite(difference / variance.sqrt())
}
