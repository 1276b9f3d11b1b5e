//! The state that primitives keep between actions: unreachable blocks and the random generator.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use super::trace::Trace;
use crate::blocks::Block;
use crate::observation::{BlockPos, MinecraftObservation};

/// The blocks that a player places and returns to.
pub(crate) const PLACEABLE: [Block; 2] = [Block::CraftingTable, Block::Furnace];

/// The time for which an unreachable block is ignored, in ticks: five minutes.
const GIVEN_UP_FOR: u64 = 6000;

/// The maximum number of blocks remembered.
const MAX_REMEMBERED: usize = 64;

/// The state that primitives share. Two players with the same seed make the same decisions in the same world.
#[derive(Clone, Debug)]
pub struct PrimitiveState {
    /// The random generator for choices such as the direction of exploring.
    pub(crate) rng: Pcg32,
    /// Blocks marked as unreachable, with the tick of the failure.
    unreachable: FxHashMap<BlockPos, u64>,
    /// Places visited while exploring, oldest first.
    visits: Vec<BlockPos>,
    /// The trace of the action under way, or of the last one.
    pub(crate) trace: Trace,
    /// Crafting tables and furnaces that the player placed or saw, oldest first.
    placed: Vec<(Block, BlockPos)>,
}

impl PrimitiveState {
    /// The state at the start of a run.
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Pcg32::seed_from_u64(seed ^ 0x00D1_A70D),
            unreachable: FxHashMap::default(),
            visits: Vec::new(),
            trace: Trace::default(),
            placed: Vec::new(),
        }
    }

    /// Begins an action: blocks that became unreachable long ago count as reachable again.
    pub(crate) fn begin(&mut self, tick: u64) {
        self.unreachable.retain(|_, given_up| tick.saturating_sub(*given_up) < GIVEN_UP_FOR);
        self.trace.begin(tick);
    }

    /// Marks a block as unreachable. Observations leave it out, and exploring does not stop at it.
    pub(crate) fn give_up(&mut self, block: BlockPos, tick: u64) {
        self.unreachable.insert(block, tick);
    }

    /// Returns whether a block is marked as unreachable.
    pub(crate) fn is_unreachable(&self, block: BlockPos) -> bool {
        self.unreachable.contains_key(&block)
    }

    /// Records a place that the player has explored, and forgets the oldest one if there are too many.
    pub(crate) fn note_visit(&mut self, place: BlockPos) {
        if self.visits.len() == MAX_REMEMBERED {
            self.visits.remove(0);
        }
        self.visits.push(place);
    }

    /// The direction of the last explored places: east and south are positive; 0 for no significant difference.
    pub(crate) fn course(&self) -> (i32, i32) {
        let before = self.visits.get(self.visits.len().saturating_sub(5));
        let (Some(to), Some(from)) = (self.visits.last(), before) else { return (0, 0) };
        let sign = |part: i32| if part.abs() < 8 { 0 } else { part.signum() };
        (sign(to.x - from.x), sign(to.z - from.z))
    }

    /// The horizontal distance to the nearest place explored, in blocks.
    pub(crate) fn away_from_visits(&self, place: BlockPos) -> i64 {
        let away = |visit: &BlockPos| i64::from((visit.x - place.x).abs().max((visit.z - place.z).abs()));
        self.visits.iter().map(away).min().unwrap_or(0)
    }

    /// The trace of the last action for people: each line with its time in seconds.
    pub fn trace(&self) -> Vec<String> {
        self.trace.lines()
    }

    /// Restores crafting tables and furnaces from an observation of an earlier process.
    pub fn recall(&mut self, observation: &MinecraftObservation) {
        for placed in &observation.placed {
            if let Some(block) = Block::from_name(&placed.block).filter(|block| PLACEABLE.contains(block)) {
                self.remember(block, placed.position);
            }
        }
    }

    /// Remembers a crafting table or furnace, and forgets the oldest one if there are too many.
    pub(crate) fn remember(&mut self, block: Block, position: BlockPos) {
        if self.placed.contains(&(block, position)) {
            return;
        }
        self.forget(position);
        if self.placed.len() == MAX_REMEMBERED {
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
