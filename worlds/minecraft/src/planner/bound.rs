//! A lower bound on the remaining actions: it counts every item still needed once and mostly ignores order and places.
//! It is close to the optimum, which makes the search fast.

use super::Goal;
use super::state::{COAL_FIRE, HeldTool, SMELT, State, WOOD_FIRE};
use crate::primitive::Resource;

/// A lower bound on each number of what a state lacks for a goal.
#[derive(Clone, Copy, Debug, Default)]
struct Lacks {
    diamonds: u32,
    iron_ores: u32,
    stones: u32,
    /// The logs to be carried at the goal.
    logs: u32,
    /// The planks to be used or carried at the goal, with those carried now.
    planks: u32,
    smelts: u32,
    /// True if iron ore or stone is to be looked for.
    explores: bool,
    /// The actions for all of it but wood and fuel.
    actions: u32,
}

/// A lower bound on the number of actions from a state to the goal.
pub(super) fn actions_left(s: &State, goal: Goal) -> u32 {
    if s.reached(goal) {
        return 0;
    }
    let lacks = lacks(s, goal);
    lacks.actions + wood_and_fuel(s, &lacks)
}

/// The part of a goal that a state lacks.
fn lacks(s: &State, goal: Goal) -> Lacks {
    let Goal(wanted) = goal;
    let less = |needed: u32, carried: u8| needed.saturating_sub(u32::from(carried));
    let mut actions = 0;
    let mut at_table = 0;
    let [mut sticks, mut planks, mut cobble] = [wanted.sticks, wanted.planks, wanted.cobble].map(u32::from);

    let diamonds = less(wanted.diamonds.into(), s.diamonds);
    if diamonds > 0 {
        actions += diamonds + u32::from(!s.diamond_seen) + u32::from(s.hand != HeldTool::Iron);
    }
    let iron_pickaxe = (wanted.iron_pickaxe || diamonds > 0) && !s.iron_pickaxe;
    let smelts = less(u32::from(wanted.ingots) + if iron_pickaxe { 3 } else { 0 }, s.ingots);
    let iron_ores = less(u32::from(wanted.iron_ore) + smelts, s.iron_ore);
    if iron_pickaxe {
        at_table += 1;
        sticks += 2;
    }
    actions += iron_ores + smelts;

    // Stone that is used up before there is an iron pickaxe, and not carried at the end.
    let mut used_stone = 0;
    // Walking to iron out of sight leaves the furnace behind, and one is needed again there for what is smelted of it.
    let explores_for_iron = iron_ores > 0 && !s.iron_seen;
    let smelts_more = smelts > u32::from(s.iron_ore);
    let places_furnace = smelts > 0 && ((explores_for_iron && smelts_more) || !s.near_furnace);
    if places_furnace {
        actions += 1;
        used_stone += if s.furnaces == 0 { 8 } else { 0 };
    }
    let furnaces = less(u32::from(wanted.furnaces) + u32::from(places_furnace), s.furnaces);
    at_table += furnaces;
    cobble += 8 * furnaces;
    let mut hand = s.hand;
    // An iron pickaxe mines iron too, and what takes it into the hand for the diamond is counted above.
    let has_ores = s.ingots + s.iron_ore >= 3;
    let has_iron = s.iron_pickaxe || has_ores;
    let equips = iron_ores > 0 && hand < HeldTool::Stone;
    actions += u32::from(equips && !(has_iron && diamonds > 0));
    if !s.stone_pickaxe && (wanted.stone_pickaxe || (equips && !has_iron)) {
        used_stone += if equips && !has_iron { 3 } else { 0 };
        at_table += 1;
        sticks += 2;
        cobble += 3;
    }
    let stones = less(cobble, s.cobble);
    if stones > 0 && hand < HeldTool::Wood {
        // A pickaxe must be equipped first; without material for a better one, it is the wooden one.
        if !s.stone_pickaxe && !s.iron_pickaxe && s.ingots + s.iron_ore < 3 && s.cobble < 3 {
            actions += 1;
            hand = HeldTool::Wood;
        }
    }
    if (wanted.wooden_pickaxe || hand != s.hand) && !s.wooden_pickaxe {
        at_table += 1;
        sticks += 2;
        planks += 3;
    }
    actions += stones + at_table;
    // A pending exploration for the diamond also shows stone.
    let stone_comes = s.stone_seen || (diamonds > 0 && !s.diamond_seen);
    let explores = explores_for_iron || (stones > 0 && !stone_comes);
    // The table is needed again where the material for the iron pickaxe is still to be found.
    let can_be_smelted = s.ingots >= 3 || (has_ores && s.near_furnace);
    let explores_before_pickaxe =
        (explores_for_iron && !has_ores) || (less(used_stone, s.cobble) > 0 && !stone_comes && !can_be_smelted);
    let places_table = at_table > 0 && (!s.near_table || (explores_before_pickaxe && iron_pickaxe));
    let tables = less(u32::from(wanted.tables) + u32::from(places_table), s.tables);
    actions += u32::from(places_table) + tables;
    planks += 4 * tables;
    let stick_crafts = less(sticks, s.sticks).div_ceil(4);
    actions += stick_crafts;
    planks += 2 * stick_crafts;
    let actions = actions + u32::from(explores);
    Lacks { diamonds, iron_ores, stones, logs: wanted.logs.into(), planks, smelts, explores, actions }
}

