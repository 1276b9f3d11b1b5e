//! What a client believes its slots to hold: what it was told last, and what it has predicted of its own clicks since.

use super::stack::Slot;

/// What a client believes one slot to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    /// This.
    Holds(Slot),
    /// Something that is none of our items.
    Other,
}

impl Belief {
    /// Whether it is the truth.
    pub fn is(self, truth: Slot) -> bool {
        self == Self::Holds(truth)
    }
}

/// What a client says of its own click: the slots it thinks have changed, and its cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Slots of the window and what it thinks they hold now.
    pub slots: Vec<(usize, Belief)>,
    /// What it thinks hangs on its cursor now.
    pub cursor: Belief,
}

/// A client's beliefs about one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beliefs {
    slots: Vec<Belief>,
}

impl Beliefs {
    /// Of a window of so many slots, all believed to be empty.
    pub fn empty(slots: usize) -> Self {
        Self { slots: vec![Belief::Holds(None); slots] }
    }

    /// What it believes of a slot.
    pub fn of(&self, slot: usize) -> Belief {
        self.slots.get(slot).copied().unwrap_or(Belief::Other)
    }

    /// It now believes this of a slot. Of slots that are not there it may believe what it likes.
    pub fn set(&mut self, slot: usize, belief: Belief) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = belief;
        }
    }

    /// It now believes what it claims.
    pub fn claim(&mut self, claims: &Claims) {
        claims.slots.iter().for_each(|(slot, belief)| self.set(*slot, *belief));
    }

    /// It was told everything.
    pub fn know(&mut self, truth: &[Slot]) {
        self.slots = truth.iter().copied().map(Belief::Holds).collect();
    }
}
