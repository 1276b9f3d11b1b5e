//! The state that primitives keep between actions: unreachable blocks and the random generator.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;
use rustc_hash::FxHashSet;

use crate::observation::BlockPos;

/// The state that primitives share. Two players with the same seed decide the same in the same world.
#[derive(Clone, Debug)]
pub struct PrimitiveState {
    /// For choices such as where to explore.
    pub(crate) rng: Pcg32,
    /// Blocks that could not be reached: observations leave them out, and exploring does not stop at them.
    pub(crate) unreachable: FxHashSet<BlockPos>,
}

impl PrimitiveState {
    /// The state at the beginning of a run.
    pub fn new(seed: u64) -> Self {
        Self { rng: Pcg32::seed_from_u64(seed ^ 0x00D1_A70D), unreachable: FxHashSet::default() }
    }
}
