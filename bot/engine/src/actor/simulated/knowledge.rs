//! A persona's knowledge of the game: a player's rules of thumb on the way to a diamond, one goal at a time, and a plan for
//! any other goal. It stands for a language model's knowledge. The rules do not plan and are not optimal.

use ltlcrit_minecraft::planner::{Goal, HeldTool, Planner, State};

use super::inventory::Item::{Coal, Cobblestone, CraftingTable, Furnace, IronIngot, Log, Plank, RawIron, Stick};
use super::inventory::{Inventory, Item};
use super::prompt::View;

/// Returns the next sensible action of a player that keeps `spare` cobblestones when building a furnace.
pub(super) fn next(view: &View, inventory: &Inventory, spare_cobble: u32) -> &'static str {
    if view.goal_reached {
        return "action_stop";
    }
    if let Some(action) = view.goal.and_then(|goal| planned(view, inventory, goal)) {
        return action;
    }
    if view.holds("obs_has_iron_pickaxe") {
        return diamond(view, inventory, spare_cobble);
    }
    if view.holds("obs_has_stone_pickaxe") {
        return iron_pickaxe(view, inventory, spare_cobble);
    }
    if view.holds("obs_has_wood_pickaxe") {
        return stone_pickaxe(view, inventory);
    }
    wooden_pickaxe(view, inventory)
}

/// Returns the first action of a shortest plan to a goal, as far as the facts tell the state.
fn planned(view: &View, inventory: &Inventory, goal: Goal) -> Option<&'static str> {
    // No shortest plan needs more than 24 of anything.
    let count = |item: Item| inventory[item].min(24) as u8;
    let tools = [("obs_iron", HeldTool::Iron), ("obs_stone", HeldTool::Stone), ("obs_wood", HeldTool::Wood)];
    let in_hand = tools.into_iter().find(|(name, _)| view.holds(&format!("{name}_pickaxe_equipped")));
    let state = State {
        logs: count(Log),
        planks: count(Plank),
        sticks: count(Stick),
        cobble: count(Cobblestone),
        coal: count(Coal),
        iron_ore: count(RawIron),
        ingots: count(IronIngot),
        tables: count(CraftingTable),
        furnaces: count(Furnace),
        wooden_pickaxe: view.holds("obs_has_wood_pickaxe"),
        stone_pickaxe: view.holds("obs_has_stone_pickaxe"),
        iron_pickaxe: view.holds("obs_has_iron_pickaxe"),
        hand: in_hand.map_or(HeldTool::Other, |(_, tool)| tool),
        near_table: view.holds("obs_near_crafting_table"),
        near_furnace: view.holds("obs_near_furnace"),
        log_seen: view.holds("obs_log_in_chunk"),
        stone_seen: true,
        coal_seen: view.holds("obs_coal_in_chunk"),
        iron_seen: view.holds("obs_iron_in_chunk"),
        diamond_seen: view.holds("obs_diamond_in_chunk"),
        ..State::default()
    };
    Planner::new(goal).plan(&state)?.first().copied()
}

fn diamond(view: &View, inventory: &Inventory, spare_cobble: u32) -> &'static str {
    if inventory[Cobblestone] < spare_cobble && view.holds("obs_wood_pickaxe_equipped") {
        // A pickaxe is in the hand, so it fills up first.
        "action_mine_stone"
    } else if !view.holds("obs_iron_pickaxe_equipped") {
        "action_equip_iron_pickaxe"
    } else if view.holds("obs_diamond_in_chunk") {
        "action_mine_diamond"
    } else {
        "action_explore_diamond_down"
    }
}

