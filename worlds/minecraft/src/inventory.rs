//! The player's 36 slots: stacks, wear, and the selected slot.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::items::{Item, Tag};

/// Slots of a player's inventory; the first nine are the hotbar.
pub const SLOTS: usize = 36;
const HOTBAR: usize = 9;

/// A stack of one item in one slot, stored as its name, count and wear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(String, u32, u32)", into = "(&str, u32, u32)")]
pub struct Stack {
    /// The item.
    pub item: Item,
    /// The number of items, at least 1.
    pub count: u32,
    /// The uses of a tool so far; 0 for other items.
    pub wear: u32,
}

impl TryFrom<(String, u32, u32)> for Stack {
    type Error = String;

    fn try_from((name, count, wear): (String, u32, u32)) -> Result<Self, String> {
        let item = Item::from_name(&name).ok_or_else(|| format!("there is no item {name}"))?;
        if !(1..=item.stack_size()).contains(&count) || wear >= item.durability().max(1) {
            return Err(format!("there is no stack of {count} {name} worn by {wear}"));
        }
        Ok(Self { item, count, wear })
    }
}

impl From<Stack> for (&str, u32, u32) {
    fn from(Stack { item, count, wear }: Stack) -> Self {
        (item.name(), count, wear)
    }
}

impl Stack {
    /// The stack after one more use; `None` if the tool breaks. Items that do not wear are returned unchanged.
    pub fn used(self) -> Option<Self> {
        match self.item.durability() {
            0 => Some(self),
            durability => Some(Self { wear: self.wear + 1, ..self }).filter(|worn| worn.wear < durability),
        }
    }
}

/// A player's slots. The hand holds the selected hotbar slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
    slots: [Option<Stack>; SLOTS],
    /// Slots with an item that has no [`Item`]; one bit each.
    foreign: u64,
    selected: usize,
}

impl Default for Inventory {
    /// An empty inventory with the last hotbar slot selected, so that the first item picked up is not in the hand.
    fn default() -> Self {
        Self { slots: [None; SLOTS], foreign: 0, selected: HOTBAR - 1 }
    }
}

/// The contents of a slot in a real player's inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// An empty slot.
    Empty,
    /// An item of this world.
    Stack(Stack),
    /// An item that has no [`Item`]: it occupies the slot and has no use here.
    Foreign,
}

impl From<[Slot; SLOTS]> for Inventory {
    /// The inventory with these slots, hotbar first; the first is selected.
    fn from(slots: [Slot; SLOTS]) -> Self {
        let foreign = (0..SLOTS).filter(|slot| slots[*slot] == Slot::Foreign).fold(0, |bits, slot| bits | 1 << slot);
        let slots = slots.map(|slot| match slot {
            Slot::Stack(stack) => Some(stack),
            Slot::Empty | Slot::Foreign => None,
        });
        Self { slots, foreign, selected: 0 }
    }
}

impl Inventory {
    /// The same inventory with another hotbar slot (0 to 8) selected.
    #[must_use]
    pub fn with_selected(self, slot: usize) -> Self {
        Self { selected: slot.min(HOTBAR - 1), ..self }
    }

    fn is_free(&self, slot: usize) -> bool {
        self.slots[slot].is_none() && self.foreign >> slot & 1 == 0
    }

    /// The slots, hotbar first; a slot with an item that has no [`Item`] is `None`.
    pub fn slots(&self) -> &[Option<Stack>; SLOTS] {
        &self.slots
    }

    /// The stack in the hand.
    pub fn hand(&self) -> Option<Stack> {
        self.slots[self.selected]
    }

    /// The selected slot.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// The number of an item.
    pub fn count(&self, item: Item) -> u32 {
        self.slots.iter().flatten().filter(|stack| stack.item == item).map(|stack| stack.count).sum()
    }

    /// The number of items of a tag.
    pub(crate) fn count_tag(&self, tag: Tag) -> u32 {
        tag.items().iter().map(|item| self.count(*item)).sum()
    }

    /// Item counts by name; only positive counts.
    pub fn counts(&self) -> BTreeMap<String, u32> {
        let mut counts = BTreeMap::new();
        for stack in self.slots.iter().flatten() {
            *counts.entry(stack.item.name().to_owned()).or_insert(0) += stack.count;
        }
        counts
    }

    /// The number of an item for which there is still room.
    pub fn room_for(&self, item: Item) -> u32 {
        let size = item.stack_size();
        self.slots
            .iter()
            .enumerate()
            .map(|(at, slot)| match slot {
                None if self.is_free(at) => size,
                Some(stack) if stack.item == item => size.saturating_sub(stack.count),
                _ => 0,
            })
            .sum()
    }

