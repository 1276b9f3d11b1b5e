//! The probability that one arm is better than another.

use crate::Error;
use crate::error::check_pairs;
use crate::mann_whitney::wins;

/// Returns the probability that a value of the first sample exceeds one of the second, over all pairs of values of
/// unrelated samples. Ties count one half. It is `U / (n m)`, which rliable reports as probability of improvement.
///
/// Sources: [`crate::mann_whitney`]; R. Agarwal et al., *Deep reinforcement learning at the edge of the statistical
/// precipice*, NeurIPS (2021).
///
/// # Errors
///
/// A sample without values, or a value that is not finite.
pub fn improvement(first: &[f64], second: &[f64]) -> Result<f64, Error> {
    let (wins, _) = wins(first, second)?;
    Ok(wins / (first.len() as f64 * second.len() as f64))
}

/// Returns the share of pairs, such as seeds, in which the first value exceeds the second; ties count one half.
///
/// # Errors
///
/// No pairs, different lengths, or a value that is not finite.
pub fn paired_improvement(first: &[f64], second: &[f64]) -> Result<f64, Error> {
    check_pairs(first, second, 1)?;
    let score = |(x, y): (&f64, &f64)| {
        if x > y {
            1.0
        } else if x == y {
            0.5
        } else {
            0.0
        }
    };
    Ok(first.iter().zip(second).map(score).sum::<f64>() / first.len() as f64)
}
