//! The layout of windows: the role of each slot, and the targets of shift-clicks.

use std::ops::Range;

use ltlcrit_minecraft::fuel::burn_ticks;
use ltlcrit_minecraft::smelting::smelted;

use super::inventory::OFFHAND;
use super::stack::Stack;

/// A kind of window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowKind {
    /// The player's own inventory: 0 result, 1 to 4 grid, 5 to 8 armour (head first), 9 to 35 main, 36 to 44 hotbar, 45
    /// off hand.
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

/// Slots that a shift-click tries, and whether in reverse order.
pub type SlotOrder = (Range<usize>, bool);

impl WindowKind {
    /// The number of slots.
    pub fn slots(self) -> usize {
        match self {
            Self::Own | Self::Table => 46,
            Self::Furnace => 39,
        }
    }

    /// The role of a slot; `None` for an invalid number.
    pub fn role(self, slot: usize) -> Option<SlotRole> {
        Some(match (self, slot) {
            (Self::Own | Self::Table, 0) => SlotRole::Result,
            (Self::Own, 1..=4) | (Self::Table, 1..=9) => SlotRole::Cell(slot - 1),
            (Self::Own, 5..=8) => SlotRole::Carried(OFFHAND - 1 - (slot - 5)),
            (Self::Own, 9..=35) => SlotRole::Carried(slot),
            (Self::Own, 36..=44) => SlotRole::Carried(slot - 36),
            (Self::Own, 45) => SlotRole::Carried(OFFHAND),
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

    /// The targets of a shift-click on a slot: ranges to try until one takes any of its stack. Hotbar and main
    /// inventory exchange stacks that the window rejects; results fill the inventory from the end.
    pub(crate) fn shift_click_targets(self, slot: usize, stack: Stack) -> Vec<SlotOrder> {
        let Range { start, end } = self.carried();
        let (main, hotbar) = (start..end - 9, end - 9..end);
        let across = if main.contains(&slot) { (hotbar, false) } else { (main, false) };
        let inventory = |backwards| vec![(start..end, backwards)];
        match self {
            Self::Own if slot == 0 => inventory(true),
            Self::Own if (start..end).contains(&slot) => vec![across],
            Self::Own => inventory(false),
            Self::Table if slot == 0 => inventory(true),
            Self::Table if slot < start => inventory(false),
            Self::Table => vec![(1..10, false), across],
            Self::Furnace if slot == 2 => inventory(true),
            Self::Furnace if slot < start => inventory(false),
            Self::Furnace if smelted(stack.item).is_some() => vec![(0..1, false)],
            Self::Furnace if burn_ticks(stack.item) > 0 => vec![(1..2, false)],
            Self::Furnace => vec![across],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ltlcrit_minecraft::items::Item;

    use super::*;

    #[test]
    fn every_slot_has_its_own_place_and_the_inventory_is_in_every_window() {
        for kind in [WindowKind::Own, WindowKind::Table, WindowKind::Furnace] {
            let places: Vec<_> = (0..kind.slots()).map(|slot| kind.role(slot).unwrap()).collect();
            let different: BTreeSet<_> = places.iter().map(|place| format!("{place:?}")).collect();
            assert_eq!(different.len(), places.len());
            assert_eq!(kind.role(kind.slots()), None);
            let carried: Vec<_> = kind.carried().map(|slot| kind.role(slot).unwrap()).collect();
            assert_eq!(carried, (9..36).chain(0..9).map(SlotRole::Carried).collect::<Vec<_>>());
        }
        assert_eq!(WindowKind::Own.role(5), Some(SlotRole::Carried(39)));
        assert_eq!(WindowKind::Own.role(8), Some(SlotRole::Carried(36)));
        assert_eq!(WindowKind::Own.role(45), Some(SlotRole::Carried(40)));
    }

    #[test]
    fn shift_clicks_go_the_games_way() {
        let ways = |kind: WindowKind, slot, item| kind.shift_click_targets(slot, Stack { item, count: 1, wear: 0 });
        for (kind, slot, item, expected) in [
            (WindowKind::Own, 0, Item::Stick, vec![(9..45, true)]),
            (WindowKind::Own, 3, Item::Stick, vec![(9..45, false)]),
            (WindowKind::Own, 45, Item::Stick, vec![(9..45, false)]),
            (WindowKind::Own, 9, Item::Stick, vec![(36..45, false)]),
            (WindowKind::Own, 44, Item::Stick, vec![(9..36, false)]),
            (WindowKind::Table, 0, Item::Stick, vec![(10..46, true)]),
            (WindowKind::Table, 9, Item::Stick, vec![(10..46, false)]),
            (WindowKind::Table, 36, Item::Stick, vec![(1..10, false), (37..46, false)]),
            (WindowKind::Table, 37, Item::Stick, vec![(1..10, false), (10..37, false)]),
            (WindowKind::Furnace, 2, Item::IronIngot, vec![(3..39, true)]),
            (WindowKind::Furnace, 1, Item::Coal, vec![(3..39, false)]),
            (WindowKind::Furnace, 3, Item::RawIron, vec![(0..1, false)]),
            (WindowKind::Furnace, 38, Item::OakLog, vec![(0..1, false)]),
            (WindowKind::Furnace, 38, Item::OakPlanks, vec![(1..2, false)]),
            (WindowKind::Furnace, 29, Item::Dirt, vec![(30..39, false)]),
            (WindowKind::Furnace, 30, Item::Dirt, vec![(3..30, false)]),
        ] {
            assert_eq!(ways(kind, slot, item), expected, "{kind:?} {slot}");
        }
    }
}