    /// Adds new items, onto stacks first, then into the first free slots; returns the number that did not fit.
    pub fn add(&mut self, item: Item, mut count: u32) -> u32 {
        let size = item.stack_size();
        for stack in self.slots.iter_mut().flatten().filter(|stack| stack.item == item) {
            let moved = count.min(size.saturating_sub(stack.count));
            stack.count += moved;
            count -= moved;
        }
        for slot in 0..SLOTS {
            if count == 0 {
                break;
            }
            if self.is_free(slot) {
                let moved = count.min(size);
                self.slots[slot] = Some(Stack { item, count: moved, wear: 0 });
                count -= moved;
            }
        }
        count
    }

    /// Takes `count` items out, or none if there are fewer. Returns whether it took them.
    pub fn take(&mut self, item: Item, count: u32) -> bool {
        if self.count(item) < count {
            return false;
        }
        let mut left = count;
        for slot in &mut self.slots {
            if let Some(stack) = slot
                && stack.item == item
                && left > 0
            {
                let moved = left.min(stack.count);
                stack.count -= moved;
                left -= moved;
                if stack.count == 0 {
                    *slot = None;
                }
            }
        }
        true
    }

    /// Brings an item into the hand, as the game does: selects its hotbar slot, or swaps it with the selected one. Of
    /// several tools it takes the least worn.
    pub fn equip(&mut self, item: Item) -> bool {
        let best = (0..SLOTS)
            .filter_map(|slot| self.slots[slot].filter(|stack| stack.item == item).map(|stack| (stack.wear, slot)))
            .min();
        let Some((_, slot)) = best else {
            return false;
        };
        if slot < HOTBAR {
            self.selected = slot;
        } else {
            self.slots.swap(slot, self.selected);
            // The equipped item has an [`Item`]; the item that it replaces in the hand may not.
            let foreign = self.foreign >> self.selected & 1;
            self.foreign &= !(1 << self.selected | 1 << slot);
            self.foreign |= foreign << slot;
        }
        true
    }

    /// The slots with a tool that wears: slot, stack, uses left.
    pub fn tools(&self) -> impl Iterator<Item = (usize, Stack, u32)> + '_ {
        self.slots.iter().enumerate().filter_map(|(slot, stack)| {
            let stack = (*stack)?;
            let durability = stack.item.durability();
            (durability > 0).then(|| (slot, stack, durability.saturating_sub(stack.wear)))
        })
    }

    /// Wears the tool in a slot by one use; returns whether it broke.
    pub fn wear(&mut self, slot: usize) -> bool {
        let Some(stack) = self.slots.get_mut(slot) else { return false };
        let before = stack.is_some();
        *stack = stack.and_then(Stack::used);
        before && stack.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_up_to_the_size_and_says_what_did_not_fit() {
        let mut inventory = Inventory::default();
        assert_eq!(inventory.add(Item::Dirt, 64 * 35 + 60), 0);
        assert_eq!(inventory.room_for(Item::Dirt), 4);
        assert_eq!(inventory.room_for(Item::Coal), 0);
        assert_eq!(inventory.add(Item::Dirt, 6), 2);
        assert!(!inventory.take(Item::Dirt, 64 * 36 + 1));
        assert!(inventory.take(Item::Dirt, 65));
        assert_eq!(inventory.room_for(Item::Coal), 64);
        assert_eq!(inventory.room_for(Item::IronPickaxe), 1);
    }

    #[test]
    fn an_unknown_item_occupies_its_slot() {
        let mut slots = [Slot::Foreign; SLOTS];
        slots[3] = Slot::Stack(Stack { item: Item::Coal, count: 60, wear: 0 });
        slots[20] = Slot::Stack(Stack { item: Item::StonePickaxe, count: 1, wear: 5 });
        slots[35] = Slot::Empty;
        let mut inventory = Inventory::from(slots).with_selected(7);
        assert_eq!(inventory.room_for(Item::Coal), 4 + 64);
        assert_eq!(inventory.hand(), None);
        assert!(inventory.equip(Item::StonePickaxe));
        assert_eq!((inventory.selected(), inventory.hand().map(|stack| stack.wear)), (7, Some(5)));
        assert_eq!(inventory.add(Item::Coal, 100), 100 - 68, "the hand's foreign item went to slot 20");
        assert_eq!(inventory.slots()[35].map(|stack| stack.count), Some(64));
        assert_eq!(inventory.slots()[20], None);
    }

    #[test]
    fn equips_the_least_worn_and_wears_it_out() {
        let mut inventory = Inventory::default();
        inventory.add(Item::WoodenPickaxe, 2);
        assert_eq!(inventory.hand(), None);
        assert!(!inventory.equip(Item::IronPickaxe));
        assert!(inventory.equip(Item::WoodenPickaxe));
        let slot = inventory.selected();
        assert!((1..59).all(|_| !inventory.wear(slot)));
        assert!(inventory.wear(slot));
        assert_eq!(inventory.count(Item::WoodenPickaxe), 1);
        assert_eq!(inventory.hand(), None);
        assert!(inventory.equip(Item::WoodenPickaxe));
    }
}
