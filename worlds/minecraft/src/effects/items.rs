//! Bounds on the inventory after an action: a minimum and a maximum for each item.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_worlds::Change;

use super::setting::Setting;
use crate::blocks::{BLOCKS, Block};
use crate::fuel::smelting_fuels;
use crate::items::{Item, Tag};
use crate::memory::PLACEABLE;
use crate::observation::MinecraftObservation;
use crate::primitives::{Primitive, Resource, is_missed};
use crate::recipes::Recipe;
use crate::region::Region;

type Counts = BTreeMap<String, u32>;

/// The minimum and the maximum of each item. Items of one tag are interchangeable in observations.
pub(super) struct Outcomes {
    pub least: Counts,
    pub most: Counts,
}

/// The items carried after a primitive.
pub(super) fn outcomes(observation: &MinecraftObservation, primitive: Primitive, setting: Setting) -> Outcomes {
    let (mut least, mut most) = (observation.inventory.clone(), observation.inventory.clone());
    let hand = observation.equipped.as_deref().and_then(Item::from_name);
    if digs(primitive) {
        // Walls against water and lava use them up.
        Tag::StoneMaterials.items().iter().for_each(|item| take(&mut least, *item, u32::MAX));
        // The tool may break.
        hand.into_iter().filter(|item| item.durability() > 0).for_each(|item| take(&mut least, item, 1));
    }
    let region = Region::after(observation, primitive);
    let may_pass = |block: &Block| {
        let mut placed = observation.placed.iter().filter(|placed| placed.block == block.name());
        observation.nearby.contains_key(block.name()) || placed.any(|placed| region.reaches(placed.position))
    };
    match primitive {
        Primitive::Mine(resource) => {
            let drop = BLOCKS.into_iter().filter(|block| resource.is(*block)).find_map(|block| block.drop_for(hand));
            if drop.is_some() && resource != Resource::Log {
                take_along(hand, &least, &mut most, &may_pass);
            }
            drop.into_iter().for_each(|item| add(&mut most, item, 1));
        }
        Primitive::Craft(item) => {
            if let Some(recipe) = recipe(item, &observation.inventory) {
                for (ingredient, mut needed) in recipe.ingredients() {
                    for item in ingredient.items() {
                        let taken = needed.min(count(&observation.inventory, *item));
                        take(&mut least, *item, taken);
                        needed -= taken;
                    }
                }
                add(&mut most, recipe.result, recipe.count);
            }
        }
        Primitive::SmeltIron => {
            let ore = Tag::IronOres.items().iter().copied().find(|ore| count(&least, *ore) > 0);
            let fuel = smelting_fuels().find(|fuel| count(&least, *fuel) > 0);
            [ore, fuel].into_iter().flatten().for_each(|item| take(&mut least, item, 1));
            if setting == Setting::Server {
                // The contents that an earlier smelting left in the furnace are taken out first.
                let left = [Item::RawIron, Item::IronIngot, Item::Coal, Item::OakLog, Item::OakPlanks];
                left.into_iter().for_each(|item| add(&mut most, item, 1));
                add(&mut most, Item::IronIngot, 1);
            } else if ore.is_some() {
                add(&mut most, Item::IronIngot, 1);
            }
        }
        Primitive::Place(item) => take(&mut least, item, 1),
        Primitive::ExploreDown => take_along(hand, &least, &mut most, &may_pass),
        // It digs down elsewhere, where tables and furnaces may be near.
        Primitive::ExploreGeneral => take_along(hand, &least, &mut most, &|_| true),
        Primitive::Equip(_) => {}
    }
    if setting == Setting::Server {
        // A player that dies starts again with an empty inventory.
        least.clear();
    }
    Outcomes { least, most }
}

/// The changes of the inventory that an action may make. The items of one tag form one change, because [`outcomes`]
/// does not distinguish them.
pub(super) fn changes(observation: &MinecraftObservation, primitive: Primitive, setting: Setting) -> Vec<Change> {
    let Outcomes { mut least, most } = outcomes(observation, primitive, setting);
    if digs(primitive) {
        // Walls can be built of dirt besides stone.
        take(&mut least, Item::Dirt, u32::MAX);
    }
    let now = &observation.inventory;
    let mut changes: Vec<Change> = Vec::new();
    let names: BTreeSet<&String> = now.keys().chain(most.keys()).collect();
    for name in names {
        let of = |counts: &Counts| counts.get(name).copied().unwrap_or(0);
        let (falls, rises) = (of(now).saturating_sub(of(&least)), of(&most).saturating_sub(of(now)));
        if falls == 0 && rises == 0 {
            continue;
        }
        let (falls, rises) = (f64::from(falls), f64::from(rises));
        match changes.iter_mut().find(|change| change.names.contains(name)) {
            Some(change) => {
                change.falls += falls;
                change.rises += rises;
            }
            None => changes.push(Change { names: alike(name), falls, rises }),
        }
    }
    if primitive == Primitive::Mine(Resource::Stone) {
        // Stone that goes into walls is made up for, perhaps by another kind.
        let stone = |change: &&mut Change| change.names.iter().any(|name| name == Item::Cobblestone.name());
        changes.iter_mut().filter(stone).for_each(|change| change.rises += change.falls);
    }
    changes
}

/// The names of all items of its tag, or its own name.
fn alike(name: &str) -> Vec<String> {
    let tags = [Tag::Logs, Tag::Planks, Tag::StoneMaterials, Tag::IronOres];
    let tag = Item::from_name(name).and_then(|item| tags.into_iter().find(|tag| tag.contains(item)));
    match tag {
        Some(tag) => tag.items().iter().map(|item| item.name().to_owned()).collect(),
        None => vec![name.to_owned()],
    }
}

/// Returns whether the player may walk during a primitive, and so dig and wall off.
pub(super) fn digs(primitive: Primitive) -> bool {
    match primitive {
        Primitive::Equip(_) => false,
        Primitive::Craft(item) => Recipe::making(item).any(Recipe::needs_table),
        Primitive::Mine(_)
        | Primitive::SmeltIron
        | Primitive::Place(_)
        | Primitive::ExploreGeneral
        | Primitive::ExploreDown => true,
    }
}

/// Adds the crafting table and the furnace that the player may take along, among those that may be near.
fn take_along(hand: Option<Item>, least: &Counts, most: &mut Counts, may_be_near: &dyn Fn(&Block) -> bool) {
    for block in PLACEABLE.into_iter().filter(may_be_near) {
        let missed = |item: &Item| is_missed(*item, |item| count(least, item));
        block.drop_for(hand).filter(missed).into_iter().for_each(|item| add(most, item, 1));
    }
}

/// The recipe that would be crafted; for planks, the recipe of the carried wood.
fn recipe(item: Item, carried: &Counts) -> Option<&'static Recipe> {
    let wanted = if Tag::Planks.contains(item) { Tag::Planks.items().to_vec() } else { vec![item] };
    let is_ready = |recipe: &&Recipe| {
        recipe.ingredients().all(|(ingredient, needed)| {
            ingredient.items().iter().map(|item| count(carried, *item)).sum::<u32>() >= needed
        })
    };
    wanted.into_iter().flat_map(Recipe::making).find(is_ready)
}

fn count(counts: &Counts, item: Item) -> u32 {
    counts.get(item.name()).copied().unwrap_or(0)
}

fn add(counts: &mut Counts, item: Item, number: u32) {
    *counts.entry(item.name().to_owned()).or_default() += number;
}

fn take(counts: &mut Counts, item: Item, number: u32) {
    if let Some(left) = counts.get_mut(item.name()) {
        *left = left.saturating_sub(number);
    }
}
