//! What a slot holds, and how stacks are split and joined.

pub use ltlcrit_minecraft::inventory::Stack;

/// One place for a stack. A stack in it has at least one item and at most the item's stack size.
pub type Slot = Option<Stack>;

/// Whether two stacks are of the same thing, so that one could lie on the other.
pub fn alike(one: Stack, other: Stack) -> bool {
    (one.item, one.wear) == (other.item, other.wear)
}

/// As many of a stack as `count` says; nothing for 0.
pub fn some(stack: Stack, count: u32) -> Slot {
    (count > 0).then_some(Stack { count, ..stack })
}

/// Takes up to `count` items out of a slot.
pub fn split(slot: &mut Slot, count: u32) -> Slot {
    let stack = (*slot)?;
    let taken = count.min(stack.count);
    *slot = some(stack, stack.count - taken);
    some(stack, taken)
}

/// How many a slot holds.
pub fn count(slot: Slot) -> u32 {
    slot.map_or(0, |stack| stack.count)
}
