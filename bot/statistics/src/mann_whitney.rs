//! The Mann-Whitney U test of two unrelated samples.

use crate::error::check_sample;
use crate::ranks::Ranks;
use crate::{Error, Test};

/// Maximum number of values, of both samples together, for the exact distribution of U.
const EXACT: usize = 50;

/// Tests whether the values of one of two unrelated samples tend to be larger.
///
/// The test is exact for at most 50 values together without ties. Otherwise U is compared with a normal distribution,
/// with tie-corrected variance and continuity correction: `scipy.stats.mannwhitneyu` with `method="asymptotic"`. If all
/// values are equal, the p-value is 1. For paired seeds use [`crate::wilcoxon`]. Source: H. B. Mann and D. R. Whitney,
/// *On a test of whether one of two random variables is stochastically larger than the other*, Annals of Mathematical
/// Statistics 18 (1947).
///
/// # Errors
///
/// A sample without values, or a value that is not finite.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Result<Test, Error> {
    let (wins, ties) = wins(first, second)?;
    let (n, m) = (first.len(), second.len());
    let all = (n + m) as f64;
    let pairs = n as f64 * m as f64;
    if n + m <= EXACT && ties == 0.0 {
        return Ok(Test::exact(2.0 * tail(n, m, wins.min(pairs - wins) as usize)));
    }
    let variance = pairs / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    let deviation = ((wins - pairs / 2.0).abs() - 0.5).max(0.0);
    Ok(Test::normal(deviation, variance))
}

/// Returns U of the first sample and the tie correction of [`Ranks`]. U is the number of pairs of values in which the
/// first sample has the larger one; ties count one half.
pub(crate) fn wins(first: &[f64], second: &[f64]) -> Result<(f64, f64), Error> {
    check_sample(first, 1)?;
    check_sample(second, 1)?;
    let Ranks { ranks, ties } = Ranks::of(&[first, second].concat());
    let n = first.len() as f64;
    Ok((ranks[..first.len()].iter().sum::<f64>() - n * (n + 1.0) / 2.0, ties))
}

/// Returns the probability that U of samples with `n` and `m` values is at most `u`, if all orders are equally likely.
///
/// The largest value belongs to the first sample with probability `n / (n + m)`, and then wins `m` pairs.
fn tail(n: usize, m: usize, u: usize) -> f64 {
    // by_second[j][w]: the probability of w wins for the first values of the first sample and j values of the second.
    let certain: Vec<f64> = (0..=u).map(|wins| if wins == 0 { 1.0 } else { 0.0 }).collect();
    let mut by_second = vec![certain; m + 1];
    for i in 1..=n {
        for j in 1..=m {
            let share = i as f64 / (i + j) as f64;
            let (less, rest) = by_second.split_at_mut(j);
            for wins in (0..=u).rev() {
                let won = if wins >= j { rest[0][wins - j] } else { 0.0 };
                rest[0][wins] = share * won + (1.0 - share) * less[j - 1][wins];
            }
        }
    }
    by_second[m].iter().sum()
}
