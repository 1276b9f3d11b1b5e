//! Counts of the items that a persona carries, as far as it knows them.

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
    pub(super) logs: u32,
    pub(super) planks: u32,
    pub(super) sticks: u32,
    pub(super) cobble: u32,
    pub(super) raw_iron: u32,
    pub(super) ingots: u32,
    pub(super) coal: u32,
    pub(super) tables: u32,
    pub(super) furnaces: u32,
    pickaxes: [u32; 3],
}

impl Inventory {
    pub(super) fn of(view: &View, knowledge: Knowledge) -> Self {
        match knowledge {
            Knowledge::Inventory => Self::counted(view),
            Knowledge::Propositions => Self::concluded(view),
        }
    }

    fn counted(view: &View) -> Self {
        let one = |name: &'static str| view.count(|item| item == name);
        Self {
            exact: true,
            logs: view.count(|item| item.ends_with("_log") || item.ends_with("_stem")),
            planks: view.count(|item| item.ends_with("_planks")),
            sticks: one("stick"),
            cobble: one("cobblestone") + one("cobbled_deepslate"),
            raw_iron: one("raw_iron") + one("iron_ore"),
            ingots: one("iron_ingot"),
            coal: one("coal") + one("charcoal"),
            tables: one("crafting_table"),
            furnaces: one("furnace"),
            pickaxes: ["wooden_pickaxe", "stone_pickaxe", "iron_pickaxe"].map(one),
        }
    }

    fn concluded(view: &View) -> Self {
        // The largest number that an observation states, from the largest down.
        let most =
            |steps: &[(u32, &str)]| steps.iter().find(|(_, fact)| view.holds(fact)).map_or(0, |(number, _)| *number);
        let one = |fact: &str| u32::from(view.holds(fact));
        Self {
            exact: false,
            logs: one("obs_has_log"),
            planks: most(&[
                (11, "obs_has_11x_plank"),
                (4, "obs_has_4x_plank"),
                (3, "obs_has_3x_plank"),
                (2, "obs_has_2x_plank"),
                (1, "obs_has_plank"),
            ]),
            sticks: most(&[(2, "obs_has_2x_stick")]),
            cobble: most(&[(11, "obs_has_11x_cobble"), (8, "obs_has_8x_cobble"), (3, "obs_has_3x_cobble")]),
            raw_iron: most(&[(3, "obs_has_3x_iron_ore"), (2, "obs_has_2x_iron_ore"), (1, "obs_has_1x_iron_ore")]),
            ingots: most(&[(3, "obs_has_3x_iron_ingot"), (1, "obs_has_iron_ingot")]),
            // No observation distinguishes coal from other fuel.
            coal: one("obs_has_fuel"),
            tables: one("obs_has_crafting_table"),
            furnaces: one("obs_has_furnace"),
            pickaxes: ["obs_has_wood_pickaxe", "obs_has_stone_pickaxe", "obs_has_iron_pickaxe"].map(one),
        }
    }

    /// Returns the known number of an item.
    pub(super) fn count(&self, item: Item) -> u32 {
        match item {
            Item::Log => self.logs,
            Item::Plank => self.planks,
            Item::Stick => self.sticks,
            Item::Cobblestone => self.cobble,
            Item::RawIron => self.raw_iron,
            Item::IronIngot => self.ingots,
            Item::Coal => self.coal,
            Item::CraftingTable => self.tables,
            Item::Furnace => self.furnaces,
            Item::WoodenPickaxe => self.pickaxes[0],
            Item::StonePickaxe => self.pickaxes[1],
            Item::IronPickaxe => self.pickaxes[2],
        }
    }
}