fn iron_pickaxe(view: &View, inventory: &Inventory, spare_cobble: u32) -> &'static str {
    if inventory[IronIngot] >= 3 {
        return sticks(view, inventory, tables_planks(view, inventory))
            .or_else(|| table(view, inventory))
            .unwrap_or("action_craft_iron_pickaxe");
    }
    let equipped = view.holds("obs_stone_pickaxe_equipped");
    let has_furnace = inventory[Furnace] > 0 || view.holds("obs_near_furnace");
    if !has_furnace && inventory[Cobblestone] < 8 + spare_cobble {
        return if any_pickaxe(view) { "action_mine_stone" } else { "action_equip_stone_pickaxe" };
    }
    if !has_furnace {
        return table(view, inventory).unwrap_or("action_craft_furnace");
    }
    if inventory[IronIngot] + inventory[RawIron] < 3 {
        return match (equipped, view.holds("obs_iron_in_chunk")) {
            (false, _) => "action_equip_stone_pickaxe",
            (true, true) => "action_mine_iron_ore",
            (true, false) => "action_explore_general",
        };
    }
    // One coal smelts eight items, so no more is needed after the first ingot.
    if inventory[Coal] == 0 && inventory[IronIngot] == 0 && view.holds("obs_coal_in_chunk") && any_pickaxe(view) {
        return "action_mine_coal";
    }
    if !view.holds("obs_has_fuel") {
        return match (view.holds("obs_coal_in_chunk"), any_pickaxe(view)) {
            (true, true) => "action_mine_coal",
            (true, false) => "action_equip_stone_pickaxe",
            (false, _) => log(view),
        };
    }
    if !view.holds("obs_near_furnace") {
        return "action_place_furnace";
    }
    "action_smelt_iron"
}

fn stone_pickaxe(view: &View, inventory: &Inventory) -> &'static str {
    if inventory[Cobblestone] < 3 {
        return if any_pickaxe(view) { "action_mine_stone" } else { "action_equip_wood_pickaxe" };
    }
    sticks(view, inventory, tables_planks(view, inventory))
        .or_else(|| table(view, inventory))
        .unwrap_or("action_craft_stone_pickaxe")
}

fn wooden_pickaxe(view: &View, inventory: &Inventory) -> &'static str {
    let needed = 3 + tables_planks(view, inventory) + if inventory[Stick] < 2 { 2 } else { 0 };
    // Without exact counts, all logs become planks.
    let known = if inventory.exact { inventory[Plank] + 4 * inventory[Log] } else { inventory[Plank] };
    if known < needed && (inventory.exact || inventory[Log] == 0) {
        return log(view);
    }
    if inventory[Plank] < needed {
        return "action_craft_planks";
    }
    table(view, inventory).or_else(|| sticks(view, inventory, 3)).unwrap_or("action_craft_wooden_pickaxe")
}

/// Returns the next action towards a log.
fn log(view: &View) -> &'static str {
    if view.holds("obs_log_in_chunk") { "action_mine_log" } else { "action_explore_general" }
}

/// The number of planks that a crafting table still costs.
fn tables_planks(view: &View, inventory: &Inventory) -> u32 {
    if view.holds("obs_near_crafting_table") || inventory[CraftingTable] > 0 { 0 } else { 4 }
}

/// Returns the action that leads to two sticks without using the reserved planks, or `None` if there are two sticks.
fn sticks(view: &View, inventory: &Inventory, reserved: u32) -> Option<&'static str> {
    (inventory[Stick] < 2).then_some(
        if inventory[Plank] >= 2 + reserved || (inventory[Plank] >= 2 && inventory[Log] > 0) {
            "action_craft_stick"
        } else if inventory[Log] > 0 {
            "action_craft_planks"
        } else {
            log(view)
        },
    )
}

/// Returns the next action towards a crafting table within reach, or `None` if one is within reach already.
fn table(view: &View, inventory: &Inventory) -> Option<&'static str> {
    if view.holds("obs_near_crafting_table") {
        return None;
    }
    Some(if inventory[CraftingTable] > 0 {
        "action_place_crafting_table"
    } else if inventory[Plank] >= 4 {
        "action_craft_crafting_table"
    } else if inventory[Log] > 0 {
        "action_craft_planks"
    } else {
        log(view)
    })
}

/// Returns whether the player holds a pickaxe.
pub(super) fn any_pickaxe(view: &View) -> bool {
    ["obs_wood_pickaxe_equipped", "obs_stone_pickaxe_equipped", "obs_iron_pickaxe_equipped"]
        .iter()
        .any(|fact| view.holds(fact))
}