impl State {
    /// The resources that the task's recipes still take, beyond what is carried: first those for wood, then those for
    /// the next tool.
    pub(crate) fn needs(&self) -> Vec<Resource> {
        let Lacks { diamonds, iron_ores, stones, planks, smelts, .. } = lacks(self, Goal::diamond());
        let wood = u32::from(self.planks) + 4 * u32::from(self.logs);
        let burns = wood.saturating_sub(planks) * u32::from(WOOD_FIRE);
        let needs_fuel = fire_lacking(self, smelts) > burns;
        let stone = (Resource::Stone, stones > 0);
        let iron = (Resource::Iron, iron_ores > 0);
        // A pickaxe that mines iron finds stone on the way to it.
        let [first, second] = if self.stone_pickaxe || self.iron_pickaxe { [iron, stone] } else { [stone, iron] };
        let wood = (Resource::Log, planks > wood || needs_fuel);
        [wood, first, second, (Resource::Coal, needs_fuel), (Resource::Diamond, diamonds > 0)]
            .into_iter()
            .filter_map(|(resource, needed)| needed.then_some(resource))
            .collect()
    }

    /// The resource to look for: the first one needed that is not in sight; diamonds if all are.
    pub(crate) fn sought(&self) -> Resource {
        self.needs().into_iter().find(|resource| !self.sees(*resource)).unwrap_or(Resource::Diamond)
    }
}

/// The fire that these smelts take beyond that in the furnace and the coal carried.
fn fire_lacking(s: &State, smelts: u32) -> u32 {
    (smelts * u32::from(SMELT)).saturating_sub(u32::from(s.fire) + u32::from(s.coal) * u32::from(COAL_FIRE))
}

