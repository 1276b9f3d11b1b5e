//! Effect sizes in standard deviations.

use crate::Error;
use crate::error::{check_sample, finite};
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
    let variance = finite((squares_of(first) + squares_of(second)) / freedom)?;
    if variance == 0.0 {
        return Err(Error::NoSpread);
    }
    finite((mean_of(first) - mean_of(second)) / variance.sqrt())
}
