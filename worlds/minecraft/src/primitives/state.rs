//! The state that primitives keep between actions: unreachable blocks and the random generator.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;
use rustc_hash::FxHashSet;

use crate::blocks::Block;
use crate::observation::{BlockPos, MinecraftObservation};

/// The blocks that a player places and comes back to.
pub(crate) const PLACEABLE: [Block; 2] = [Block::CraftingTable, Block::Furnace];

/// The most blocks remembered.
const MOST_REMEMBERED: usize = 64;

/// The state that primitives share. Two players with the same seed decide the same in the same world.
#[derive(Clone, Debug)]
pub struct PrimitiveState {
    /// For choices such as where to explore.
    pub(crate) rng: Pcg32,
    /// Blocks that could not be reached: observations leave them out, and exploring does not stop at them.
    pub(crate) unreachable: FxHashSet<BlockPos>,
    /// Crafting tables and furnaces that the player placed or saw, oldest first.
    placed: Vec<(Block, BlockPos)>,
}

impl PrimitiveState {
    /// The state at the beginning of a run.
    pub fn new(seed: u64) -> Self {
        Self { rng: Pcg32::seed_from_u64(seed ^ 0x00D1_A70D), unreachable: FxHashSet::default(), placed: Vec::new() }
    }

    /// Takes over what an observation of an earlier process says of crafting tables and furnaces.
    pub fn recall(&mut self, observation: &MinecraftObservation) {
        for placed in &observation.placed {
            if let Some(block) = Block::from_name(&placed.block).filter(|block| PLACEABLE.contains(block)) {
                self.remember(block, placed.position);
            }
        }
    }

    /// Remembers a crafting table or furnace, and in its place forgets the oldest one if there are too many.
    pub(crate) fn remember(&mut self, block: Block, position: BlockPos) {
        if self.placed.contains(&(block, position)) {
            return;
        }
        self.forget(position);
        if self.placed.len() == MOST_REMEMBERED {
            self.placed.remove(0);
        }
        self.placed.push((block, position));
    }

    /// The crafting tables and furnaces that the player remembers.
    pub(crate) fn placed(&self) -> &[(Block, BlockPos)] {
        &self.placed
    }

    /// Forgets a block that is no longer there.
    pub(crate) fn forget(&mut self, position: BlockPos) {
        self.placed.retain(|(_, known)| *known != position);
    }
}
