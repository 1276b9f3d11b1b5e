//! Conservation: after any actions, the blocks missing from the world account for every item.

use std::collections::BTreeMap;

use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::inventory::Inventory;
use ltlcrit_minecraft::items::{ITEMS, Item, Tag};
use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, vocabulary};
use ltlcrit_verifier::ActionId;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// The elements of an item, chosen so that no recipe gains any: a log is worth 4 planks of 2 parts wood each, 2 planks
/// make 4 sticks of 1 part, and so on.
fn atoms_of(item: Item) -> (&'static str, u32) {
    match item {
        _ if Tag::Logs.contains(item) => ("wood", 8),
        _ if Tag::Planks.contains(item) => ("wood", 2),
        _ if Tag::StoneMaterials.contains(item) => ("stone", 1),
        Item::Stick => ("wood", 1),
        Item::CraftingTable => ("wood", 8),
        Item::WoodenPickaxe => ("wood", 8),
        Item::Furnace => ("stone", 8),
        Item::Coal | Item::Charcoal => ("coal", 1),
        Item::RawIron | Item::IronOre | Item::DeepslateIronOre | Item::IronIngot => ("iron", 1),
        Item::Diamond => ("diamond", 1),
        Item::Dirt => ("dirt", 1),
        Item::Sand | Item::Sandstone => ("sand", 1),
        Item::Gravel => ("gravel", 1),
        _ => ("", 0),
    }
}

type Atoms = BTreeMap<&'static str, i64>;

fn add(atoms: &mut Atoms, (element, count): (&'static str, u32), times: i64) {
    *atoms.entry(element).or_default() += i64::from(count) * times;
}

fn add_item(atoms: &mut Atoms, item: Item, times: i64) {
    match item {
        Item::StonePickaxe => {
            add(atoms, ("stone", 3), times);
            add(atoms, ("wood", 2), times);
        }
        Item::IronPickaxe => {
            add(atoms, ("iron", 3), times);
            add(atoms, ("wood", 2), times);
        }
        item => add(atoms, atoms_of(item), times),
    }
}

/// Adds the elements of the largest drop of a block.
fn add_block(atoms: &mut Atoms, block: Block, times: i64) {
    if let Some(drop) = block.drop() {
        add_item(atoms, drop, times);
    }
}

/// The elements carried, plus those that the world has gained, minus those that it has lost. Never positive for any
/// element.
fn balance(world: &EmbeddedWorld) -> Atoms {
    let mut atoms = Atoms::new();
    for &item in ITEMS {
        add_item(&mut atoms, item, i64::from(world.game().inventory.count(item)));
    }
    for (_, was, is) in world.game().ground.grid.changes() {
        add_block(&mut atoms, was, -1);
        add_block(&mut atoms, is, 1);
    }
    atoms
}

/// The number of items gained, without a crafting table or furnace: they are taken along from place to place, and the
/// balance shows their origin. All kinds of stone count as one, because walls use one kind and mining may replace it by
/// another.
fn gain(before: &Inventory, after: &Inventory, carried_along: &[Item]) -> u32 {
    let kind = |item: Item| if Tag::StoneMaterials.contains(item) { Item::Cobblestone } else { item };
    let mut more: BTreeMap<Item, i64> = BTreeMap::new();
    for item in ITEMS.iter().copied().filter(|item| !carried_along.contains(item)) {
        *more.entry(kind(item)).or_default() += i64::from(after.count(item)) - i64::from(before.count(item));
    }
    more.into_values().map(|more| u32::try_from(more).unwrap_or(0)).sum()
}

/// Half of the steps follow the best policy, so that runs get deep enough.
fn steps() -> impl Strategy<Value = Vec<Option<u16>>> {
    prop::collection::vec(prop::option::weighted(0.35, 0u16..20), 1..70)
}

fn conserves(world: &mut EmbeddedWorld, steps: &[Option<u16>]) -> Result<(), TestCaseError> {
    let mut policy = Policy::default();
    let mut last = None;
    for step in steps {
        let observation = world.look();
        let Some(action) = policy.next(&observation, last.as_ref()) else { break };
        let action = step.map_or(action, ActionId);
        let before = world.game().inventory.clone();
        let Ok(outcome) = world.act(action) else { break };
        let name = vocabulary().action_name(action).to_owned();
        let takes_along = name.starts_with("action_mine_") || name.starts_with("action_explore_");
        let carried_along: &[Item] = if takes_along { &[Item::CraftingTable, Item::Furnace] } else { &[] };
        let gained = gain(&before, &world.game().inventory, carried_along);
        let expected = match name.as_str() {
            _ if !outcome.succeeded() => 0,
            "action_craft_planks" | "action_craft_stick" => 4,
            _ if ["mine", "craft", "smelt"].iter().any(|kind| name.starts_with(&format!("action_{kind}_"))) => 1,
            _ => 0,
        };
        prop_assert_eq!(gained, expected, "{}: {}", name, outcome.message);
        last = Some(outcome);
    }
    for (element, excess) in balance(world) {
        prop_assert!(excess <= 0, "{excess} too much {element}");
    }
    Ok(())
}

/// Checks conservation for random steps in this many worlds of each kind.
fn any_steps_conserve(cases: u32) {
    let config = ProptestConfig { cases, max_shrink_iters: 40, failure_persistence: None, ..ProptestConfig::default() };
    for (options, seeds) in [(EmbeddedOptions::default(), 1u64..500), (EmbeddedOptions::compact(), 1..50)] {
        let checked = TestRunner::new(config.clone())
            .run(&(seeds, steps()), |(seed, steps)| conserves(&mut EmbeddedWorld::new(seed, options), &steps));
        checked.unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn nothing_comes_from_nothing() {
    any_steps_conserve(8);
}

#[test]
#[ignore = "200 worlds of each kind take a minute"]
fn nothing_comes_from_nothing_in_many_worlds() {
    any_steps_conserve(200);
}

/// At the last step, mining one cobblestone costs another that walls off water.
#[test]
fn a_wall_of_carried_stone_is_no_gain() {
    let mut steps = [None; 48];
    for (at, action) in [
        (1, 4),
        (6, 2),
        (9, 18),
        (18, 15),
        (21, 2),
        (23, 14),
        (25, 16),
        (30, 5),
        (31, 2),
        (38, 15),
        (40, 17),
        (42, 10),
        (43, 6),
        (46, 11),
    ] {
        steps[at] = Some(action);
    }
    conserves(&mut EmbeddedWorld::new(264, EmbeddedOptions::default()), &steps).unwrap();
}

/// The invariant detects an item that is added to the inventory directly.
#[test]
fn a_conjured_item_is_noticed() {
    let mut world = EmbeddedWorld::new(1, EmbeddedOptions::compact());
    assert!(balance(&world).values().all(|excess| *excess <= 0));
    world.game_mut().inventory.add(Item::Stick, 1);
    assert_eq!(balance(&world).get("wood"), Some(&1));
}
