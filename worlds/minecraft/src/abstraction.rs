//! The abstraction: computes the propositions of table 3 and the hazards from the full observation, in every world.

use std::sync::LazyLock;

use ltlcrit_verifier::{PropId, PropSet};

use super::blocks::BLOCKS;
use super::fuel;
use super::items::{Item, Tag};
use super::observation::MinecraftObservation;
use super::vocabulary::vocabulary;

/// The distance within which a crafting table or furnace counts as near, in blocks from the eyes: the same 32 blocks as
/// sight, because the craft and smelt primitives walk to it. A longer walk leaves it behind.
pub const NEAR: f64 = 32.0;
/// Health at or below which `obs_low_health` holds, in half hearts.
pub const LOW_HEALTH: f64 = 6.0;
/// The distance within which lava makes `obs_lava_near` hold, in blocks.
pub const LAVA_NEAR: f64 = 4.0;

/// The definition of a proposition, as a function of the full observation.
type Predicate = fn(&MinecraftObservation) -> bool;

const MEANINGS: [(&str, Predicate); 34] = [
    ("obs_has_log", |o| carried(o, Tag::Logs) >= 1),
    ("obs_has_plank", |o| carried(o, Tag::Planks) >= 1),
    ("obs_has_2x_plank", |o| carried(o, Tag::Planks) >= 2),
    ("obs_has_3x_plank", |o| carried(o, Tag::Planks) >= 3),
    ("obs_has_4x_plank", |o| carried(o, Tag::Planks) >= 4),
    ("obs_has_11x_plank", |o| carried(o, Tag::Planks) >= 11),
    ("obs_has_2x_stick", |o| count(o, Item::Stick) >= 2),
    ("obs_has_3x_cobble", |o| carried(o, Tag::StoneMaterials) >= 3),
    ("obs_has_8x_cobble", |o| carried(o, Tag::StoneMaterials) >= 8),
    ("obs_has_11x_cobble", |o| carried(o, Tag::StoneMaterials) >= 11),
    ("obs_has_wood_pickaxe", |o| has(o, Item::WoodenPickaxe)),
    ("obs_has_stone_pickaxe", |o| has(o, Item::StonePickaxe)),
    ("obs_has_iron_pickaxe", |o| has(o, Item::IronPickaxe)),
    ("obs_has_diamond", |o| has(o, Item::Diamond)),
    ("obs_has_iron_ingot", |o| has(o, Item::IronIngot)),
    ("obs_has_3x_iron_ingot", |o| count(o, Item::IronIngot) >= 3),
    ("obs_has_1x_iron_ore", |o| carried(o, Tag::IronOres) >= 1),
    ("obs_has_2x_iron_ore", |o| carried(o, Tag::IronOres) >= 2),
    ("obs_has_3x_iron_ore", |o| carried(o, Tag::IronOres) >= 3),
    ("obs_has_crafting_table", |o| has(o, Item::CraftingTable)),
    ("obs_has_furnace", |o| has(o, Item::Furnace)),
    ("obs_has_fuel", has_fuel),
    ("obs_near_crafting_table", |o| near(o, "crafting_table")),
    ("obs_near_furnace", |o| near(o, "furnace")),
    ("obs_diamond_in_chunk", |o| in_sight(o, ["diamond_ore", "deepslate_diamond_ore"])),
    ("obs_iron_in_chunk", |o| in_sight(o, ["iron_ore", "deepslate_iron_ore"])),
    ("obs_coal_in_chunk", |o| in_sight(o, ["coal_ore", "deepslate_coal_ore"])),
    ("obs_iron_pickaxe_equipped", |o| equipped(o, Item::IronPickaxe)),
    ("obs_stone_pickaxe_equipped", |o| equipped(o, Item::StonePickaxe)),
    ("obs_wood_pickaxe_equipped", |o| equipped(o, Item::WoodenPickaxe)),
    ("obs_low_health", |o| o.health <= LOW_HEALTH),
    ("obs_lava_near", |o| o.hazards.get("lava").is_some_and(|distance| *distance <= LAVA_NEAR)),
    ("obs_head_in_water", |o| o.head_in_water),
    ("obs_log_in_chunk", |o| BLOCKS.iter().any(|block| block.is_log() && o.nearby.contains_key(block.name()))),
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

/// Returns whether one item could be smelted now with the fire in the furnace nearby and the fuel carried.
fn has_fuel(observation: &MinecraftObservation) -> bool {
    fuel::has_fuel(observation.furnace_fire, |item| count(observation, item))
}

/// The propositions that hold.
pub fn propositions(observation: &MinecraftObservation) -> PropSet {
    static COMPILED: LazyLock<Vec<(PropId, Predicate)>> = LazyLock::new(|| {
        let vocabulary = vocabulary();
        MEANINGS.iter().filter_map(|(name, meaning)| Some((vocabulary.id(name)?, *meaning))).collect()
    });
    COMPILED.iter().filter(|(_, meaning)| meaning(observation)).map(|(id, _)| *id).collect()
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::semantics;
    use proptest::prelude::*;

    use super::*;
    use crate::items::ITEMS;
    use crate::observation::{BlockPos, Sighting};

    #[test]
    fn gives_every_observation_a_meaning_in_the_vocabularys_order() {
        let vocabulary = vocabulary();
        let names: Vec<_> = MEANINGS.iter().map(|(name, _)| *name).collect();
        let expected: Vec<_> = vocabulary.observations().iter().map(|o| o.name.to_string()).collect();
        assert_eq!(names, expected);
    }

    prop_compose! {
        fn any_observation()(
            counts in prop::collection::btree_map(prop::sample::select(&ITEMS[..]), 1u32..14, 0..8),
            equipped in prop::option::of(prop::sample::select(&ITEMS[..])),
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