/// The minimum number of actions that provide the logs, the planks and the fire for the smelts.
fn wood_and_fuel(s: &State, lacks: &Lacks) -> u32 {
    let Lacks { logs, planks, smelts, explores, .. } = *lacks;
    let fire = fire_lacking(s, smelts);
    let (have_logs, have_planks) = (u32::from(s.logs), u32::from(s.planks));
    let mut best = u32::MAX;
    for coal in 0..=u32::from(fire > 0) {
        // Planks burn too, and a log makes four of them.
        for crafts in 0..=(planks + fire.div_ceil(u32::from(WOOD_FIRE))).div_ceil(4) {
            let Some(spare_planks) = (have_planks + 4 * crafts).checked_sub(planks) else { continue };
            let from_planks = spare_planks * u32::from(WOOD_FIRE) + coal * u32::from(COAL_FIRE);
            let burnt_logs = fire.saturating_sub(from_planks).div_ceil(u32::from(WOOD_FIRE));
            let logs = (logs + crafts + burnt_logs).saturating_sub(have_logs);
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

    prop_compose! {
        fn any_goal()(
            [logs, ingots, iron_ore, sticks] in [0u8..2, 0u8..4, 0u8..4, 0u8..3],
            planks in prop::sample::select(vec![0, 1, 2, 3, 4, 11]),
            cobble in prop::sample::select(vec![0, 3, 8, 11]),
            [diamonds, tables, furnaces] in prop::array::uniform3(0u8..2),
            [wooden_pickaxe, stone_pickaxe, iron_pickaxe] in prop::array::uniform3(any::<bool>()),
            keeps in prop::array::uniform12(prop::bool::weighted(0.3)),
        ) -> Goal {
            let counts = [logs, ingots, iron_ore, sticks, planks, cobble, diamonds, tables, furnaces];
            let kept: Vec<u8> = counts.iter().zip(keeps).map(|(count, keep)| if keep { *count } else { 0 }).collect();
            let [.., wood, stone, iron] = keeps;
            Goal(State {
                logs: kept[0], ingots: kept[1], iron_ore: kept[2], sticks: kept[3], planks: kept[4], cobble: kept[5],
                diamonds: kept[6], tables: kept[7], furnaces: kept[8],
                wooden_pickaxe: wood && wooden_pickaxe,
                stone_pickaxe: stone && stone_pickaxe,
                iron_pickaxe: iron && iron_pickaxe,
                ..State::default()
            })
        }
    }

    /// Looking for iron with three ingots in the bag leads away from the wood that the pickaxe still takes.
    #[test]
    fn what_is_sought_follows_from_the_recipes() {
        let nothing = State { log_seen: false, ..State::beginning() };
        let ingots = State { ingots: 3, planks: 3, stone_pickaxe: true, ..State::default() };
        let at_table = State { sticks: 2, near_table: true, ..ingots };
        let unsmelted =
            State { ingots: 0, iron_ore: 3, near_furnace: true, sticks: 2, near_table: true, ..State::default() };
        let equipped = State { iron_pickaxe: true, hand: HeldTool::Iron, ..State::default() };
        for (state, sought) in [
            (nothing, Resource::Log),
            (State { stone_seen: false, ..State::beginning() }, Resource::Stone),
            (State { iron_seen: false, ..State::beginning() }, Resource::Iron),
            (
                State { stone_pickaxe: true, sticks: 2, near_table: true, log_seen: true, ..State::default() },
                Resource::Iron,
            ),
            (ingots, Resource::Log),
            (at_table, Resource::Diamond),
            (unsmelted, Resource::Log),
            (State { log_seen: true, ..unsmelted }, Resource::Coal),
            (State { coal: 1, ..unsmelted }, Resource::Diamond),
            (equipped, Resource::Diamond),
            (State { log_seen: true, stone_seen: true, ..State::beginning() }, Resource::Diamond),
        ] {
            assert_eq!(state.sought(), sought, "{state:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]
        /// One action lowers the bound by at most one, and the bound is 0 at the goal. So it never overestimates, and
        /// the first plan found is a shortest one.
        #[test]
        fn falls_by_one_an_action_at_most(state in any_state(), other in any_goal()) {
            let milestones = ["wooden pickaxe", "stone pickaxe", "iron pickaxe", "diamond"].map(Goal::named);
            for goal in milestones.into_iter().flatten().chain([other]) {
                let bound = actions_left(&state, goal);
                prop_assert!(!state.reached(goal) || bound == 0);
                for action in ACTIONS {
                    if let Some(next) = state.after(action) {
                        let after = actions_left(&next, goal);
                        prop_assert!(bound <= after + 1, "{goal:?}: {bound} before, {after} after {action}");
                    }
                }
            }
        }
    }
}
