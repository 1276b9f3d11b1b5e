//! Which window shows what where: what the number of a slot in a window stands for, and where a shift-click sends it.

use std::ops::Range;

use super::inventory::OFFHAND;
use super::stack::Stack;
use ltlcrit_minecraft::fuel::burn_ticks;
use ltlcrit_minecraft::smelting::smelted;

/// A kind of window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The player's own inventory: 0 result, 1 to 4 grid, 5 to 8 armour (head first), 9 to 35 main, 36 to 44 hotbar, 45
    /// other hand.
    Own,
    /// A crafting table: 0 result, 1 to 9 grid, 10 to 36 main, 37 to 45 hotbar.
    Table,
    /// A furnace: 0 input, 1 fuel, 2 output, 3 to 29 main, 30 to 38 hotbar.
    Furnace,
}

/// What a slot of a window stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// What a crafting grid makes.
    Result,
    /// A cell of a crafting grid.
    Cell(usize),
    /// A slot of the player's inventory, in the game's numbering.
    Carried(usize),
    /// A slot of the furnace.
    Furnace(usize),
}

/// Slots a shift-click tries, and whether from the last one on.
pub type Way = (Range<usize>, bool);

impl Kind {
    /// How many slots the window has.
    pub fn slots(self) -> usize {
        match self {
            Self::Own | Self::Table => 46,
            Self::Furnace => 39,
        }
    }

    /// What a slot stands for; `None` for a number that is none.
    pub fn place(self, slot: usize) -> Option<Place> {
        Some(match (self, slot) {
            (Self::Own | Self::Table, 0) => Place::Result,
            (Self::Own, 1..=4) | (Self::Table, 1..=9) => Place::Cell(slot - 1),
            (Self::Own, 5..=8) => Place::Carried(OFFHAND - 1 - (slot - 5)),
            (Self::Own, 9..=35) => Place::Carried(slot),
            (Self::Own, 36..=44) => Place::Carried(slot - 36),
            (Self::Own, 45) => Place::Carried(OFFHAND),
            (Self::Table, 10..=36) => Place::Carried(slot - 1),
            (Self::Table, 37..=45) => Place::Carried(slot - 37),
            (Self::Furnace, 0..=2) => Place::Furnace(slot),
            (Self::Furnace, 3..=29) => Place::Carried(slot + 6),
            (Self::Furnace, 30..=38) => Place::Carried(slot - 30),
            _ => return None,
        })
    }

    /// The slots of main inventory and hotbar; every window shows these, in this order.
    pub fn carried(self) -> Range<usize> {
        match self {
            Self::Own => 9..45,
            Self::Table => 10..46,
            Self::Furnace => 3..39,
        }
    }

    /// Where a shift-click on a slot sends its stack: ways to try one after the other until one takes any of it. The
    /// hotbar and the main inventory go to each other if the window wants nothing of them; results fill the inventory
    /// from the end.
    pub fn ways(self, slot: usize, stack: Stack) -> Vec<Way> {
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

    use super::*;
    use ltlcrit_minecraft::items::Item;

    #[test]
    fn every_slot_has_its_own_place_and_the_inventory_is_in_every_window() {
        for kind in [Kind::Own, Kind::Table, Kind::Furnace] {
            let places: Vec<_> = (0..kind.slots()).map(|slot| kind.place(slot).unwrap()).collect();
            let different: BTreeSet<_> = places.iter().map(|place| format!("{place:?}")).collect();
            assert_eq!(different.len(), places.len());
            assert_eq!(kind.place(kind.slots()), None);
            let carried: Vec<_> = kind.carried().map(|slot| kind.place(slot).unwrap()).collect();
            assert_eq!(carried, (9..36).chain(0..9).map(Place::Carried).collect::<Vec<_>>());
        }
        assert_eq!(Kind::Own.place(5), Some(Place::Carried(39)));
        assert_eq!(Kind::Own.place(8), Some(Place::Carried(36)));
        assert_eq!(Kind::Own.place(45), Some(Place::Carried(40)));
    }

    #[test]
    fn shift_clicks_go_the_games_way() {
        let ways = |kind: Kind, slot, item| kind.ways(slot, Stack { item, count: 1, wear: 0 });
        for (kind, slot, item, expected) in [
            (Kind::Own, 0, Item::Stick, vec![(9..45, true)]),
            (Kind::Own, 3, Item::Stick, vec![(9..45, false)]),
            (Kind::Own, 45, Item::Stick, vec![(9..45, false)]),
            (Kind::Own, 9, Item::Stick, vec![(36..45, false)]),
            (Kind::Own, 44, Item::Stick, vec![(9..36, false)]),
            (Kind::Table, 0, Item::Stick, vec![(10..46, true)]),
            (Kind::Table, 9, Item::Stick, vec![(10..46, false)]),
            (Kind::Table, 36, Item::Stick, vec![(1..10, false), (37..46, false)]),
            (Kind::Table, 37, Item::Stick, vec![(1..10, false), (10..37, false)]),
            (Kind::Furnace, 2, Item::IronIngot, vec![(3..39, true)]),
            (Kind::Furnace, 1, Item::Coal, vec![(3..39, false)]),
            (Kind::Furnace, 3, Item::RawIron, vec![(0..1, false)]),
            (Kind::Furnace, 38, Item::OakLog, vec![(0..1, false)]),
            (Kind::Furnace, 38, Item::OakPlanks, vec![(1..2, false)]),
            (Kind::Furnace, 29, Item::Dirt, vec![(30..39, false)]),
            (Kind::Furnace, 30, Item::Dirt, vec![(3..30, false)]),
        ] {
            assert_eq!(ways(kind, slot, item), expected, "{kind:?} {slot}");
        }
    }
}
