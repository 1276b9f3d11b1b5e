//! The state that primitives keep between actions: the memory and the random generator.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

use super::trace::Trace;
use crate::memory::Memory;
use crate::observation::BlockPos;

/// The maximum number of explored places that are kept.
const MAX_VISITS: usize = 64;

/// The state that primitives share. Two players with the same seed make the same decisions in the same world.
#[derive(Clone, Debug)]
pub struct PrimitiveState {
    /// The random generator for choices such as the direction of exploring.
    pub(crate) rng: Pcg32,
    /// The blocks that the player remembers.
    pub memory: Memory,
    /// Places visited while exploring, oldest first.
    visits: Vec<BlockPos>,
    /// The trace of the action under way, or of the last one.
    pub(crate) trace: Trace,
}

impl PrimitiveState {
    /// The state at the start of a run.
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Pcg32::seed_from_u64(seed ^ 0x00D1_A70D),
            memory: Memory::default(),
            visits: Vec::new(),
            trace: Trace::default(),
        }
    }

    /// Begins an action.
    pub(crate) fn begin(&mut self, tick: u64) {
        self.memory.begin(tick);
        self.trace.begin(tick);
    }

    /// Records a place that the player has explored, and forgets the oldest one if there are too many.
    pub(crate) fn note_visit(&mut self, place: BlockPos) {
        if self.visits.len() == MAX_VISITS {
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
}
