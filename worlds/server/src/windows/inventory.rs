//! A player's inventory in the game's numbering: hotbar, then main inventory.

use super::stack::{Slot, Stack, alike, count, some, split};

/// The number of hotbar slots, which come first.
pub const HOTBAR: usize = 9;
/// The number of slots: hotbar 0 to 8, main inventory 9 to 35.
pub const CARRIED: usize = 36;

/// A player's slots and the selected hotbar slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerInventory {
    slots: [Slot; CARRIED],
    held: usize,
}

impl Default for PlayerInventory {
    fn default() -> Self {
        Self { slots: [None; CARRIED], held: 0 }
    }
}

impl PlayerInventory {
    /// All slots, in the game's numbering.
    pub fn slots(&self) -> &[Slot; CARRIED] {
        &self.slots
    }

    /// The contents of a slot; empty for an invalid number.
    pub fn get(&self, slot: usize) -> Slot {
        self.slots.get(slot).copied().flatten()
    }

    /// Sets the contents of a slot. Returns `false` for an invalid number.
    pub fn set(&mut self, slot: usize, stack: Slot) -> bool {
        self.slots.get_mut(slot).map(|place| *place = stack).is_some()
    }

    /// The selected hotbar slot.
    pub fn held(&self) -> usize {
        self.held
    }

    /// The contents of the selected slot.
    pub fn hand(&self) -> Slot {
        self.get(self.held)
    }

    /// Selects a hotbar slot. Returns `false` for an invalid number.
    pub fn select(&mut self, slot: usize) -> bool {
        let exists = slot < HOTBAR;
        if exists {
            self.held = slot;
        }
        exists
    }

    /// Takes up to `count` items from the selected slot.
    pub(crate) fn take_from_hand(&mut self, count: u32) -> Slot {
        self.slots.get_mut(self.held).and_then(|slot| split(slot, count))
    }

    /// Wears the tool in the hand by one use. Returns whether it broke.
    pub(crate) fn wear_hand(&mut self) -> bool {
        let before = self.hand();
        self.set(self.held, before.and_then(Stack::used));
        before.is_some() && self.hand().is_none()
    }

    /// Adds a stack in the game's order: onto like stacks in the hand, then from the hotbar on; the rest into the first
    /// free slot. Returns the part that did not fit.
    pub fn add(&mut self, stack: Stack) -> Slot {
        let size = stack.item.stack_size();
        let mut left = Some(stack);
        while let Some(rest) = left
            && let Some(slot) = self.slot_with_room(rest).or_else(|| self.free_slot())
        {
            let there = count(self.get(slot));
            let moved = split(&mut left, size.saturating_sub(there));
            self.set(slot, some(rest, there + count(moved)));
        }
        left
    }

    fn slot_with_room(&self, stack: Stack) -> Option<usize> {
        let has_room = |slot: &usize| {
            self.get(*slot).is_some_and(|there| alike(there, stack) && there.count < stack.item.stack_size())
        };
        [self.held].into_iter().chain(0..CARRIED).find(has_room)
    }

    fn free_slot(&self) -> Option<usize> {
        (0..CARRIED).find(|slot| self.get(*slot).is_none())
    }

    /// Takes everything out.
    pub fn drain(&mut self) -> Vec<Stack> {
        self.slots.iter_mut().filter_map(Option::take).collect()
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::items::Item;

    use super::*;

    fn of(item: Item, count: u32) -> Stack {
        Stack { item, count, wear: 0 }
    }

    #[test]
    fn fills_the_hand_then_from_the_hotbar_on() {
        let mut inventory = PlayerInventory::default();
        inventory.select(4);
        for slot in [2, 4, 20] {
            inventory.set(slot, Some(of(Item::Dirt, 60)));
        }
        let counts = |inventory: &PlayerInventory| [4, 2, 20, 0, 1].map(|slot| count(inventory.get(slot)));
        for (added, expected) in
            [(1, [61, 60, 60, 0, 0]), (5, [64, 62, 60, 0, 0]), (7, [64, 64, 64, 1, 0]), (64, [64, 64, 64, 64, 1])]
        {
            assert_eq!(inventory.add(of(Item::Dirt, added)), None);
            assert_eq!(counts(&inventory), expected);
        }
    }

    #[test]
    fn a_full_inventory_takes_what_fits() {
        let mut inventory = PlayerInventory::default();
        for slot in 0..CARRIED {
            inventory.set(slot, Some(of(Item::Dirt, 63)));
        }
        assert_eq!(inventory.add(of(Item::Dirt, 40)), Some(of(Item::Dirt, 4)));
        assert_eq!(inventory.add(of(Item::Coal, 3)), Some(of(Item::Coal, 3)));
        assert_eq!(inventory.add(of(Item::IronPickaxe, 1)), Some(of(Item::IronPickaxe, 1)));
    }

    #[test]
    fn tools_never_stack_and_keep_their_wear() {
        let mut inventory = PlayerInventory::default();
        let worn = Stack { item: Item::WoodenPickaxe, count: 1, wear: 57 };
        inventory.add(worn);
        inventory.add(of(Item::WoodenPickaxe, 1));
        assert_eq!((inventory.get(0), inventory.get(1)), (Some(worn), Some(of(Item::WoodenPickaxe, 1))));
        assert!(!inventory.wear_hand());
        assert!(inventory.wear_hand());
        assert_eq!(inventory.hand(), None);
        assert!(!inventory.wear_hand());
        inventory.add(of(Item::Dirt, 2));
        assert!(!inventory.wear_hand());
        assert!(!inventory.select(9));
        assert_eq!(inventory.held(), 0);
    }
}
