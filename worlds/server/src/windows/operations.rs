//! What a click does to what lies in the slots, as in the game: the rules alone, without clients or their beliefs.

use std::collections::BTreeSet;
use std::ops::Range;

use super::click::{Click, Drag};
use super::crafting::Grid;
use super::furnace::{Furnace, OUTPUT};
use super::inventory::{MAIN, PlayerInventory};
use super::layout::{Kind, Place};
use super::stack::{Slot, Stack, alike, count, some, split};
use ltlcrit_minecraft::fuel::burn_ticks;

/// A drag under way: what it does and the slots it has gone over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dragging {
    drag: Drag,
    slots: BTreeSet<usize>,
}

/// Everything a click in one window can reach.
#[derive(Debug)]
pub struct Reach<'a> {
    /// The kind of window.
    pub kind: Kind,
    /// What the player carries.
    pub inventory: &'a mut PlayerInventory,
    /// What hangs on the cursor.
    pub cursor: &'a mut Slot,
    /// The window's crafting grid; in a furnace's window the player's own, which it does not show.
    pub grid: &'a mut Grid,
    /// The furnace, if the window is one's.
    pub furnace: Option<&'a mut Furnace>,
    /// The drag under way.
    pub dragging: &'a mut Option<Dragging>,
    /// What has been thrown or did not fit, in order.
    pub thrown: &'a mut Vec<Stack>,
}

/// What a slot of a window holds; nothing for a number that is none.
pub fn look(kind: Kind, slot: usize, inventory: &PlayerInventory, grid: &Grid, furnace: Option<&Furnace>) -> Slot {
    match kind.place(slot)? {
        Place::Result => grid.result(),
        Place::Cell(cell) => grid.get(cell),
        Place::Carried(carried) => inventory.get(carried),
        Place::Furnace(place) => furnace?.get(place),
    }
}

