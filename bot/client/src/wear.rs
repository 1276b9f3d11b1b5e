//! Tool wear that the server has not confirmed yet.
//!
//! The server sends a broken block at once, but the wear of the tool only at the end of its tick. A player that chose
//! the next tool only by confirmed wear could break a tool that it wanted to spare.

use ltlcrit_minecraft::inventory::Stack;
use ltlcrit_minecraft::items::Item;

/// The time limit for the server to confirm a use, in ticks. A use not confirmed by then did not wear the tool.
const CONFIRMED_WITHIN: u64 = 20;

/// The tool uses that the server may not have confirmed yet.
#[derive(Debug, Default)]
pub(super) struct ToolUses {
    made: Vec<(ToolUse, u64)>,
    /// The number of changes.
    changes: u64,
}

/// A use of the tool in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToolUse {
    slot: usize,
    item: Item,
    /// The wear that confirms it.
    wear: u32,
}

impl ToolUses {
    /// The next use of a slot's item, given the stack that the server sent; `None` for an item without wear.
    pub fn next(&self, slot: usize, told: Stack, tick: u64) -> Option<ToolUse> {
        let wear = told.wear + self.unconfirmed(slot, told, tick) + 1;
        (told.item.durability() > 0).then_some(ToolUse { slot, item: told.item, wear })
    }

    /// Records a use.
    pub fn note(&mut self, made: ToolUse, tick: u64) {
        self.made.push((made, tick));
        self.changes += 1;
    }

    /// The number of uses of a slot's item that the server has not confirmed.
    pub fn unconfirmed(&self, slot: usize, told: Stack, tick: u64) -> u32 {
        let recent = self.made.iter().filter(|(_, made)| tick <= made + CONFIRMED_WITHIN).map(|(each, _)| each);
        recent.filter(|each| each.slot == slot && each.item == told.item && each.wear > told.wear).count() as u32
    }

    /// Removes uses older than the limit. Returns a number that differs after every change.
    pub fn refresh(&mut self, tick: u64) -> u64 {
        let before = self.made.len();
        self.made.retain(|(_, made)| tick <= made + CONFIRMED_WITHIN);
        self.changes += u64::from(self.made.len() < before);
        self.changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pickaxe(wear: u32) -> Stack {
        Stack { item: Item::WoodenPickaxe, count: 1, wear }
    }

    #[test]
    fn counts_unconfirmed_uses() {
        let mut uses = ToolUses::default();
        for tick in [100, 104] {
            uses.note(uses.next(3, pickaxe(10), tick).unwrap(), tick);
        }
        assert_eq!(uses.unconfirmed(3, pickaxe(10), 105), 2);
        assert_eq!(uses.unconfirmed(3, pickaxe(11), 105), 1, "the server has told of the first");
        assert_eq!(uses.unconfirmed(3, pickaxe(12), 105), 0);
        assert_eq!(uses.unconfirmed(4, pickaxe(10), 105), 0, "another slot");
        assert_eq!(uses.unconfirmed(3, Stack { item: Item::StonePickaxe, ..pickaxe(0) }, 105), 0, "another tool");
        assert!(uses.next(3, Stack { item: Item::Dirt, ..pickaxe(0) }, 105).is_none());
    }

    /// A use that the server confirms before it is recorded counts once.
    #[test]
    fn counts_nothing_twice() {
        let mut uses = ToolUses::default();
        let made = uses.next(0, pickaxe(10), 100).unwrap();
        uses.note(made, 105);
        assert_eq!(uses.unconfirmed(0, pickaxe(11), 105), 0);
    }

    /// A cache sees every change, even if as many uses are added as removed.
    #[test]
    fn shows_every_change() {
        let mut uses = ToolUses::default();
        uses.note(uses.next(0, pickaxe(5), 0).unwrap(), 0);
        let before = uses.refresh(CONFIRMED_WITHIN);
        assert_eq!(uses.refresh(CONFIRMED_WITHIN), before);
        uses.note(uses.next(0, pickaxe(5), CONFIRMED_WITHIN + 1).unwrap(), CONFIRMED_WITHIN + 1);
        assert_ne!(uses.refresh(CONFIRMED_WITHIN + 1), before);
    }

    /// Some tools do not wear with every use, so old uses are not counted forever.
    #[test]
    fn forgets_uses_that_are_never_confirmed() {
        let mut uses = ToolUses::default();
        for tick in (0..2000).step_by(10) {
            uses.note(uses.next(0, pickaxe(5), tick).unwrap(), tick);
            assert!(uses.unconfirmed(0, pickaxe(5), tick) <= 3);
        }
        assert_eq!(uses.unconfirmed(0, pickaxe(5), 1990 + CONFIRMED_WITHIN + 1), 0);
        uses.refresh(1990 + CONFIRMED_WITHIN + 1);
        assert!(uses.made.is_empty());
    }
}
