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

impl RemoteSlot {
    /// Returns whether the client displays the slot correctly.
    pub fn is(self, actual: Slot) -> bool {
        self == Self::Holds(actual)
    }
}

/// A client's prediction of its own click: the slots that it expects to have changed, and its cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Slots of the window and their predicted contents.
    pub slots: Vec<(usize, RemoteSlot)>,
    /// The predicted cursor.
    pub cursor: RemoteSlot,
}

/// The slots that a client displays in one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteSlots {
    slots: Vec<RemoteSlot>,
}

impl RemoteSlots {
    /// A window with this many empty slots.
    pub fn empty(slots: usize) -> Self {
        Self { slots: vec![RemoteSlot::Holds(None); slots] }
    }

    /// The contents of a slot.
    pub fn get(&self, slot: usize) -> RemoteSlot {
        self.slots.get(slot).copied().unwrap_or(RemoteSlot::Unknown)
    }

    /// Sets the contents of a slot. Invalid slots are ignored.
    pub fn set(&mut self, slot: usize, contents: RemoteSlot) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = contents;
        }
    }

    /// Applies a prediction.
    pub fn predict(&mut self, prediction: &Prediction) {
        prediction.slots.iter().for_each(|(slot, contents)| self.set(*slot, *contents));
    }

    /// Sets all slots, after the client was sent the whole window.
    pub(crate) fn set_all(&mut self, actual: &[Slot]) {
        self.slots = actual.iter().copied().map(RemoteSlot::Holds).collect();
    }
}
