//! Differences of means between two arms over the same seeds.

use serde::Serialize;

use crate::error::{check_sample, differences};
use crate::{Bootstrap, Error, Resampling, bootstrap};

/// Returns the mean of `first - second` over pairs, such as seeds that both arms ran, with its [`bootstrap`] interval.
///
/// # Errors
///
/// Different lengths, fewer than 2 pairs, a value that is not finite, differences that overflow, or the errors of
/// [`bootstrap`].
pub fn paired_difference(
    first: &[f64],
    second: &[f64],
    confidence: f64,
    resampling: Resampling,
) -> Result<Bootstrap, Error> {
    let differences = differences(first, second, 2)?;
    let mean = |sample: &[&f64]| sample.iter().copied().sum::<f64>() / sample.len() as f64;
    bootstrap(&differences, mean, confidence, resampling)
}

/// The episodes of one unit, such as a seed, in both arms.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cluster {
    /// The episodes of the first arm, at least one.
    pub first: Vec<f64>,
    /// The episodes of the second arm, at least one; the number may differ.
    pub second: Vec<f64>,
}

/// Returns the mean over all episodes of the first arm minus that of the second, with its [`bootstrap`] interval over
/// clusters.
///
/// Episodes of a cluster are dependent, so whole clusters are drawn. Every episode has the same weight, so larger
/// clusters have more weight. For equal weights of clusters, pass their means to [`paired_difference`].
///
/// # Errors
///
/// Fewer than 2 clusters, a cluster without an episode in one of the arms, or a value that is not finite; its index
/// counts in its arm of its cluster. Means that overflow, or the errors of [`bootstrap`].
pub fn clustered_difference(clusters: &[Cluster], confidence: f64, resampling: Resampling) -> Result<Bootstrap, Error> {
    let summed = clusters.iter().map(Sums::of).collect::<Result<Vec<Sums>, Error>>()?;
    bootstrap(&summed, Sums::difference, confidence, resampling)
}

/// The sums and the numbers of episodes of a cluster, by arm.
struct Sums {
    sums: [f64; 2],
    episodes: [f64; 2],
}

impl Sums {
    fn of(cluster: &Cluster) -> Result<Self, Error> {
        let arms = [&cluster.first, &cluster.second];
        for arm in arms {
            check_sample(arm, 1)?;
        }
        Ok(Self { sums: arms.map(|arm| arm.iter().sum()), episodes: arms.map(|arm| arm.len() as f64) })
    }

    fn difference(sample: &[&Self]) -> f64 {
        let mean = |arm: usize| {
            let sum: f64 = sample.iter().map(|cluster| cluster.sums[arm]).sum();
            sum / sample.iter().map(|cluster| cluster.episodes[arm]).sum::<f64>()
        };
        mean(0) - mean(1)
    }
}
