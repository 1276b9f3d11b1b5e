//! Sets of actions.

use crate::bits::BitSet;
use crate::vocabulary::{ActionId, Vocabulary};

/// A set of a vocabulary's actions.
pub type ActionSet = BitSet<ActionId>;

impl ActionSet {
    /// The actions' names, in the vocabulary's order.
    pub fn names<'a>(&self, vocabulary: &'a Vocabulary) -> Vec<&'a str> {
        self.iter().map(|action| vocabulary.action_name(action)).collect()
    }
}
