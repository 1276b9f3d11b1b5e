//! Sets of actions, as bits.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::letter::CAPACITY;
use crate::vocabulary::{ActionId, Vocabulary};

const WORDS: usize = CAPACITY / 64;

/// A set of a vocabulary's actions (at most 256).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ActionSet(pub [u64; WORDS]);

impl ActionSet {
    /// No action.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// The first `count` actions: with a vocabulary's number of actions, all of them.
    pub fn first(count: usize) -> Self {
        Self(std::array::from_fn(|word| match count.saturating_sub(word * 64) {
            0 => 0,
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        }))
    }

    /// One action.
    pub fn one(action: ActionId) -> Self {
        let mut set = Self::EMPTY;
        set.insert(action);
        set
    }

    /// Adds an action.
    pub fn insert(&mut self, action: ActionId) {
        self.0[usize::from(action.0) / 64] |= 1 << (action.0 % 64);
    }

    /// Removes an action.
    pub fn remove(&mut self, action: ActionId) {
        self.0[usize::from(action.0) / 64] &= !(1 << (action.0 % 64));
    }

    /// Whether an action is in the set.
    #[inline]
    pub fn contains(&self, action: ActionId) -> bool {
        self.0[usize::from(action.0) / 64] >> (action.0 % 64) & 1 == 1
    }

    /// How many actions are in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no action is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// The actions in both sets.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The actions in either set.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The actions in this set and not in the other.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Whether every action of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }

    /// The actions, in order.
    pub fn iter(&self) -> impl Iterator<Item = ActionId> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |position| {
            let mut word = words[position];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    ActionId((position * 64) as u16 + bit as u16)
                })
            })
        })
    }

    /// The actions' names, in the vocabulary's order.
    pub fn names<'a>(&self, vocabulary: &'a Vocabulary) -> Vec<&'a str> {
        self.iter().map(|action| vocabulary.action_name(action)).collect()
    }
}

impl FromIterator<ActionId> for ActionSet {
    fn from_iter<I: IntoIterator<Item = ActionId>>(actions: I) -> Self {
        let mut set = Self::EMPTY;
        for action in actions {
            set.insert(action);
        }
        set
    }
}

impl fmt::Debug for ActionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|action| action.0)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_actions() {
        let all = ActionSet::first(70);
        assert_eq!(all.len(), 70);
        assert!(all.contains(ActionId(69)) && !all.contains(ActionId(70)));
        assert_eq!(ActionSet::first(256).len(), 256);
        let some: ActionSet = [ActionId(3), ActionId(65)].into_iter().collect();
        assert!(some.is_subset(&all));
        assert_eq!(some.iter().collect::<Vec<_>>(), [ActionId(3), ActionId(65)]);
        assert_eq!(all.difference(&some).len(), 68);
        assert_eq!(some.union(&all), all);
        assert_eq!(some.intersection(&ActionSet::one(ActionId(3))), ActionSet::one(ActionId(3)));
    }
}
