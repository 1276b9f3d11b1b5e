//! Letters: one position of the word a run produces, as a bit set over at most 256 propositions.

use serde::{Deserialize, Serialize};

use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// How many propositions a letter can hold.
pub const CAPACITY: usize = 256;
const WORDS: usize = CAPACITY / 64;

/// A set of propositions of one vocabulary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PropSet(pub [u64; WORDS]);

impl PropSet {
    /// No proposition.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// Adds a proposition.
    pub fn insert(&mut self, id: PropId) {
        self.0[usize::from(id.0) / 64] |= 1 << (id.0 % 64);
    }

    /// Removes a proposition.
    pub fn remove(&mut self, id: PropId) {
        self.0[usize::from(id.0) / 64] &= !(1 << (id.0 % 64));
    }

    /// Whether a proposition is in the set.
    pub fn contains(&self, id: PropId) -> bool {
        self.0[usize::from(id.0) / 64] >> (id.0 % 64) & 1 == 1
    }

    /// The propositions, in order.
    pub fn iter(&self) -> impl Iterator<Item = PropId> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |position| {
            let mut word = words[position];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    PropId((position * 64) as u16 + bit as u16)
                })
            })
        })
    }

    /// How many propositions are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no proposition is in the set.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The propositions in both sets.
    pub fn intersection(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The propositions in either set.
    pub fn union(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The propositions in this set and not in the other.
    pub fn difference(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether every proposition of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }
}

impl FromIterator<PropId> for PropSet {
    fn from_iter<I: IntoIterator<Item = PropId>>(ids: I) -> Self {
        let mut set = Self::EMPTY;
        for id in ids {
            set.insert(id);
        }
        set
    }
}

/// One position of a word: the observations that hold *after* a step and the one action that led there.
///
/// Letter 0 of a run has no action; from letter 1 on exactly one action holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Letter(pub PropSet);

impl Letter {
    /// The first letter of a run: observations, no action.
    pub fn initial(observations: PropSet) -> Self {
        Self(observations)
    }

    /// The letter after a step: the action taken and the observations that hold now.
    pub fn after(vocabulary: &Vocabulary, action: ActionId, observations: PropSet) -> Self {
        let mut set = observations;
        set.insert(vocabulary.action_prop(action));
        Self(set)
    }

    /// The observations alone.
    pub fn observations(&self, vocabulary: &Vocabulary) -> PropSet {
        self.0.iter().filter(|id| vocabulary.is_observation(*id)).collect()
    }

    /// The action that led here; `None` in letter 0.
    pub fn action(&self, vocabulary: &Vocabulary) -> Option<ActionId> {
        self.0.iter().find_map(|id| vocabulary.as_action(id))
    }

    /// Whether a proposition holds at this position.
    pub fn holds(&self, id: PropId) -> bool {
        self.0.contains(id)
    }
}