impl Reach<'_> {
    /// What a slot of the window holds; nothing for a number that is none.
    fn get(&self, slot: usize) -> Slot {
        look(self.kind, slot, self.inventory, self.grid, self.furnace.as_deref())
    }

    /// Puts a stack in place of what a slot holds. A crafting result is not stored, so nothing can be put there.
    pub(super) fn set(&mut self, slot: usize, stack: Slot) {
        match self.kind.place(slot) {
            Some(Place::Cell(cell)) => self.grid.set(cell, stack),
            Some(Place::Carried(carried)) => self.inventory.set(carried, stack),
            Some(Place::Furnace(place)) => self.furnace.as_mut().is_some_and(|furnace| furnace.set(place, stack)),
            Some(Place::Result) | None => false,
        };
    }

    /// Whether a slot takes a stack. Results take nothing, fuel must burn, and nothing here is armour.
    fn takes(&self, slot: usize, stack: Stack) -> bool {
        match self.kind.place(slot) {
            Some(Place::Cell(_)) => true,
            Some(Place::Carried(carried)) => !(MAIN..MAIN + 4).contains(&carried),
            Some(Place::Furnace(super::furnace::INPUT)) => true,
            Some(Place::Furnace(super::furnace::FUEL)) => burn_ticks(stack.item) > 0,
            Some(Place::Furnace(_) | Place::Result) | None => false,
        }
    }

    /// Takes out of a slot up to `wanted` items, `room` at most. A crafting result comes as a whole or not at all, and
    /// costs its ingredients; a furnace's result comes only if there is room for all of it.
    fn take(&mut self, slot: usize, wanted: u32, room: u32) -> Slot {
        let stack = self.get(slot)?;
        match self.kind.place(slot)? {
            Place::Result if room < stack.count => None,
            Place::Result => self.grid.craft(),
            Place::Furnace(OUTPUT) if room < stack.count => None,
            _ => {
                let taken = wanted.min(room).min(stack.count);
                self.set(slot, some(stack, stack.count - taken));
                some(stack, taken)
            }
        }
    }

    /// Lays up to `wanted` items of the cursor's stack into a slot that is empty or holds the like.
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

    /// Does what a click asks for.
    pub fn click(&mut self, click: Click) {
        let under_way = self.dragging.take();
        match click {
            Click::DragStart(drag) => {
                let may = under_way.is_none() && self.cursor.is_some() && drag != Drag::Copies;
                *self.dragging = may.then(|| Dragging { drag, slots: BTreeSet::new() });
            }
            Click::DragOver(slot) => *self.dragging = under_way.and_then(|dragging| self.drag_over(dragging, slot)),
            Click::DragEnd => {
                if let Some(dragging) = under_way {
                    self.share_out(&dragging);
                }
            }
            // Any other click during a drag only ends it.
            _ if under_way.is_some() => {}
            Click::Left(slot) => self.pick(slot, false),
            Click::Right(slot) => self.pick(slot, true),
            Click::ThrowCursor { all } => {
                let thrown = split(self.cursor, if all { u32::MAX } else { 1 });
                self.thrown.extend(thrown);
            }
            Click::Move(slot) => self.quick_move(slot),
            Click::Swap { slot, with } => self.swap(slot, with),
            Click::Throw { slot, all } => self.throw(slot, all),
            Click::Collect { slot, backwards } => self.collect(slot, backwards),
            Click::Copy(_) | Click::Nothing => {}
        }
    }

    /// A left or right click on a slot.
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
            // Results go onto the like.
            (Some(there), Some(carried)) if alike(there, carried) => {
                let room = carried.item.stack_size().saturating_sub(carried.count);
                let taken = count(self.take(slot, there.count, room));
                *self.cursor = some(carried, carried.count + taken);
            }
            _ => {}
        }
    }

    /// A shift-click: again and again while the slot goes on holding the same, which empties a grid into its results.
    fn quick_move(&mut self, slot: usize) {
        let Some(stack) = self.get(slot) else { return };
        while self.get(slot).is_some_and(|there| there.item == stack.item) && self.move_once(slot) {}
    }

    /// Moves what it can of a slot; returns whether anything moved.
    fn move_once(&mut self, slot: usize) -> bool {
        let Some(stack) = self.get(slot) else { return false };
        let mut left = Some(stack);
        for (range, backwards) in self.kind.ways(slot, stack) {
            self.pour(&mut left, range, backwards);
            if left != Some(stack) {
                break;
            }
        }
        if left == Some(stack) {
            return false;
        }
        if self.kind.place(slot) == Some(Place::Result) {
            self.grid.craft();
            self.thrown.extend(left);
        } else {
            self.set(slot, left);
        }
        true
    }

    /// Pours a stack over slots: onto the like first, then into the first that is empty and takes it.
    fn pour(&mut self, left: &mut Slot, range: Range<usize>, backwards: bool) {
        let order = |range: Range<usize>| {
            let Range { start, end } = range;
            (start..end).map(move |slot| if backwards { start + end - 1 - slot } else { slot })
        };
        for slot in order(range.clone()) {
            let (Some(rest), Some(there)) = (*left, self.get(slot)) else { continue };
            if alike(there, rest) {
                let room = rest.item.stack_size().saturating_sub(there.count);
                let moved = count(split(left, room));
                self.set(slot, some(there, there.count + moved));
            }
        }
        if let Some(rest) = *left
            && let Some(free) = order(range).find(|slot| self.get(*slot).is_none() && self.takes(*slot, rest))
        {
            self.set(free, left.take());
        }
    }

    /// A number key: swaps a slot with one of the inventory, as far as the slot gives and takes.
    fn swap(&mut self, slot: usize, with: usize) {
        match (self.get(slot), self.inventory.get(with)) {
            (None, None) => {}
            (Some(there), None) => {
                let taken = self.take(slot, there.count, u32::MAX);
                self.inventory.set(with, taken);
            }
            (there, Some(carried)) => {
                if self.takes(slot, carried) {
                    self.inventory.set(with, there);
                    self.set(slot, Some(carried));
                }
            }
        }
    }

    /// The throw key. Throwing all of a crafting result throws all that can be made.
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

    /// A drag goes over a slot: it counts if it could take one and there is one for it.
    fn drag_over(&self, mut dragging: Dragging, slot: usize) -> Option<Dragging> {
        let carried = (*self.cursor)?;
        let enough = usize::try_from(carried.count).is_ok_and(|carried| carried > dragging.slots.len());
        if enough && self.can_share(slot, carried) {
            dragging.slots.insert(slot);
        }
        Some(dragging)
    }

    fn can_share(&self, slot: usize, carried: Stack) -> bool {
        self.takes(slot, carried) && self.get(slot).is_none_or(|there| alike(there, carried))
    }

    /// The end of a drag.
    fn share_out(&mut self, dragging: &Dragging) {
        let Some(carried) = *self.cursor else { return };
        let slots = u32::try_from(dragging.slots.len()).unwrap_or(u32::MAX);
        let each = match dragging.drag {
            Drag::Evenly if slots > 0 => carried.count / slots,
            Drag::Ones => 1,
            Drag::Evenly | Drag::Copies => return,
        };
        for slot in &dragging.slots {
            if self.can_share(*slot, carried) {
                self.lay(*slot, each);
            }
        }
    }

    /// A double click: collects the like of the cursor's stack, from stacks that are not full first.
    fn collect(&mut self, slot: usize, backwards: bool) {
        let Some(carried) = *self.cursor else { return };
        if self.get(slot).is_some() {
            return;
        }
        let size = carried.item.stack_size();
        let slots = self.kind.slots();
        for full_ones_too in [false, true] {
            for step in 0..slots {
                let slot = if backwards { slots - 1 - step } else { step };
                let room = size.saturating_sub(count(*self.cursor));
                let Some(there) = self.get(slot).filter(|there| room > 0 && alike(*there, carried)) else { continue };
                let is_result = self.kind.place(slot) == Some(Place::Result);
                if !is_result && (full_ones_too || there.count < size) {
                    let taken = count(self.take(slot, there.count, room));
                    *self.cursor = some(carried, count(*self.cursor) + taken);
                }
            }
        }
    }
}
