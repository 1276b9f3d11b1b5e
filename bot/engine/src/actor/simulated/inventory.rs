//! Counts of the items that a persona carries, as far as it knows them.

use std::ops::Index;

use serde::Deserialize;

use super::prompt::View;

/// An item that habits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Item {
    Log,
    Plank,
    Stick,
    Cobblestone,
    RawIron,
    IronIngot,
    Coal,
    CraftingTable,
    Furnace,
    WoodenPickaxe,
    StonePickaxe,
    IronPickaxe,
}

/// The source of the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Knowledge {
    /// The list of items, which is exact.
    #[default]
    Inventory,
    /// The observations, which give lower bounds: 11 cobblestones are the maximum it can know of.
    Propositions,
}

/// The items a player carries, in the game's terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inventory {
    /// True if the numbers are exact; otherwise they are lower bounds.
    pub(super) exact: bool,
    /// The known number of each [`Item`].
    counts: [u32; 12],
}

impl Index<Item> for Inventory {
    type Output = u32;

    fn index(&self, item: Item) -> &u32 {
        &self.counts[item as usize]
    }
}

impl Inventory {
    pub(super) fn of(view: &View, knowledge: Knowledge) -> Self {
        match knowledge {
            Knowledge::Inventory => Self { exact: true, counts: counted(view) },
            Knowledge::Propositions => Self { exact: false, counts: concluded(view) },
        }
    }
}

/// Counts the listed items.
fn counted(view: &View) -> [u32; 12] {
    let one = |name: &str| view.count(|item| item == name);
    [
        view.count(|item| item.ends_with("_log") || item.ends_with("_stem")),
        view.count(|item| item.ends_with("_planks")),
        one("stick"),
        one("cobblestone") + one("cobbled_deepslate"),
        one("raw_iron") + one("iron_ore"),
        one("iron_ingot"),
        one("coal") + one("charcoal"),
        one("crafting_table"),
        one("furnace"),
        one("wooden_pickaxe"),
        one("stone_pickaxe"),
        one("iron_pickaxe"),
    ]
}

/// Concludes the largest number of each item that an observation states. No observation distinguishes coal from other
/// fuel.
fn concluded(view: &View) -> [u32; 12] {
    let stated: [&[(u32, &str)]; 12] = [
        &[(1, "obs_has_log")],
        &[
            (11, "obs_has_11x_plank"),
            (4, "obs_has_4x_plank"),
            (3, "obs_has_3x_plank"),
            (2, "obs_has_2x_plank"),
            (1, "obs_has_plank"),
        ],
        &[(2, "obs_has_2x_stick")],
        &[(11, "obs_has_11x_cobble"), (8, "obs_has_8x_cobble"), (3, "obs_has_3x_cobble")],
        &[(3, "obs_has_3x_iron_ore"), (2, "obs_has_2x_iron_ore"), (1, "obs_has_1x_iron_ore")],
        &[(3, "obs_has_3x_iron_ingot"), (1, "obs_has_iron_ingot")],
        &[(1, "obs_has_fuel")],
        &[(1, "obs_has_crafting_table")],
        &[(1, "obs_has_furnace")],
        &[(1, "obs_has_wood_pickaxe")],
        &[(1, "obs_has_stone_pickaxe")],
        &[(1, "obs_has_iron_pickaxe")],
    ];
    stated.map(|numbers| numbers.iter().find(|(_, fact)| view.holds(fact)).map_or(0, |(number, _)| *number))
}
