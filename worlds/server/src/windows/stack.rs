//! Slots, and splitting of stacks.

pub use ltlcrit_minecraft::inventory::Stack;

/// A slot. A stack has at least one item and at most its stack size.
pub type Slot = Option<Stack>;

/// Returns whether two stacks can be merged: the same item with the same wear.
pub fn alike(one: Stack, other: Stack) -> bool {
    (one.item, one.wear) == (other.item, other.wear)
}

/// A stack with another count; empty for 0.
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

/// The number of items in a slot.
pub fn count(slot: Slot) -> u32 {
    slot.map_or(0, |stack| stack.count)
}
