//! McNemar's exact test of paired successes.

use statrs::distribution::{Binomial, DiscreteCDF as _};

use crate::{Error, Test};

/// Tests whether two arms have equal success rates over the same seeds, given the numbers of seeds in which only one
/// succeeds.
///
/// Seeds in which both arms succeed or both fail carry no information. Under the null hypothesis, each other seed
/// favours either arm with equal probability. The p-value is twice the smaller tail of that binomial distribution, at
/// most 1. Without such seeds it is 1. Source: Q. McNemar, *Note on the sampling error of the difference between
/// correlated proportions or percentages*, Psychometrika 12 (1947), in its exact form.
///
/// # Errors
///
/// Counts whose sum overflows.
pub fn mcnemar(only_first: u64, only_second: u64) -> Result<Test, Error> {
    let discordant = only_first.checked_add(only_second).ok_or(Error::Overflow)?;
    let binomial = Binomial::new(0.5, discordant).map_err(|_| Error::Overflow)?;
    Ok(Test::exact(2.0 * binomial.cdf(only_first.min(only_second))))
}

/// Tests like [`mcnemar`], given the successes of both arms by seed.
///
/// # Errors
///
/// No pairs, or different lengths.
pub fn mcnemar_of_pairs(first: &[bool], second: &[bool]) -> Result<Test, Error> {
    if first.len() != second.len() {
        return Err(Error::Unpaired { first: first.len(), second: second.len() });
    }
    if first.is_empty() {
        return Err(Error::TooFew { needed: 1, given: 0 });
    }
    let only = |wanted: (bool, bool)| first.iter().zip(second).filter(|(x, y)| (**x, **y) == wanted).count() as u64;
    mcnemar(only((true, false)), only((false, true)))
}
