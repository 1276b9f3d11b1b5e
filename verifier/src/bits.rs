//! Bit sets of numbered elements of one kind, at most [`CAPACITY`] of them.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::{Numbered, PropId};

/// Maximum number of elements of a set.
pub const CAPACITY: usize = 256;
const WORDS: usize = CAPACITY / 64;
/// Minimum number of words of a stored set; further ones are stored up to the last that is not zero.
const STORED_WORDS: usize = 4;

/// A set of propositions or of actions of one vocabulary: bit `n % 64` of word `n / 64` stands for number `n`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitSet<T>(pub [u64; WORDS], PhantomData<T>);

/// A set of propositions of one vocabulary.
pub type PropSet = BitSet<PropId>;

impl<T> BitSet<T> {
    /// The empty set.
    pub const EMPTY: Self = Self([0; WORDS], PhantomData);

    /// Returns the set with these bits, and none in further words. Words beyond the capacity are left out.
    pub fn from_words(words: impl IntoIterator<Item = u64>) -> Self {
        let mut set = Self::EMPTY;
        set.0.iter_mut().zip(words).for_each(|(word, bits)| *word = bits);
        set
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
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]), PhantomData)
    }

    /// Returns the elements of either set.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]), PhantomData)
    }

    /// Returns the elements of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]), PhantomData)
    }

    /// Returns whether all elements of this set are in the other.
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }

    /// Returns the first `count` elements by number: with a vocabulary's number of actions, all actions.
    pub fn first(count: usize) -> Self {
        let word = |word: usize| match count.saturating_sub(word * 64) {
            0 => 0,
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        };
        Self(std::array::from_fn(word), PhantomData)
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

    /// Returns the first element whose number is not below this one.
    #[inline]
    pub fn first_from(&self, number: usize) -> Option<T> {
        let mut word = number / 64;
        let mut bits = self.0.get(word)? & (u64::MAX << (number % 64));
        while bits == 0 {
            word += 1;
            bits = *self.0.get(word)?;
        }
        Some(T::numbered((word * 64) as u16 + bits.trailing_zeros() as u16))
    }

    /// Iterates over the elements, by number.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = T> + use<T> {
        self.iter_from(0)
    }

    /// Iterates over the elements whose numbers are not below this one.
    #[inline]
    pub fn iter_from(&self, number: usize) -> impl Iterator<Item = T> + use<T> {
        let set = *self;
        std::iter::successors(set.first_from(number), move |last| set.first_from(usize::from(last.number()) + 1))
    }
}

/// Writes the words.
impl<T> Serialize for BitSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let used = self.0.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        self.0[..used.max(STORED_WORDS)].serialize(serializer)
    }
}

impl<'de, T> Deserialize<'de> for BitSet<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<u64>::deserialize(deserializer)?;
        match words.len() {
            0..=WORDS => Ok(Self::from_words(words)),
            found => Err(D::Error::custom(format!("a set of {found} words of 64 elements; it has at most {WORDS}"))),
        }
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
        assert_eq!(Set::first(CAPACITY).len(), CAPACITY);
        assert_eq!((Set::first(CAPACITY).first_from(200), Set::first(70).first_from(70)), (Some(ActionId(200)), None));
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
    fn sets_are_stored_as_words() {
        let set: BitSet<PropId> = [PropId(0), PropId(64)].into_iter().collect();
        let text = serde_json::to_string(&set).unwrap();
        assert_eq!(text, "[1,1,0,0]");
        assert_eq!(serde_json::from_str::<BitSet<PropId>>(&text).unwrap(), set);
        let error = serde_json::from_str::<BitSet<PropId>>(&format!("{:?}", [0; WORDS + 1])).unwrap_err();
        assert!(error.to_string().contains(&format!("at most {WORDS}")), "{error}");
    }
}
