//! The slots that a client displays: the last ones sent, changed by its own predictions since.

use super::stack::Slot;

/// The content that a client displays in one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoteSlot {
    /// A stack, or an empty slot.
    Holds(Slot),
    /// An item outside this world's table.
    Unknown,
}

/// A client's prediction of its own click: the slots that it expects to have changed, and its cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Slots of the window and their predicted contents.
    pub slots: Vec<(usize, RemoteSlot)>,
    /// The predicted cursor.
    pub cursor: RemoteSlot,
}

impl Prediction {
    /// Changes the slots that a client displays. Invalid slots are ignored.
    pub fn apply(&self, remote: &mut [RemoteSlot]) {
        for (slot, contents) in &self.slots {
            if let Some(place) = remote.get_mut(*slot) {
                *place = *contents;
            }
        }
    }
}
