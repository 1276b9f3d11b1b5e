//! Over-constrained states met before, so that a conflict is searched for once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::compiled::Group;
use crate::decision_cache::NodeNumber;
use crate::judgement::Decision;
use crate::letter::PropSet;

/// How many states are kept before they are all forgotten.
const MOST: usize = 4096;

/// A joint state as far as decisions depend on it: what masks read of the letter, and the node of the watched laws.
pub(crate) type Key = (PropSet, Option<NodeNumber>);

/// A decision in an over-constrained state.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub decision: Decision,
    /// The laws enforced, where some soft ones are.
    pub kept: Option<Arc<Group>>,
}

/// Decisions in states where all laws together leave no action but stopping.
#[derive(Debug, Default)]
pub(crate) struct KnownConflicts {
    known: FxHashMap<Key, Known>,
    /// How often nodes had been forgotten when the first of these was kept: afterwards their numbers mean others.
    emptied: u64,
}

impl KnownConflicts {
    /// What was decided in a state.
    pub fn get(&self, key: &Key, emptied: u64) -> Option<&Known> {
        if self.emptied == emptied { self.known.get(key) } else { None }
    }

    /// Keeps what was decided in a state.
    pub fn keep(&mut self, key: Key, emptied: u64, known: Known) {
        if self.emptied != emptied || self.known.len() >= MOST {
            self.known.clear();
            self.emptied = emptied;
        }
        self.known.insert(key, known);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<(Key, Known)>()
    }
}
