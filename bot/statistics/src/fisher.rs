//! Fisher's exact test of two success rates.

use statrs::distribution::{Discrete as _, Hypergeometric};

use crate::error::check_work;
use crate::{Error, Test};

/// Maximum number of trials of both arms together.
const TRIALS: u64 = 1_000_000;

/// Tests whether two unrelated arms, each `(successes, trials)`, have equal success rates.
///
/// The p-value is the probability, for fixed totals, of all tables that are at most as likely as the observed one.
/// Probabilities with a relative difference below 10^-7 count as equal. For paired seeds use [`crate::mcnemar`].
/// Source: R. A. Fisher, *Statistical methods for research workers* (1934).
///
/// # Errors
///
/// An arm without trials or with more successes than trials, or more than 10^6 trials together.
pub fn fisher(first: (u64, u64), second: (u64, u64)) -> Result<Test, Error> {
    for (successes, trials) in [first, second] {
        if trials == 0 {
            return Err(Error::TooFew { needed: 1, given: 0 });
        }
        if successes > trials {
            return Err(Error::Successes { successes, trials });
        }
    }
    let trials = first.1.saturating_add(second.1);
    check_work(trials, TRIALS)?;
    let successes = first.0 + second.0;
    let tables = Hypergeometric::new(trials, successes, first.1).map_err(|_| Error::Overflow)?;
    // Logarithms are needed, because `pmf` divides binomial coefficients, which overflow from about 1000 trials on.
    let probability = |count: u64| tables.ln_pmf(count).exp();
    let bound = probability(first.0) * (1.0 + 1e-7);
    let possible = successes.saturating_sub(second.1)..=successes.min(first.1);
    let p = possible.map(probability).filter(|probability| *probability <= bound).sum();
    Ok(Test::exact(p))
}
