//! Clicks in windows, parsed from the protocol's numbers.

use super::inventory::{HOTBAR, OFFHAND};

/// The slot number of a click outside the window.
pub const OUTSIDE: i16 = -999;

/// A click in a window. Slots are numbered as in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Click {
    /// Left button: takes the stack, puts the cursor's stack down, or swaps them.
    Left(usize),
    /// Right button: takes the larger half, puts one item down, or swaps.
    Right(usize),
    /// A click outside: throws the cursor's stack, or one item of it.
    ThrowCursor {
        /// True for the whole stack.
        all: bool,
    },
    /// Shift-click: moves the stack to the window's target slots.
    Move(usize),
    /// A number key, or the off-hand key: swaps with a slot of the inventory.
    Swap {
        /// The slot under the cursor.
        slot: usize,
        /// The slot of the inventory, in the game's numbering.
        with: usize,
    },
    /// No effect: a click outside with an empty cursor, one only for creative players, a drag or a double click. The
    /// bot, mineflayer and people who watch do without the last two; clients that predict more are corrected.
    Nothing,
    /// The throw key over a slot.
    Throw {
        /// The slot under the cursor.
        slot: usize,
        /// True for the whole stack.
        all: bool,
    },
}

impl Click {
    /// The slot of the click, if any.
    pub fn slot(self) -> Option<usize> {
        match self {
            Self::Left(slot) | Self::Right(slot) | Self::Move(slot) => Some(slot),
            Self::Swap { slot, .. } | Self::Throw { slot, .. } => Some(slot),
            Self::ThrowCursor { .. } | Self::Nothing => None,
        }
    }
}

/// A click in the protocol's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawClick {
    /// The kind of click, 0 to 6.
    pub mode: u8,
    /// The button; its meaning depends on the mode.
    pub button: u8,
    /// The slot, [`OUTSIDE`] for none.
    pub slot: i16,
}

/// The reason that a click is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidClick {
    /// The mode does not exist.
    #[error("there is no click mode {0}")]
    Mode(u8),
    /// The mode has no such button.
    #[error("click mode {mode} has no button {button}")]
    Button {
        /// The mode.
        mode: u8,
        /// The button.
        button: u8,
    },
    /// The window has no such slot.
    #[error("a window of {slots} slots has no slot {slot}")]
    Slot {
        /// The requested slot.
        slot: i16,
        /// The number of slots of the window.
        slots: usize,
    },
}

impl RawClick {
    /// Parses the click in a window with this many slots.
    ///
    /// # Errors
    /// The invalid number.
    pub fn click(self, slots: usize) -> Result<Click, InvalidClick> {
        let Self { mode, button, slot } = self;
        let inside = || {
            let found = usize::try_from(slot).ok().filter(|slot| *slot < slots);
            found.ok_or(InvalidClick::Slot { slot, slots })
        };
        let bad = InvalidClick::Button { mode, button };
        Ok(match (mode, button) {
            (0 | 1, 0 | 1) if slot == OUTSIDE => Click::ThrowCursor { all: button == 0 },
            (0, 0) => Click::Left(inside()?),
            (0, 1) => Click::Right(inside()?),
            (1, 0 | 1) => Click::Move(inside()?),
            (2, with) if usize::from(with) < HOTBAR || usize::from(with) == OFFHAND => {
                Click::Swap { slot: inside()?, with: with.into() }
            }
            (4, 0 | 1) if slot == OUTSIDE => Click::Nothing,
            (4, 0 | 1) => Click::Throw { slot: inside()?, all: button == 1 },
            (3 | 5 | 6, _) => Click::Nothing,
            (0..=4, _) => return Err(bad),
            _ => return Err(InvalidClick::Mode(mode)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mode: u8, button: u8, slot: i16) -> Result<Click, InvalidClick> {
        RawClick { mode, button, slot }.click(46)
    }

    #[test]
    fn reads_the_games_numbers() {
        for (numbers, expected) in [
            ((0, 0, 45), Click::Left(45)),
            ((0, 1, 0), Click::Right(0)),
            ((0, 0, OUTSIDE), Click::ThrowCursor { all: true }),
            ((0, 1, OUTSIDE), Click::ThrowCursor { all: false }),
            ((1, 1, 3), Click::Move(3)),
            ((2, 8, 3), Click::Swap { slot: 3, with: 8 }),
            ((2, 40, 3), Click::Swap { slot: 3, with: 40 }),
            ((3, 2, 3), Click::Nothing),
            ((4, 0, 3), Click::Throw { slot: 3, all: false }),
            ((4, 1, 3), Click::Throw { slot: 3, all: true }),
            ((4, 0, OUTSIDE), Click::Nothing),
            ((5, 0, OUTSIDE), Click::Nothing),
            ((6, 0, 7), Click::Nothing),
        ] {
            assert_eq!(read(numbers.0, numbers.1, numbers.2), Ok(expected), "{numbers:?}");
        }
    }

    #[test]
    fn refuses_all_others_with_a_reason() {
        let slot = |slot| Err(InvalidClick::Slot { slot, slots: 46 });
        assert_eq!(read(0, 0, 46), slot(46));
        assert_eq!(read(0, 0, -1), slot(-1));
        assert_eq!(read(2, 0, OUTSIDE), slot(OUTSIDE));
        assert_eq!(read(2, 9, 3), Err(InvalidClick::Button { mode: 2, button: 9 }));
        assert_eq!(read(7, 0, 3), Err(InvalidClick::Mode(7)));
        assert_eq!(read(0, 2, 3).unwrap_err().to_string(), "click mode 0 has no button 2");
    }
}
