//! The abstraction: the observations of the vocabulary as functions of the full observation, the same in every world.

use ltlcrit_verifier::{PropId, PropSet};

use super::blocks::BLOCKS;
use super::fuel;
use super::items::{Item, Tag};
use super::observation::MinecraftObservation;

/// The distance within which a crafting table or furnace counts as near, in blocks from the eyes: the same 32 blocks as
/// sight, because the craft and smelt primitives walk to it. A longer walk leaves it behind.
pub const NEAR: f64 = 32.0;
/// Health at or below which `obs_low_health` holds, in half hearts.
pub const LOW_HEALTH: f64 = 6.0;
/// The distance within which lava makes `obs_lava_near` hold, in blocks.
pub const LAVA_NEAR: f64 = 4.0;

/// The definition of a proposition, as a function of the full observation.
pub type Predicate = fn(&MinecraftObservation) -> bool;

/// The observations: name, meaning, and definition. First LTLCrit's table 3 in its order; then the hazards that it does
/// not name; then logs in sight, without which no law can express the condition under which mining a log fails (the
/// paper's own agents express it, sections 4.3 and 5.1).
pub const OBSERVATIONS: [(&str, &str, Predicate); 34] = [
    ("obs_has_log", "You carry at least 1 log", |o| carried(o, Tag::Logs) >= 1),
    ("obs_has_plank", "You carry at least 1 plank", |o| carried(o, Tag::Planks) >= 1),
    ("obs_has_2x_plank", "You carry at least 2 planks", |o| carried(o, Tag::Planks) >= 2),
    ("obs_has_3x_plank", "You carry at least 3 planks", |o| carried(o, Tag::Planks) >= 3),
    ("obs_has_4x_plank", "You carry at least 4 planks", |o| carried(o, Tag::Planks) >= 4),
    ("obs_has_11x_plank", "You carry at least 11 planks", |o| carried(o, Tag::Planks) >= 11),
    ("obs_has_2x_stick", "You carry at least 2 sticks", |o| count(o, Item::Stick) >= 2),
    ("obs_has_3x_cobble", "You carry at least 3 cobblestone", |o| carried(o, Tag::StoneMaterials) >= 3),
    ("obs_has_8x_cobble", "You carry at least 8 cobblestone", |o| carried(o, Tag::StoneMaterials) >= 8),
    ("obs_has_11x_cobble", "You carry at least 11 cobblestone", |o| carried(o, Tag::StoneMaterials) >= 11),
    ("obs_has_wood_pickaxe", "You carry a wooden pickaxe", |o| has(o, Item::WoodenPickaxe)),
    ("obs_has_stone_pickaxe", "You carry a stone pickaxe", |o| has(o, Item::StonePickaxe)),
    ("obs_has_iron_pickaxe", "You carry an iron pickaxe", |o| has(o, Item::IronPickaxe)),
    ("obs_has_diamond", "You carry at least 1 diamond", |o| has(o, Item::Diamond)),
    ("obs_has_iron_ingot", "You carry at least 1 iron ingot", |o| has(o, Item::IronIngot)),
    ("obs_has_3x_iron_ingot", "You carry at least 3 iron ingots", |o| count(o, Item::IronIngot) >= 3),
    ("obs_has_1x_iron_ore", "You carry at least 1 iron ore", |o| carried(o, Tag::IronOres) >= 1),
    ("obs_has_2x_iron_ore", "You carry at least 2 iron ore", |o| carried(o, Tag::IronOres) >= 2),
    ("obs_has_3x_iron_ore", "You carry at least 3 iron ore", |o| carried(o, Tag::IronOres) >= 3),
    ("obs_has_crafting_table", "You carry a crafting table", |o| has(o, Item::CraftingTable)),
    ("obs_has_furnace", "You carry a furnace", |o| has(o, Item::Furnace)),
    ("obs_has_fuel", "You have fuel for one item", has_fuel),
    ("obs_near_crafting_table", "A crafting table is nearby", |o| near(o, "crafting_table")),
    ("obs_near_furnace", "A furnace is nearby", |o| near(o, "furnace")),
    ("obs_diamond_in_chunk", "Diamond ore is in sight", |o| in_sight(o, ["diamond_ore", "deepslate_diamond_ore"])),
    ("obs_iron_in_chunk", "Iron ore is in sight", |o| in_sight(o, ["iron_ore", "deepslate_iron_ore"])),
    ("obs_coal_in_chunk", "Coal ore is in sight", |o| in_sight(o, ["coal_ore", "deepslate_coal_ore"])),
    ("obs_iron_pickaxe_equipped", "An iron pickaxe is in your hand", |o| equipped(o, Item::IronPickaxe)),
    ("obs_stone_pickaxe_equipped", "A stone pickaxe is in your hand", |o| equipped(o, Item::StonePickaxe)),
    ("obs_wood_pickaxe_equipped", "A wooden pickaxe is in your hand", |o| equipped(o, Item::WoodenPickaxe)),
    ("obs_low_health", "Your health is 6 or lower", |o| o.health <= LOW_HEALTH),
    ("obs_lava_near", "You see lava within 4 blocks", lava_near),
    ("obs_head_in_water", "Your head is under water", |o| o.head_in_water),
    ("obs_log_in_chunk", "A log is in sight", sees_log),
];

