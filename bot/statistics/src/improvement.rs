//! The share of pairs in which one arm is better.

use crate::Error;
use crate::error::check_pairs;

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
