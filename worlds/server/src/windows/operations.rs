//! Applies clicks to the slots of a window, as in the game.

use ltlcrit_minecraft::fuel::burn_ticks;

use super::click::Click;
use super::crafting::CraftingGrid;
use super::furnace::{FUEL, Furnace, INPUT, OUTPUT};
use super::inventory::PlayerInventory;
use super::layout::{SlotRole, WindowKind};
use super::stack::{Slot, Stack, alike, count, some, split};

/// Mutable access to the state that a click in a window can change.
#[derive(Debug)]
pub struct WindowAccess<'a> {
    /// The kind of window.
    pub kind: WindowKind,
    /// The player's inventory.
    pub inventory: &'a mut PlayerInventory,
    /// The stack on the cursor.
    pub cursor: &'a mut Slot,
    /// The window's crafting grid. A furnace's window has an empty one that is not shown.
    pub grid: &'a mut CraftingGrid,
    /// The furnace, in a furnace's window.
    pub furnace: Option<&'a mut Furnace>,
    /// Stacks that were thrown or did not fit, in order.
    pub thrown: &'a mut Vec<Stack>,
}

/// The contents of a slot; empty for an invalid number.
pub fn look(
    kind: WindowKind,
    slot: usize,
    inventory: &PlayerInventory,
    grid: &CraftingGrid,
    furnace: Option<&Furnace>,
) -> Slot {
    match kind.role(slot)? {
        SlotRole::Result => grid.result(),
        SlotRole::Cell(cell) => grid.get(cell),
        SlotRole::Carried(carried) => inventory.get(carried),
        SlotRole::Furnace(place) => furnace?.get(place),
    }
}

impl WindowAccess<'_> {
    /// The contents of a slot; empty for an invalid number.
    fn get(&self, slot: usize) -> Slot {
        look(self.kind, slot, self.inventory, self.grid, self.furnace.as_deref())
    }

    /// Sets the contents of a slot. A crafting result cannot be set.
    pub(super) fn set(&mut self, slot: usize, stack: Slot) {
        match self.kind.role(slot) {
            Some(SlotRole::Cell(cell)) => self.grid.set(cell, stack),
            Some(SlotRole::Carried(carried)) => self.inventory.set(carried, stack),
            Some(SlotRole::Furnace(place)) => self.furnace.as_mut().is_some_and(|furnace| furnace.set(place, stack)),
            Some(SlotRole::Result) | None => false,
        };
    }

    /// Returns whether a slot accepts a stack. Results accept no stack, and fuel must burn.
    fn takes(&self, slot: usize, stack: Stack) -> bool {
        match self.kind.role(slot) {
            Some(SlotRole::Cell(_) | SlotRole::Carried(_) | SlotRole::Furnace(INPUT)) => true,
            Some(SlotRole::Furnace(FUEL)) => burn_ticks(stack.item) > 0,
            Some(SlotRole::Furnace(_) | SlotRole::Result) | None => false,
        }
    }

    /// Takes up to `wanted` items from a slot, at most `room`. A crafting result is taken whole and consumes its
    /// ingredients; a furnace's output is taken only if there is room for all of it.
    fn take(&mut self, slot: usize, wanted: u32, room: u32) -> Slot {
        let stack = self.get(slot)?;
        match self.kind.role(slot)? {
            SlotRole::Result if room < stack.count => None,
            SlotRole::Result => self.grid.craft(),
            SlotRole::Furnace(OUTPUT) if room < stack.count => None,
            _ => {
                let taken = wanted.min(room).min(stack.count);
                self.set(slot, some(stack, stack.count - taken));
                some(stack, taken)
            }
        }
    }

    /// Puts up to `wanted` items of the cursor into a slot that is empty or holds the same item.
    fn lay(&mut self, slot: usize, wanted: u32) {
        let Some(carried) = *self.cursor else { return };
        let there = self.get(slot);
        if !self.takes(slot, carried) || there.is_some_and(|there| !alike(there, carried)) {
            return;
        }
        let room = carried.item.stack_size().saturating_sub(count(there));
        let moved = count(split(self.cursor, wanted.min(room)));
        self.set(slot, some(carried, count(there) + moved));
    }

    /// Applies a click.
    pub fn click(&mut self, click: Click) {
        match click {
            Click::Left(slot) => self.pick(slot, false),
            Click::Right(slot) => self.pick(slot, true),
            Click::ThrowCursor { all } => {
                let thrown = split(self.cursor, if all { u32::MAX } else { 1 });
                self.thrown.extend(thrown);
            }
            Click::Throw { slot, all } => self.throw(slot, all),
            Click::Nothing => {}
        }
    }

    /// Handles a left or right click on a slot.
    fn pick(&mut self, slot: usize, right: bool) {
        match (self.get(slot), *self.cursor) {
            (None, None) => {}
            (None, Some(carried)) => self.lay(slot, if right { 1 } else { carried.count }),
            (Some(there), None) => {
                let wanted = if right { there.count.div_ceil(2) } else { there.count };
                *self.cursor = self.take(slot, wanted, u32::MAX);
            }
            (Some(there), Some(carried)) if self.takes(slot, carried) => {
                if alike(there, carried) {
                    self.lay(slot, if right { 1 } else { carried.count });
                } else {
                    self.set(slot, Some(carried));
                    *self.cursor = Some(there);
                }
            }
            // Results are added to the same item on the cursor.
            (Some(there), Some(carried)) if alike(there, carried) => {
                let room = carried.item.stack_size().saturating_sub(carried.count);
                let taken = count(self.take(slot, there.count, room));
                *self.cursor = some(carried, carried.count + taken);
            }
            _ => {}
        }
    }

    /// Handles the throw key. Throwing a whole crafting result throws all that can be crafted.
    fn throw(&mut self, slot: usize, all: bool) {
        let Some(stack) = self.get(slot).filter(|_| self.cursor.is_none()) else { return };
        loop {
            let wanted = if all { stack.count } else { 1 };
            let thrown = self.take(slot, wanted, u32::MAX);
            self.thrown.extend(thrown);
            if !all || thrown.is_none() || self.get(slot).is_none_or(|there| there.item != stack.item) {
                break;
            }
        }
    }
}
