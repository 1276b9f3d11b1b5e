//! Bit sets of numbered elements of one kind, at most 256 of them.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::ids::{Numbered, PropId};

/// Maximum number of elements of a set.
pub const CAPACITY: usize = 256;
const WORDS: usize = CAPACITY / 64;

/// A set of propositions or of actions of one vocabulary: bit `n % 64` of word `n / 64` stands for number `n`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BitSet<T>(pub [u64; WORDS], #[serde(skip)] PhantomData<T>);

/// A set of propositions of one vocabulary.
pub type PropSet = BitSet<PropId>;

impl<T> BitSet<T> {
    /// The empty set.
    pub const EMPTY: Self = Self::from_words([0; WORDS]);

    /// Returns the set with these bits.
    #[inline]
    pub const fn from_words(words: [u64; WORDS]) -> Self {
        Self(words, PhantomData)
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Returns the elements of both sets.
    #[inline]
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self::from_words(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Returns the elements of either set.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::from_words(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Returns the elements of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self::from_words(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Returns whether all elements of this set are in the other.
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }

    /// Returns the first `count` elements by number: with a vocabulary's number of actions, all actions.
    pub fn first(count: usize) -> Self {
        Self::from_words(std::array::from_fn(|word| match count.saturating_sub(word * 64) {
            0 => 0,
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        }))
    }
}

impl<T: Numbered> BitSet<T> {
    /// Returns the set of one element.
    pub fn one(member: T) -> Self {
        let mut set = Self::EMPTY;
        set.insert(member);
        set
    }

    /// Returns those of the elements whose positions are bits of a code.
    pub fn coded(elements: &[T], code: usize) -> Self {
        elements.iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1).map(|(_, element)| *element).collect()
    }

    /// Adds an element. A number of [`CAPACITY`] or more, which no element of a vocabulary has, adds nothing.
    #[inline]
    pub fn insert(&mut self, member: T) {
        if let Some(word) = self.0.get_mut(usize::from(member.number()) / 64) {
            *word |= 1 << (member.number() % 64);
        }
    }

    /// Removes an element.
    #[inline]
    pub fn remove(&mut self, member: T) {
        if let Some(word) = self.0.get_mut(usize::from(member.number()) / 64) {
            *word &= !(1 << (member.number() % 64));
        }
    }

    /// Returns whether an element is in the set.
    #[inline]
    pub fn contains(&self, member: T) -> bool {
        self.0.get(usize::from(member.number()) / 64).is_some_and(|word| word >> (member.number() % 64) & 1 == 1)
    }

    /// Iterates over the elements, by number.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<T> {
        let words = self.0;
        (0..WORDS).flat_map(move |position| {
            let mut word = words[position];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    T::numbered((position * 64) as u16 + bit as u16)
                })
            })
        })
    }
}

impl<T> Default for BitSet<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: Numbered> FromIterator<T> for BitSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Self::EMPTY;
        for member in members {
            set.insert(member);
        }
        set
    }
}

impl<T: Numbered> fmt::Debug for BitSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(T::number)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ActionId;

    type Set = BitSet<ActionId>;

    #[test]
    fn sets_are_what_was_put_in() {
        let all = Set::first(70);
        assert_eq!(all.len(), 70);
        assert!(all.contains(ActionId(69)) && !all.contains(ActionId(70)));
        assert_eq!(Set::first(256).len(), 256);
        let some: Set = [ActionId(3), ActionId(65)].into_iter().collect();
        assert!(some.is_subset(&all));
        assert_eq!(some.iter().collect::<Vec<_>>(), [ActionId(3), ActionId(65)]);
        assert_eq!(all.difference(&some).len(), 68);
        assert_eq!(some.union(&all), all);
        assert_eq!(some.intersection(&Set::one(ActionId(3))), Set::one(ActionId(3)));
        let mut fewer = some;
        fewer.remove(ActionId(65));
        assert_eq!(fewer, Set::one(ActionId(3)));
        assert_eq!(format!("{some:?}"), "{3, 65}");
    }

    #[test]
    fn sets_are_stored_as_four_words() {
        let set: BitSet<PropId> = [PropId(0), PropId(64)].into_iter().collect();
        let text = serde_json::to_string(&set).unwrap();
        assert_eq!(text, "[1,1,0,0]");
        assert_eq!(serde_json::from_str::<BitSet<PropId>>(&text).unwrap(), set);
    }
}
