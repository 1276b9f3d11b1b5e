//! Fuel: burning times, and the items that the smelt primitive burns. They define `obs_has_fuel`.

use super::items::{Item, Tag};

/// Ticks of fire that smelting one item takes.
pub const SMELT_TICKS: u32 = 200;

/// The burning time of one item in a furnace, in ticks; 0 for other items.
pub fn burn_ticks(item: Item) -> u32 {
    match item {
        Item::Coal | Item::Charcoal => 1600,
        _ if Tag::Logs.contains(item) || Tag::Planks.contains(item) => 300,
        Item::CraftingTable => 300,
        Item::WoodenPickaxe => 200,
        Item::Stick => 100,
        _ => 0,
    }
}

/// The items that the smelt primitive burns, in order. Tools, tables and sticks are worth more than their fire and are
/// never burnt. Logs go before planks, which cost one more action.
pub(crate) fn smelting_fuels() -> impl Iterator<Item = Item> {
    let wood = Tag::Logs.items().iter().chain(Tag::Planks.items()).copied();
    [Item::Coal, Item::Charcoal].into_iter().chain(wood)
}

/// Returns whether one item could be smelted now: the fire left in the furnace (ticks) and the fuels carried suffice.
pub(crate) fn has_fuel(fire: u32, count: impl Fn(Item) -> u32) -> bool {
    let carried = smelting_fuels().map(|item| u64::from(burn_ticks(item)) * u64::from(count(item))).sum::<u64>();
    u64::from(fire) + carried >= u64::from(SMELT_TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_log_is_fuel_and_a_tool_is_not() {
        let only = |wanted: Item| move |item: Item| u32::from(item == wanted);
        assert!(has_fuel(0, only(Item::BirchLog)));
        assert!(has_fuel(0, only(Item::Coal)));
        assert!(has_fuel(0, only(Item::SprucePlanks)));
        assert!(!has_fuel(0, only(Item::WoodenPickaxe)));
        assert!(!has_fuel(0, only(Item::Stick)));
        assert!(has_fuel(200, only(Item::Stick)));
        assert!(!has_fuel(199, only(Item::Stick)));
    }
}
