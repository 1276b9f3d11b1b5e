//! What a search through world states has reached, and by which actions.

use crate::decision_cache::mix;
use crate::dfa_table::StateRef;
use crate::vocabulary::ActionId;
use crate::world_state::WorldStateId;

/// The world states and laws' states that a search has reached. Searches share its memory.
#[derive(Default)]
pub(super) struct Frontier {
    pub worlds: Vec<WorldStateId>,
    /// The same for world states that the search need not tell apart.
    keys: Vec<WorldStateId>,
    /// The laws' states, one after the other.
    pub states: Vec<StateRef>,
    from: Vec<u32>,
    action: Vec<u16>,
    /// Open addressing: position + 1, or 0. The first `mask + 1` are in use.
    slots: Vec<u32>,
    mask: usize,
}

impl Frontier {
    /// Empties it for another search.
    pub fn begin(&mut self) {
        self.worlds.clear();
        self.keys.clear();
        self.states.clear();
        self.from.clear();
        self.action.clear();
        self.mask = 255;
        self.slots.resize(self.slots.len().max(256), 0);
        self.slots[..256].fill(0);
    }

    fn hash(world: WorldStateId, states: &[StateRef]) -> usize {
        (states.iter().fold(u64::from(world), |hash, state| mix(hash, u64::from(state.0))) >> 20) as usize
    }

    /// Adds a world state and laws' states unless the same, or one with the same key, are there; whether they are new.
    pub fn add(&mut self, world: WorldStateId, key: WorldStateId, states: &[StateRef], from: u32, action: u16) -> bool {
        let width = states.len();
        let mut slot = Self::hash(key, states) & self.mask;
        while let Some(at) = self.slots[slot].checked_sub(1) {
            let at = at as usize;
            if self.keys[at] == key && self.states[at * width..(at + 1) * width] == *states {
                return false;
            }
            slot = (slot + 1) & self.mask;
        }
        self.worlds.push(world);
        self.keys.push(key);
        self.states.extend_from_slice(states);
        self.from.push(from);
        self.action.push(action);
        self.slots[slot] = self.worlds.len() as u32;
        if self.worlds.len() * 2 > self.mask {
            self.grow(width);
        }
        true
    }

    fn grow(&mut self, width: usize) {
        self.mask = self.mask * 2 + 1;
        self.slots.resize(self.slots.len().max(self.mask + 1), 0);
        self.slots[..=self.mask].fill(0);
        for at in 0..self.worlds.len() {
            let mut slot = Self::hash(self.keys[at], &self.states[at * width..(at + 1) * width]) & self.mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = at as u32 + 1;
        }
    }

    /// The actions that led to an entry.
    pub fn path(&self, mut at: usize) -> Vec<ActionId> {
        let mut actions = Vec::new();
        while at != 0 {
            actions.push(ActionId(self.action[at]));
            at = self.from[at] as usize;
        }
        actions.reverse();
        actions
    }
}
