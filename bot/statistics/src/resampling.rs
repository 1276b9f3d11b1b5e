//! The number and the seed of random samples.

use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::Error;
use crate::error::check_work;

/// Maximum number of values that one call draws or reads: about ten seconds of work.
const BUDGET: u64 = 1_000_000_000;

/// The number of random samples and their seed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Resampling {
    /// The number of samples, at least 1.
    pub resamples: u32,
    /// The seed; equal seeds give equal results.
    pub seed: u64,
}

/// Returns 10000 samples from seed 0.
impl Default for Resampling {
    fn default() -> Self {
        Self { resamples: 10_000, seed: 0 }
    }
}

impl Resampling {
    /// Returns the generator for samples of a size. Fails if the work for all samples and for `more` additional ones
    /// exceeds the budget.
    pub(crate) fn generator(self, size: usize, more: usize) -> Result<Pcg64Mcg, Error> {
        if self.resamples == 0 {
            return Err(Error::NoResamples);
        }
        let samples = u64::from(self.resamples).saturating_add(more as u64);
        check_work(samples.saturating_mul(size as u64), BUDGET)?;
        Ok(Pcg64Mcg::seed_from_u64(self.seed))
    }
}
