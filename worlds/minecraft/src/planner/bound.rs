//! A lower bound on the remaining actions: it counts every item still needed once and mostly ignores order and places.
//! It is close to the optimum, which makes the search fast.

use super::state::{COAL_FIRE, HeldTool, SMELT, State, WOOD_FIRE};
use super::{Goal, TaskRules};

/// A lower bound on the number of actions from a state to the goal.
pub(super) fn actions_left(s: &State, goal: Goal, rules: TaskRules) -> u32 {
    if s.reached(goal) {
        return 0;
    }
    let less = |needed: u32, carried: u8| needed.saturating_sub(u32::from(carried));
    let mut actions = 0;
    let mut at_table = 0;
    let (mut sticks, mut planks, mut cobble) = (0, 0, 0);

    if goal == Goal::Diamond {
        actions += 1 + u32::from(!s.diamond_seen) + u32::from(s.hand != HeldTool::Iron);
    }
    let iron_pickaxe = goal >= Goal::IronPickaxe && !s.iron_pickaxe;
    let smelts = if iron_pickaxe { less(3, s.ingots) } else { 0 };
    let iron_ores = smelts.saturating_sub(u32::from(s.iron_ore));
    if iron_pickaxe {
        at_table += 1;
        sticks += 2;
    }
    actions += iron_ores + if rules.smelts_all { smelts.min(1) } else { smelts };

    let needs_furnace = smelts > 0;
    // Walking to iron out of sight leaves the furnace behind, and another one is needed there.
    let explores_for_iron = iron_ores > 0 && !s.iron_seen;
    if needs_furnace && (explores_for_iron || !s.near_furnace) {
        actions += 1;
        if s.furnaces == 0 {
            at_table += 1;
            cobble += 8;
        }
    }
    let mut hand = s.hand;
    let stone_pickaxe = goal == Goal::StonePickaxe || (iron_ores > 0 && hand < HeldTool::Stone && !s.iron_pickaxe);
    if stone_pickaxe && !s.stone_pickaxe {
        at_table += 1;
        sticks += 2;
        cobble += 3;
    }
    if iron_ores > 0 && hand < HeldTool::Stone {
        actions += 1;
    }
    let stones = less(cobble, s.cobble);
    if stones > 0 && hand < HeldTool::Wood {
        // A pickaxe must be equipped first; without material for a better one, it is the wooden one.
        if !s.stone_pickaxe && !s.iron_pickaxe && s.ingots + s.iron_ore < 3 && s.cobble < 3 {
            actions += 1;
            hand = HeldTool::Wood;
        }
    }
    let wooden = goal == Goal::WoodenPickaxe || (hand != s.hand && !s.wooden_pickaxe);
    if wooden && !s.wooden_pickaxe {
        at_table += 1;
        sticks += 2;
        planks += 3;
    }
    actions += stones + at_table;
    // A pending exploration for the diamond also shows stone.
    let stone_comes = s.stone_seen || (goal == Goal::Diamond && !s.diamond_seen);
    let explores = explores_for_iron || (stones > 0 && !stone_comes);
    if at_table > 0 && (!s.near_table || (explores && iron_pickaxe)) {
        actions += 1;
        if s.tables == 0 {
            actions += 1;
            planks += 4;
        }
    }
    let stick_crafts = less(sticks, s.sticks).div_ceil(4);
    actions += stick_crafts;
    planks += 2 * stick_crafts;
    actions + u32::from(explores) + wood_and_fuel(s, planks, smelts, explores)
}

/// The minimum number of actions that provide this many planks and the fire for this many smelts.
fn wood_and_fuel(s: &State, planks: u32, smelts: u32, explores: bool) -> u32 {
    let fire = (smelts * u32::from(SMELT)).saturating_sub(u32::from(s.fire) + u32::from(s.coal) * u32::from(COAL_FIRE));
    let (have_logs, have_planks) = (u32::from(s.logs), u32::from(s.planks));
    let mut best = u32::MAX;
    for coal in 0..=u32::from(fire > 0) {
        // Planks burn too, and a log makes four of them.
        for crafts in 0..=(planks + fire.div_ceil(u32::from(WOOD_FIRE))).div_ceil(4) {
            let Some(spare_planks) = (have_planks + 4 * crafts).checked_sub(planks) else { continue };
            let from_planks = spare_planks * u32::from(WOOD_FIRE) + coal * u32::from(COAL_FIRE);
            let burnt_logs = fire.saturating_sub(from_planks).div_ceil(u32::from(WOOD_FIRE));
            let logs = (crafts + burnt_logs).saturating_sub(have_logs);
            let walk = !explores && ((logs > 0 && !s.log_seen) || (coal > 0 && !s.coal_seen));
            best = best.min(coal + crafts + logs + u32::from(walk));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::planner::state::ACTIONS;

    prop_compose! {
        fn any_state()(
            counts in prop::array::uniform8(0u8..9),
            placed in prop::array::uniform3(0u8..2),
            fire in 0u8..17,
            flags in prop::array::uniform10(any::<bool>()),
            hand in prop::sample::select(vec![HeldTool::Other, HeldTool::Wood, HeldTool::Stone, HeldTool::Iron]),
        ) -> State {
            let [logs, planks, sticks, cobble, coal, iron_ore, ingots, _] = counts;
            let [tables, furnaces, diamonds] = placed;
            let [wood, stone, iron, near_table, near_furnace, log, rock, coal_seen, iron_seen, diamond_seen] = flags;
            let (wood, stone, iron) =
                (wood || hand == HeldTool::Wood, stone || hand == HeldTool::Stone, iron || hand == HeldTool::Iron);
            State {
                logs, planks, sticks, cobble, coal, iron_ore, ingots, diamonds, tables, furnaces,
                fire: if near_furnace { fire } else { 0 },
                wooden_pickaxe: wood, stone_pickaxe: stone, iron_pickaxe: iron,
                hand, near_table, near_furnace, log_seen: log, stone_seen: rock, coal_seen, iron_seen, diamond_seen,
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]
        /// One action lowers the bound by at most one, and the bound is 0 at the goal. So it never overestimates, and
        /// the first plan found is a shortest one.
        #[test]
        fn falls_by_one_an_action_at_most(state in any_state(), smelts_all: bool) {
            let rules = TaskRules { smelts_all };
            for goal in [Goal::WoodenPickaxe, Goal::StonePickaxe, Goal::IronPickaxe, Goal::Diamond] {
                let bound = actions_left(&state, goal, rules);
                prop_assert!(!state.reached(goal) || bound == 0);
                for action in ACTIONS {
                    if let Some(next) = state.after(action, rules) {
                        let after = actions_left(&next, goal, rules);
                        prop_assert!(bound <= after + 1, "{goal:?}: {bound} before, {after} after {action}");
                    }
                }
            }
        }
    }
}
