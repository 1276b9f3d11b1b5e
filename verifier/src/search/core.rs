//! Unsatisfiable cores: states of laws that no continuation satisfies together, kept for later decisions.

use crate::dfa_table::StateRef;

/// How many cores are kept.
const MAX_CORES: usize = 1024;
/// How many cores are looked at for a unit of work.
pub(super) const CORES_LOOKED_AT: usize = 16;

/// States of some laws that no continuation satisfies together after one class of actions.
pub(super) struct Core {
    /// The class.
    pub context: u32,
    pub parts: Box<[(u32, StateRef)]>,
}

impl Core {
    pub fn new(context: u32, parts: impl Iterator<Item = (usize, StateRef)>) -> Self {
        Self { context, parts: parts.map(|(law, state)| (law as u32, state)).collect() }
    }

    /// Whether the laws are in these states.
    pub fn covers(&self, context: u32, state: impl Fn(usize) -> StateRef) -> bool {
        self.context == context && self.parts.iter().all(|&(law, dead)| state(law as usize) == dead)
    }
}

/// Keeps a core; the older half makes room when there are too many.
pub(super) fn keep(cores: &mut Vec<Core>, core: Core) {
    if cores.len() >= MAX_CORES {
        cores.drain(..MAX_CORES / 2);
    }
    cores.push(core);
}
