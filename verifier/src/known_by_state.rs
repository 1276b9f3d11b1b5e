//! A cache of what was searched for in joint states, so that each conflict and each block is searched for once.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::decision_cache::NodeNumber;
use crate::judgement::Decision;
use crate::law_set::Group;
use crate::letter::PropSet;

/// Maximum number of cached answers; a full cache is cleared.
const MAX_KNOWN: usize = 4096;

/// The part of a joint state that answers depend on: the propositions that masks read, and the node of the watched
/// laws.
pub(crate) type Key = (PropSet, Option<NodeNumber>);

/// A decision in an over-constrained state.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub decision: Decision,
    /// The enforced laws, if some of them are soft.
    pub kept: Option<Arc<Group>>,
}

/// Cached answers by state and question.
#[derive(Debug)]
pub(crate) struct KnownByState<Q, A> {
    known: FxHashMap<(Key, Q), A>,
    /// The number of times that nodes had been cleared when the first entry was cached. After another clearing, node
    /// numbers have other meanings.
    emptied: u64,
}

impl<Q: Eq + Hash, A> KnownByState<Q, A> {
    pub fn new() -> Self {
        Self { known: FxHashMap::default(), emptied: 0 }
    }

    /// Returns the cached answer to a question in a state.
    pub fn get(&self, key: &(Key, Q), emptied: u64) -> Option<&A> {
        if self.emptied == emptied { self.known.get(key) } else { None }
    }

    /// Caches the answer to a question in a state.
    pub fn keep(&mut self, key: (Key, Q), emptied: u64, answer: A) {
        if self.emptied != emptied || self.known.len() >= MAX_KNOWN {
            self.known.clear();
            self.emptied = emptied;
        }
        self.known.insert(key, answer);
    }

    /// Clears the cache.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Returns the approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<((Key, Q), A)>()
    }
}
