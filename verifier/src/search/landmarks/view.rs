//! How one law tells world states apart.

use crate::dfa_table::Code;

/// With more world states nothing is concluded.
pub const MOST_WORLDS: usize = 64;
/// A law that tells more classes of world states apart says nothing here.
pub const MOST_CLASSES: usize = 8;
/// Nor does a law with more states ahead.
pub const MOST_STATES: usize = 32;
/// A set of classes of world states, as one law tells them apart.
pub type Classes = u8;

/// The worlds as one law tells them apart.
#[derive(Default)]
pub struct View {
    pub class: Vec<u8>,
    /// The worlds of each class. Empty: the law tells too many apart.
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

pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
