//! Errors of unusable input, and the checks that detect them.

/// The input is not valid for the statistic, or exceeds its budget.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// There are fewer values than the statistic needs.
    #[error("the statistic needs at least {needed} values, {given} given")]
    TooFew {
        /// The number of required values.
        needed: usize,
        /// The number of given values.
        given: usize,
    },
    /// A value is NaN or infinite.
    #[error("value {index} (from 0) is NaN or infinite; leave it out or give a finite number")]
    NotFinite {
        /// Its position, starting at 0.
        index: usize,
    },
    /// The values are so large that a sum, a difference or the statistic itself is not a finite number.
    #[error("the values are too large to be added or subtracted; scale them down")]
    Overflow,
    /// Paired samples have different lengths.
    #[error("paired samples need equal lengths, given are {first} and {second} values")]
    Unpaired {
        /// The length of the first sample.
        first: usize,
        /// The length of the second sample.
        second: usize,
    },
    /// A confidence, or the fraction of a quantile, is outside its range.
    #[error(
        "{given} is not a valid fraction: a confidence lies between 0 and 1, for example 0.95; a quantile's fraction may \
         also be 0 or 1"
    )]
    Fraction {
        /// The given value.
        given: f64,
    },
    /// A count of successes exceeds the number of trials.
    #[error("{successes} successes exceed {trials} trials")]
    Successes {
        /// The given successes.
        successes: u64,
        /// The given trials.
        trials: u64,
    },
    /// All values are equal, but the statistic divides by their spread.
    #[error("all values are alike; the statistic needs two that differ")]
    NoSpread,
    /// The requested resampling has 0 samples.
    #[error("resampling needs at least 1 sample, for example 10000")]
    NoResamples,
    /// The computation exceeds its budget.
    #[error("{needed} operations exceed the budget of {budget}; give fewer values or fewer resamples")]
    TooMuchWork {
        /// The number of required elementary operations.
        needed: u64,
        /// The maximum number of operations.
        budget: u64,
    },
}

/// Checks the minimum number of values, and that all are finite.
pub(crate) fn check_sample(values: &[f64], needed: usize) -> Result<(), Error> {
    if values.len() < needed {
        return Err(Error::TooFew { needed, given: values.len() });
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(Error::NotFinite { index }),
        None => Ok(()),
    }
}

/// Checks that two samples have equal lengths and are usable.
pub(crate) fn check_pairs(first: &[f64], second: &[f64], needed: usize) -> Result<(), Error> {
    if first.len() != second.len() {
        return Err(Error::Unpaired { first: first.len(), second: second.len() });
    }
    check_sample(first, needed)?;
    check_sample(second, needed)
}

/// Returns the differences `first - second` of pairs.
pub(crate) fn differences(first: &[f64], second: &[f64], needed: usize) -> Result<Vec<f64>, Error> {
    check_pairs(first, second, needed)?;
    let differences: Vec<f64> = first.iter().zip(second).map(|(x, y)| x - y).collect();
    let magnitude: f64 = differences.iter().map(|difference| difference.abs()).sum();
    finite(magnitude).map(|_| differences)
}

/// Checks that a confidence lies strictly between 0 and 1.
pub(crate) fn check_confidence(confidence: f64) -> Result<(), Error> {
    if confidence > 0.0 && confidence < 1.0 { Ok(()) } else { Err(Error::Fraction { given: confidence }) }
}

/// Checks that a result is a finite number.
pub(crate) fn finite(result: f64) -> Result<f64, Error> {
    if result.is_finite() { Ok(result) } else { Err(Error::Overflow) }
}

/// Checks a number of operations against a budget.
pub(crate) fn check_work(needed: u64, budget: u64) -> Result<(), Error> {
    if needed <= budget { Ok(()) } else { Err(Error::TooMuchWork { needed, budget }) }
}
