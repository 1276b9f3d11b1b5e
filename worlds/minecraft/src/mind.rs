//! The player's mind: choices that are its own, and what it remembers from one action to the next.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;
use rustc_hash::FxHashSet;

use super::observation::BlockPos;

/// What a player decides with. Two players with minds of the same seed decide alike in the same world.
#[derive(Clone, Debug)]
pub struct Mind {
    /// For choices such as where to explore.
    pub(super) rng: Pcg32,
    /// Blocks the player has tried to get at in vain: it is not told of them again, and exploring does not stop at them.
    pub(super) given_up: FxHashSet<BlockPos>,
}

impl Mind {
    /// A fresh mind.
    pub fn new(seed: u64) -> Self {
        Self { rng: Pcg32::seed_from_u64(seed ^ 0x00D1_A70D), given_up: FxHashSet::default() }
    }
}
