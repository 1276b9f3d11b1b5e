//! How often, and from which seed, random samples are drawn.

use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::Error;
use crate::error::check_work;

/// The most values that one call draws or reads: about ten seconds of work.
const BUDGET: u64 = 1_000_000_000;

/// The number of random samples and the seed they are drawn from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Resampling {
    /// The number of samples, at least 1.
    pub resamples: u32,
    /// The seed: the same one gives the same result.
    pub seed: u64,
}

/// 10000 samples from seed 0.
impl Default for Resampling {
    fn default() -> Self {
        Self { resamples: 10_000, seed: 0 }
    }
}

impl Resampling {
    /// The generator for samples of a size, if the work of that many samples, and of `more` besides, is within the budget.
    pub(crate) fn generator(self, size: usize, more: usize) -> Result<Pcg64Mcg, Error> {
        if self.resamples == 0 {
            return Err(Error::NoResamples);
        }
        let samples = u64::from(self.resamples).saturating_add(more as u64);
        check_work(samples.saturating_mul(size as u64), BUDGET)?;
        Ok(Pcg64Mcg::seed_from_u64(self.seed))
    }
}
