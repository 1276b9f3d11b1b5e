//! The slots and cursor that a window should have after some clicks, to compare with the server's.
//!
//! Only the clicks that the primitives use are modelled: left and right on ordinary slots, left on a result, and
//! throwing.

use azalea::inventory::ItemStack;
use azalea::inventory::item::MaxStackSizeExt;

/// The expected slots and cursor of a window.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpectedWindow {
    /// The window's slots.
    pub slots: Vec<ItemStack>,
    /// The stack on the cursor.
    pub cursor: ItemStack,
}

/// Returns whether two stacks can be merged.
pub(super) fn alike(a: &ItemStack, b: &ItemStack) -> bool {
    match (a.as_present(), b.as_present()) {
        (Some(a), Some(b)) => a.is_same_item_and_components(b),
        _ => false,
    }
}

/// The stack with another count; empty if the count is 0.
fn resized(stack: &ItemStack, count: i32) -> ItemStack {
    let mut stack = stack.clone();
    if let ItemStack::Present(data) = &mut stack {
        data.count = count;
    }
    stack.update_empty();
    stack
}

/// The maximum count of this item in one slot.
fn size(stack: &ItemStack) -> i32 {
    stack.kind().max_stack_size()
}

impl ExpectedWindow {
    /// A left click: takes everything, puts everything down, or swaps.
    pub(crate) fn left_click(&mut self, slot: usize) {
        let Some(kept) = self.slots.get_mut(slot) else { return };
        if alike(kept, &self.cursor) {
            let moved = self.cursor.count().min(size(kept) - kept.count()).max(0);
            *kept = resized(kept, kept.count() + moved);
            self.cursor = resized(&self.cursor, self.cursor.count() - moved);
        } else {
            std::mem::swap(kept, &mut self.cursor);
        }
    }

    /// A right click with a stack on the cursor: puts one item down.
    pub(crate) fn right_click(&mut self, slot: usize) {
        let Some(kept) = self.slots.get_mut(slot) else { return };
        if self.cursor.is_empty()
            || kept.is_present() && !alike(kept, &self.cursor)
            || kept.count() >= size(&self.cursor)
        {
            return;
        }
        *kept = resized(&self.cursor, kept.count() + 1);
        self.cursor = resized(&self.cursor, self.cursor.count() - 1);
    }

    /// A left click on the result of a crafting grid: takes the result and removes one item from every grid slot.
    pub(crate) fn take_result(&mut self, result: usize, grid: std::ops::RangeInclusive<usize>) {
        let Some(made) = self.slots.get_mut(result) else { return };
        let made = std::mem::take(made);
        self.cursor =
            if alike(&made, &self.cursor) { resized(&made, made.count() + self.cursor.count()) } else { made };
        for slot in grid {
            if let Some(kept) = self.slots.get_mut(slot) {
                *kept = resized(kept, kept.count() - 1);
            }
        }
    }

    /// Throws away one item of a slot, or all of them.
    pub fn throw(&mut self, slot: usize, all: bool) {
        if let Some(kept) = self.slots.get_mut(slot) {
            *kept = resized(kept, if all { 0 } else { kept.count() - 1 });
        }
    }

    /// The target slot of a stack: one with the same item and room for the whole stack, otherwise the first free one.
    pub fn room_for(&self, stack: &ItemStack, slots: impl Iterator<Item = usize> + Clone) -> Option<usize> {
        let holds = |slot: &usize| self.slots.get(*slot);
        let onto = slots.clone().find(|slot| {
            holds(slot).is_some_and(|kept| alike(kept, stack) && kept.count() + stack.count() <= size(stack))
        });
        onto.or_else(|| slots.clone().find(|slot| holds(slot).is_some_and(ItemStack::is_empty)))
    }

    /// Returns whether the server's cursor and the given slots of its window are as expected.
    pub fn agrees(&self, slots: &[ItemStack], cursor: &ItemStack, mut these: impl Iterator<Item = usize>) -> bool {
        let same = |a: &ItemStack, b: &ItemStack| a.is_empty() && b.is_empty() || alike(a, b) && a.count() == b.count();
        let agree = |slot: usize| slots.get(slot).zip(self.slots.get(slot)).is_some_and(|(a, b)| same(a, b));
        slots.len() == self.slots.len() && same(cursor, &self.cursor) && these.all(agree)
    }
}

#[cfg(test)]
mod tests {
    use azalea::registry::builtin::ItemKind;
    use proptest::prelude::*;

    use super::*;

    fn window(slots: &[(ItemKind, i32)]) -> ExpectedWindow {
        let slots = slots.iter().map(|(kind, count)| ItemStack::new(*kind, *count)).collect();
        ExpectedWindow { slots, cursor: ItemStack::Empty }
    }

    fn counts(window: &ExpectedWindow) -> Vec<i32> {
        window.slots.iter().map(ItemStack::count).collect()
    }

    #[test]
    fn lays_out_a_recipe_and_takes_what_comes_of_it() {
        let mut window =
            window(&[(ItemKind::Air, 0), (ItemKind::Air, 0), (ItemKind::Air, 0), (ItemKind::OakPlanks, 7)]);
        window.left_click(3);
        window.right_click(1);
        window.right_click(2);
        window.left_click(3);
        assert_eq!((counts(&window), window.cursor.count()), (vec![0, 1, 1, 5], 0));
        window.slots[0] = ItemStack::new(ItemKind::Stick, 4);
        window.take_result(0, 1..=2);
        assert_eq!((counts(&window), window.cursor.count()), (vec![0, 0, 0, 5], 4));
        assert_eq!(window.room_for(&window.cursor, 1..4), Some(1));
    }

    #[test]
    fn finds_room_onto_its_kind_first() {
        let window = window(&[(ItemKind::Air, 0), (ItemKind::Stick, 61), (ItemKind::Stick, 60), (ItemKind::Dirt, 1)]);
        let sticks = ItemStack::new(ItemKind::Stick, 4);
        assert_eq!(window.room_for(&sticks, 0..4), Some(2));
        assert_eq!(window.room_for(&ItemStack::new(ItemKind::IronPickaxe, 1), 0..4), Some(0));
        assert_eq!(window.room_for(&ItemStack::new(ItemKind::IronPickaxe, 1), 1..4), None);
    }

    proptest! {
        /// Clicks conserve the number of items, and no stack grows beyond its maximum count.
        #[test]
        fn clicks_conserve(
            slots in prop::collection::vec((prop::sample::select(vec![ItemKind::Dirt, ItemKind::Stick, ItemKind::IronPickaxe]), 0..=64i32), 1..6),
            clicks in prop::collection::vec((any::<bool>(), 0..7usize), 0..30),
        ) {
            let slots: Vec<_> = slots.into_iter().map(|(kind, count)| (kind, count.min(kind.max_stack_size()))).collect();
            let mut window = window(&slots);
            let total = |window: &ExpectedWindow| {
                let mut of = std::collections::BTreeMap::new();
                for stack in window.slots.iter().chain([&window.cursor]).filter(|stack| stack.is_present()) {
                    *of.entry(stack.kind().to_str()).or_insert(0) += stack.count();
                }
                of
            };
            let before = total(&window);
            for (left, slot) in clicks {
                if left { window.left_click(slot) } else { window.right_click(slot) }
                prop_assert_eq!(&total(&window), &before);
                prop_assert!(window.slots.iter().all(|stack| stack.count() <= size(stack)));
            }
        }
    }
}
