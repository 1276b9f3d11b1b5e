//! A cache of decisions in over-constrained states, so that each conflict is searched for once.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::decision_cache::NodeNumber;
use crate::judgement::Decision;
use crate::law_set::Group;
use crate::letter::PropSet;

/// Maximum number of cached states; a full cache is cleared.
const MAX_KNOWN: usize = 4096;

/// The part of a joint state that decisions depend on: the propositions that masks read, and the node of the watched
/// laws.
pub(crate) type Key = (PropSet, Option<NodeNumber>);

/// A decision in an over-constrained state.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub decision: Decision,
    /// The enforced laws, if some of them are soft.
    pub kept: Option<Arc<Group>>,
}

/// Cached decisions in states in which all laws together leave no action but stopping.
#[derive(Debug, Default)]
pub(crate) struct KnownConflicts {
    known: FxHashMap<Key, Known>,
    /// The number of times that nodes had been cleared when the first entry was cached. After another clearing, node
    /// numbers have other meanings.
    emptied: u64,
}

impl KnownConflicts {
    /// Returns the cached decision in a state.
    pub fn get(&self, key: &Key, emptied: u64) -> Option<&Known> {
        if self.emptied == emptied { self.known.get(key) } else { None }
    }

    /// Caches the decision in a state.
    pub fn keep(&mut self, key: Key, emptied: u64, known: Known) {
        if self.emptied != emptied || self.known.len() >= MAX_KNOWN {
            self.known.clear();
            self.emptied = emptied;
        }
        self.known.insert(key, known);
    }

    /// Clears the cache.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Returns the approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<(Key, Known)>()
    }
}
