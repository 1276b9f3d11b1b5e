//! A persona's knowledge of the game: the way to a diamond as any player would tell it, one goal at a time. It stands for
//! a language model's knowledge; it plans nothing and is not optimal.

use super::prompt::View;

/// The items a player carries, in the game's terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goods {
    pub(super) logs: u32,
    pub(super) planks: u32,
    pub(super) sticks: u32,
    pub(super) cobble: u32,
    pub(super) raw_iron: u32,
    pub(super) ingots: u32,
    pub(super) coal: u32,
    pub(super) tables: u32,
    pub(super) furnaces: u32,
}

impl Goods {
    pub(super) fn of(view: &View) -> Self {
        let one = |name: &'static str| view.count(|item| item == name);
        Self {
            logs: view.count(|item| item.ends_with("_log") || item.ends_with("_stem")),
            planks: view.count(|item| item.ends_with("_planks")),
            sticks: one("stick"),
            cobble: one("cobblestone") + one("cobbled_deepslate"),
            raw_iron: one("raw_iron") + one("iron_ore"),
            ingots: one("iron_ingot"),
            coal: one("coal") + one("charcoal"),
            tables: one("crafting_table"),
            furnaces: one("furnace"),
        }
    }
}

/// The next sensible action of a player that keeps `spare` cobblestones when building a furnace.
pub(super) fn next(view: &View, spare_cobble: u32) -> &'static str {
    if view.goal_reached {
        return "action_stop";
    }
    let goods = Goods::of(view);
    if view.holds("obs_has_iron_pickaxe") {
        return diamond(view, &goods, spare_cobble);
    }
    if view.holds("obs_has_stone_pickaxe") {
        return iron_pickaxe(view, &goods, spare_cobble);
    }
    if view.holds("obs_has_wood_pickaxe") {
        return stone_pickaxe(view, &goods);
    }
    wooden_pickaxe(view, &goods)
}

fn diamond(view: &View, goods: &Goods, spare_cobble: u32) -> &'static str {
    if goods.cobble < spare_cobble && view.holds("obs_wood_pickaxe_equipped") {
        // With that in the hand it may as well fill up.
        "action_mine_stone"
    } else if !view.holds("obs_iron_pickaxe_equipped") {
        "action_equip_iron_pickaxe"
    } else if view.holds("obs_diamond_in_chunk") {
        "action_mine_diamond"
    } else {
        "action_explore_diamond_down"
    }
}

fn iron_pickaxe(view: &View, goods: &Goods, spare_cobble: u32) -> &'static str {
    if goods.ingots >= 3 {
        return sticks(goods, tables_planks(view, goods))
            .or_else(|| table(view, goods))
            .unwrap_or("action_craft_iron_pickaxe");
    }
    let equipped = view.holds("obs_stone_pickaxe_equipped");
    let has_furnace = goods.furnaces > 0 || view.holds("obs_near_furnace");
    if !has_furnace && goods.cobble < 8 + spare_cobble {
        return if any_pickaxe(view) { "action_mine_stone" } else { "action_equip_stone_pickaxe" };
    }
    if !has_furnace {
        return table(view, goods).unwrap_or("action_craft_furnace");
    }
    if goods.ingots + goods.raw_iron < 3 {
        return match (equipped, view.holds("obs_iron_in_chunk")) {
            (false, _) => "action_equip_stone_pickaxe",
            (true, true) => "action_mine_iron_ore",
            (true, false) => "action_explore_general",
        };
    }
    // One coal smelts eight, so after the first ingot no more is needed.
    if goods.coal == 0 && goods.ingots == 0 && view.holds("obs_coal_in_chunk") && any_pickaxe(view) {
        return "action_mine_coal";
    }
    if !view.holds("obs_has_fuel") {
        return match (view.holds("obs_coal_in_chunk"), any_pickaxe(view)) {
            (true, true) => "action_mine_coal",
            (true, false) => "action_equip_stone_pickaxe",
            (false, _) => "action_mine_log",
        };
    }
    if !view.holds("obs_near_furnace") {
        return "action_place_furnace";
    }
    "action_smelt_iron"
}

fn stone_pickaxe(view: &View, goods: &Goods) -> &'static str {
    if goods.cobble < 3 {
        return if any_pickaxe(view) { "action_mine_stone" } else { "action_equip_wood_pickaxe" };
    }
    sticks(goods, tables_planks(view, goods)).or_else(|| table(view, goods)).unwrap_or("action_craft_stone_pickaxe")
}

fn wooden_pickaxe(view: &View, goods: &Goods) -> &'static str {
    let needed = 3 + tables_planks(view, goods) + if goods.sticks < 2 { 2 } else { 0 };
    if goods.planks + 4 * goods.logs < needed {
        return "action_mine_log";
    }
    if goods.planks < needed {
        return "action_craft_planks";
    }
    table(view, goods).or_else(|| sticks(goods, 3)).unwrap_or("action_craft_wooden_pickaxe")
}

/// Planks a crafting table still costs.
fn tables_planks(view: &View, goods: &Goods) -> u32 {
    if view.holds("obs_near_crafting_table") || goods.tables > 0 { 0 } else { 4 }
}

/// The action that leads to two sticks without the reserved planks, if sticks are missing.
fn sticks(goods: &Goods, reserved: u32) -> Option<&'static str> {
    (goods.sticks < 2).then_some(if goods.planks >= 2 + reserved || (goods.planks >= 2 && goods.logs > 0) {
        "action_craft_stick"
    } else if goods.logs > 0 {
        "action_craft_planks"
    } else {
        "action_mine_log"
    })
}

/// The next action towards a crafting table within reach; `None` when one is within reach already.
fn table(view: &View, goods: &Goods) -> Option<&'static str> {
    if view.holds("obs_near_crafting_table") {
        return None;
    }
    Some(if goods.tables > 0 {
        "action_place_crafting_table"
    } else if goods.planks >= 4 {
        "action_craft_crafting_table"
    } else if goods.logs > 0 {
        "action_craft_planks"
    } else {
        "action_mine_log"
    })
}

/// Whether some pickaxe is in the hand.
pub(super) fn any_pickaxe(view: &View) -> bool {
    ["obs_wood_pickaxe_equipped", "obs_stone_pickaxe_equipped", "obs_iron_pickaxe_equipped"]
        .iter()
        .any(|fact| view.holds(fact))
}
