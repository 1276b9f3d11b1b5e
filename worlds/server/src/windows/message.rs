//! Messages to a client about its windows, without the protocol's types.

use super::click::InvalidSlot;
use super::layout::WindowKind;
use super::stack::{Slot, Stack};

/// A message to a client. Windows are named by their id, 0 for the player's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A window opens.
    Open {
        /// Its id, 1 to 100.
        window: i32,
        /// Its kind, never the player's own.
        kind: WindowKind,
    },
    /// The server closes a window.
    Close {
        /// Its id.
        window: i32,
    },
    /// All slots of a window, and the cursor.
    Content {
        /// Its id.
        window: i32,
        /// The new state id.
        state: u32,
        /// The contents of its slots.
        slots: Vec<Slot>,
        /// The stack on the cursor.
        cursor: Slot,
    },
    /// One slot of a window.
    Slot {
        /// Its id.
        window: i32,
        /// The new state id.
        state: u32,
        /// The slot.
        slot: usize,
        /// Its contents.
        stack: Slot,
    },
    /// The stack on the cursor.
    Cursor {
        /// The new state id.
        state: u32,
        /// The stack.
        stack: Slot,
    },
    /// A property of a furnace; see [`super::furnace::Furnace::properties`].
    Property {
        /// Its id.
        window: i32,
        /// Its index.
        property: usize,
        /// Its value.
        value: u32,
    },
    /// The selected hotbar slot.
    Held {
        /// The slot, 0 to 8.
        slot: usize,
    },
}

/// The reason that a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The clicked window is not open.
    #[error("a click in window {window}, but window {open} is open")]
    NotOpen {
        /// The clicked window.
        window: i32,
        /// The window that is open.
        open: i32,
    },
    /// The click is invalid.
    #[error(transparent)]
    Click(#[from] InvalidSlot),
    /// The hotbar has no such slot.
    #[error("there is no hotbar slot {0}")]
    Hotbar(usize),
}

/// The result of a request: messages to the client, and stacks that leave the player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Messages to the client, in order.
    pub messages: Vec<Message>,
    /// Stacks that the player throws.
    pub thrown: Vec<Stack>,
    /// The reason for a refusal, for the log. The messages then correct the client.
    pub refused: Option<RequestError>,
}
