//! Numbers of propositions and actions.

use serde::{Deserialize, Serialize};

/// Index of a proposition in a vocabulary: observations first, then actions, in the vocabulary's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PropId(pub u16);

/// Index of an action among the vocabulary's actions, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ActionId(pub u16);

/// An element with a number below [`CAPACITY`](crate::bits::CAPACITY).
pub trait Numbered: Copy {
    /// Returns the element with this number.
    fn numbered(number: u16) -> Self;
    /// Returns its number.
    fn number(self) -> u16;
}

impl Numbered for PropId {
    #[inline]
    fn numbered(number: u16) -> Self {
        Self(number)
    }

    #[inline]
    fn number(self) -> u16 {
        self.0
    }
}

impl Numbered for ActionId {
    #[inline]
    fn numbered(number: u16) -> Self {
        Self(number)
    }

    #[inline]
    fn number(self) -> u16 {
        self.0
    }
}
