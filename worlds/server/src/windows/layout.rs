//! The layout of windows: the role of each slot.

use std::ops::Range;

/// A kind of window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// The player's own inventory: 0 result, 1 to 4 grid, 9 to 35 main, 36 to 44 hotbar. Armour and off hand, 5 to 8 and
    /// 45, stay empty.
    Own,
    /// A crafting table: 0 result, 1 to 9 grid, 10 to 36 main, 37 to 45 hotbar.
    Table,
    /// A furnace: 0 input, 1 fuel, 2 output, 3 to 29 main, 30 to 38 hotbar.
    Furnace,
}

/// The role of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotRole {
    /// The result of a crafting grid.
    Result,
    /// A cell of a crafting grid.
    Cell(usize),
    /// A slot of the player's inventory, in the game's numbering.
    Carried(usize),
    /// A slot of the furnace.
    Furnace(usize),
}

impl WindowKind {
    /// The number of slots.
    pub fn slots(self) -> usize {
        match self {
            Self::Own | Self::Table => 46,
            Self::Furnace => 39,
        }
    }

    /// The role of a slot; `None` for one that this world does not use.
    pub fn role(self, slot: usize) -> Option<SlotRole> {
        Some(match (self, slot) {
            (Self::Own | Self::Table, 0) => SlotRole::Result,
            (Self::Own, 1..=4) | (Self::Table, 1..=9) => SlotRole::Cell(slot - 1),
            (Self::Own, 9..=35) => SlotRole::Carried(slot),
            (Self::Own, 36..=44) => SlotRole::Carried(slot - 36),
            (Self::Table, 10..=36) => SlotRole::Carried(slot - 1),
            (Self::Table, 37..=45) => SlotRole::Carried(slot - 37),
            (Self::Furnace, 0..=2) => SlotRole::Furnace(slot),
            (Self::Furnace, 3..=29) => SlotRole::Carried(slot + 6),
            (Self::Furnace, 30..=38) => SlotRole::Carried(slot - 30),
            _ => return None,
        })
    }

    /// The slots of main inventory and hotbar, in this order in every window.
    pub fn carried(self) -> Range<usize> {
        match self {
            Self::Own => 9..45,
            Self::Table => 10..46,
            Self::Furnace => 3..39,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_slot_has_its_own_place_and_the_inventory_is_in_every_window() {
        for kind in [WindowKind::Own, WindowKind::Table, WindowKind::Furnace] {
            let places: Vec<_> = (0..kind.slots()).filter_map(|slot| kind.role(slot)).collect();
            let different: BTreeSet<_> = places.iter().map(|place| format!("{place:?}")).collect();
            assert_eq!(different.len(), places.len());
            assert_eq!(kind.role(kind.slots()), None);
            let carried: Vec<_> = kind.carried().map(|slot| kind.role(slot).unwrap()).collect();
            assert_eq!(carried, (9..36).chain(0..9).map(SlotRole::Carried).collect::<Vec<_>>());
        }
    }
}