fn count(observation: &MinecraftObservation, item: Item) -> u32 {
    observation.inventory.get(item.name()).copied().unwrap_or(0)
}

fn carried(observation: &MinecraftObservation, tag: Tag) -> u32 {
    tag.items().iter().map(|item| count(observation, *item)).sum()
}

fn has(observation: &MinecraftObservation, item: Item) -> bool {
    count(observation, item) >= 1
}

/// An item in the hand counts only if the inventory has it.
fn equipped(observation: &MinecraftObservation, item: Item) -> bool {
    observation.equipped.as_deref() == Some(item.name()) && has(observation, item)
}

fn near(observation: &MinecraftObservation, block: &str) -> bool {
    observation.nearby.get(block).is_some_and(|seen| seen.distance <= NEAR)
}

fn in_sight<const N: usize>(observation: &MinecraftObservation, blocks: [&str; N]) -> bool {
    blocks.into_iter().any(|block| observation.nearby.contains_key(block))
}

fn sees_log(observation: &MinecraftObservation) -> bool {
    BLOCKS.iter().any(|block| block.is_log() && observation.nearby.contains_key(block.name()))
}

fn lava_near(observation: &MinecraftObservation) -> bool {
    observation.hazards.get("lava").is_some_and(|distance| *distance <= LAVA_NEAR)
}

/// Returns whether one item could be smelted now with the fire in the furnace nearby and the fuel carried.
fn has_fuel(observation: &MinecraftObservation) -> bool {
    fuel::has_fuel(observation.furnace_fire, |item| count(observation, item))
}

/// The propositions that hold.
pub fn propositions(observation: &MinecraftObservation) -> PropSet {
    let ids = (0..).map(PropId).zip(OBSERVATIONS);
    ids.filter(|(_, (.., holds))| holds(observation)).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::semantics;
    use proptest::prelude::*;

    use super::*;
    use crate::items::ITEMS;
    use crate::observation::{BlockPos, Sighting};
    use crate::vocabulary::vocabulary;

    prop_compose! {
        fn any_observation()(
            counts in prop::collection::btree_map(prop::sample::select(ITEMS), 1u32..14, 0..8),
            equipped in prop::option::of(prop::sample::select(ITEMS)),
            seen in prop::collection::btree_map(
                prop::sample::select(vec!["crafting_table", "furnace", "iron_ore", "deepslate_diamond_ore", "coal_ore"]),
                0.0f64..32.0, 0..5),
            lava in prop::option::of(0.0f64..8.0),
            health in 0u32..=20,
            head_in_water: bool,
            furnace_fire in 0u32..400,
        ) -> MinecraftObservation {
            let nearest = BlockPos::new(0, 0, 0);
            MinecraftObservation {
                position: nearest,
                biome: "plains".to_owned(),
                tick: 0,
                health: f64::from(health),
                hunger: 20.0,
                inventory: counts.into_iter().map(|(item, count)| (item.name().to_owned(), count)).collect(),
                equipped: equipped.map(|item| item.name().to_owned()),
                nearby: seen.into_iter().map(|(kind, distance)| {
                    (kind.to_owned(), Sighting { count: 1, nearest, distance })
                }).collect(),
                hazards: lava.into_iter().map(|distance| ("lava".to_owned(), distance)).collect(),
                head_in_water,
                air: 300,
                furnace_fire,
                placed: Vec::new(),
                remembered: Vec::new(),
                tools: Default::default(),
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        /// The vocabulary's axioms hold for any observation, even a contradictory one.
        #[test]
        fn satisfies_every_axiom(observation in any_observation()) {
            let vocabulary = vocabulary();
            let holds = propositions(&observation);
            let word = vec![vocabulary.names(&holds)];
            for axiom in vocabulary.axioms() {
                prop_assert!(semantics::satisfies(&axiom.formula, &word), "{axiom} fails on {word:?}");
            }
        }
    }
}
