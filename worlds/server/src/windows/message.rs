//! What a client is told of its windows, without the protocol's types.

use super::layout::Kind;
use super::screen::Refusal;
use super::stack::{Slot, Stack};

/// One thing a client is told. Windows are told by their number, 0 for the player's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A window opens.
    Open {
        /// Its number, 1 to 100.
        window: i32,
        /// Its kind, never the player's own.
        kind: Kind,
    },
    /// The server closes a window.
    Close {
        /// Its number.
        window: i32,
    },
    /// Everything in a window, and the cursor.
    Content {
        /// Its number.
        window: i32,
        /// The state this is.
        state: u32,
        /// What its slots hold.
        slots: Vec<Slot>,
        /// What hangs on the cursor.
        cursor: Slot,
    },
    /// One slot of a window.
    Slot {
        /// Its number.
        window: i32,
        /// The state this is.
        state: u32,
        /// The slot.
        slot: usize,
        /// What it holds.
        stack: Slot,
    },
    /// What hangs on the cursor.
    Cursor {
        /// The state this is.
        state: u32,
        /// The stack.
        stack: Slot,
    },
    /// A number a furnace's window shows; see [`super::furnace::Furnace::properties`].
    Property {
        /// Its number.
        window: i32,
        /// Which number.
        property: usize,
        /// Its value.
        value: u32,
    },
    /// The hotbar slot the hand holds.
    Held {
        /// The slot, 0 to 8.
        slot: usize,
    },
}

/// What comes of something a player did: what to tell its client, and what falls out of its hands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What to tell the client, in order.
    pub messages: Vec<Message>,
    /// Stacks that leave the player and lie in front of it.
    pub thrown: Vec<Stack>,
    /// Why it was not done, for a log; the messages then put the client right.
    pub refused: Option<Refusal>,
}
