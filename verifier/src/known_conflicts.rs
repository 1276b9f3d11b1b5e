//! Over-constrained states met before, so that a conflict is searched for once.

use rustc_hash::FxHashMap;

use crate::actions::ActionSet;
use crate::decision_cache::NodeNumber;
use crate::judgement::Decision;
use crate::letter::PropSet;

/// How many states are kept before they are all forgotten.
const MOST: usize = 4096;

/// A joint state as far as decisions depend on it: what masks read of the letter, and the node of the watched laws.
pub(crate) type Key = (PropSet, Option<NodeNumber>);

/// Decisions in states where all laws together leave no action but stopping, each with the actions left undecided.
#[derive(Debug, Default)]
pub(crate) struct KnownConflicts {
    known: FxHashMap<Key, (Decision, ActionSet)>,
    /// How often nodes had been forgotten when the first of these was kept: afterwards their numbers mean others.
    emptied: u64,
}

impl KnownConflicts {
    /// What was decided in a state.
    pub fn get(&self, key: &Key, emptied: u64) -> Option<&(Decision, ActionSet)> {
        if self.emptied == emptied { self.known.get(key) } else { None }
    }

    /// Keeps what was decided in a state.
    pub fn keep(&mut self, key: Key, emptied: u64, decision: Decision, undecided: ActionSet) {
        if self.emptied != emptied || self.known.len() >= MOST {
            self.known.clear();
            self.emptied = emptied;
        }
        self.known.insert(key, (decision, undecided));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<(Key, (Decision, ActionSet))>()
    }
}
