//! Smelting: the result of each item. For burning times see [`super::fuel`].

use super::items::{Item, Tag};

/// The one item that an item becomes in a furnace; `None` if it cannot be smelted.
pub fn smelted(item: Item) -> Option<Item> {
    if Tag::IronOres.contains(item) {
        Some(Item::IronIngot)
    } else if Tag::Logs.contains(item) {
        Some(Item::Charcoal)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::items::ITEMS;

    #[test]
    fn logs_that_burn_become_charcoal() {
        assert!(Tag::Logs.items().iter().all(|log| smelted(*log) == Some(Item::Charcoal)));
    }

    #[test]
    fn iron_and_charcoal_and_nothing_else() {
        let made: Vec<_> = ITEMS
            .iter()
            .filter(|item| !item.name().ends_with("_log"))
            .filter_map(|item| Some((item.name(), smelted(*item)?.name())))
            .collect();
        assert_eq!(
            made,
            [("raw_iron", "iron_ingot"), ("iron_ore", "iron_ingot"), ("deepslate_iron_ore", "iron_ingot"),]
        );
    }
}
