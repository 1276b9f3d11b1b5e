//! Clicks in windows, parsed from the protocol's numbers.

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
    /// No effect: a click outside with the throw key, or one that the bot and mineflayer do without: shift-clicks, number
    /// keys, drags, double clicks, and those of creative players. Clients that predict more are corrected.
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
            Self::Left(slot) | Self::Right(slot) | Self::Throw { slot, .. } => Some(slot),
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

/// The reason that a click is invalid: the window has no such slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a window of {slots} slots has no slot {slot}")]
pub struct InvalidSlot {
    /// The requested slot.
    pub slot: i16,
    /// The number of slots of the window.
    pub slots: usize,
}

impl RawClick {
    /// Parses the click in a window with this many slots.
    ///
    /// # Errors
    /// The slot does not exist.
    pub fn click(self, slots: usize) -> Result<Click, InvalidSlot> {
        let Self { mode, button, slot } = self;
        let inside = || {
            let found = usize::try_from(slot).ok().filter(|slot| *slot < slots);
            found.ok_or(InvalidSlot { slot, slots })
        };
        Ok(match (mode, button) {
            (0, 0 | 1) if slot == OUTSIDE => Click::ThrowCursor { all: button == 0 },
            (0, 0) => Click::Left(inside()?),
            (0, 1) => Click::Right(inside()?),
            (4, 0 | 1) if slot != OUTSIDE => Click::Throw { slot: inside()?, all: button == 1 },
            _ => Click::Nothing,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mode: u8, button: u8, slot: i16) -> Result<Click, InvalidSlot> {
        RawClick { mode, button, slot }.click(46)
    }

    #[test]
    fn reads_the_games_numbers() {
        for (numbers, expected) in [
            ((0, 0, 45), Click::Left(45)),
            ((0, 1, 0), Click::Right(0)),
            ((0, 0, OUTSIDE), Click::ThrowCursor { all: true }),
            ((0, 1, OUTSIDE), Click::ThrowCursor { all: false }),
            ((1, 1, 3), Click::Nothing),
            ((2, 8, 3), Click::Nothing),
            ((3, 2, 3), Click::Nothing),
            ((4, 0, 3), Click::Throw { slot: 3, all: false }),
            ((4, 1, 3), Click::Throw { slot: 3, all: true }),
            ((4, 0, OUTSIDE), Click::Nothing),
            ((5, 0, OUTSIDE), Click::Nothing),
            ((6, 0, 7), Click::Nothing),
            ((7, 0, 3), Click::Nothing),
            ((0, 2, 3), Click::Nothing),
        ] {
            assert_eq!(read(numbers.0, numbers.1, numbers.2), Ok(expected), "{numbers:?}");
        }
    }

    #[test]
    fn refuses_slots_that_the_window_does_not_have() {
        let invalid = |slot| Err(InvalidSlot { slot, slots: 46 });
        assert_eq!(read(0, 0, 46), invalid(46));
        assert_eq!(read(0, 0, -1), invalid(-1));
        assert_eq!(read(4, 1, 46).unwrap_err().to_string(), "a window of 46 slots has no slot 46");
    }
}
