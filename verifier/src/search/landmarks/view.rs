//! How one law tells world states apart.

use crate::dfa_table::Code;

/// The most world states of which anything is concluded.
pub(super) const MOST_WORLDS: usize = 64;
/// The most classes of world states of a law that is looked at.
pub(super) const MOST_CLASSES: usize = 8;
/// The most states ahead of a law that is looked at.
pub(super) const MOST_STATES: usize = 32;
/// A set of classes of world states, as one law tells them apart.
pub(super) type Classes = u8;

/// The world states as one law tells them apart.
#[derive(Default)]
pub(super) struct View {
    /// The class of each world state.
    pub class: Vec<u8>,
    /// The world states of each class; empty if there are too many classes.
    pub worlds: Vec<u64>,
    /// The codes the law may read at a world of the class.
    pub codes: Vec<Vec<Code>>,
    /// All worlds but those of the largest class.
    pub apart: u64,
}

impl View {
    /// The worlds of some classes.
    pub fn all(&self, classes: Classes) -> u64 {
        bits(u64::from(classes)).fold(0, |worlds, class| worlds | self.worlds[class])
    }
}

/// The positions of the bits that are set.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
