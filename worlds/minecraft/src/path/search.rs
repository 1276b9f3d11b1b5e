//! The search: A* with several degrees of greed, within a number of places to expand. If it does not reach the end, its
//! result is the path to the place that seems nearest to it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::moves::{Move, Moves, digging_ticks};
use super::places::Places;
use super::{DROP, PathRules, STROKE, WALK, hindrance_under_water, passage, water_above};
use crate::blocks::Block;
use crate::items::Tier;
use crate::land::{Cell, Land};
use crate::observation::BlockPos;

/// The divisor of the expansion budget that is spent on the optimal path.
const FOR_THE_BEST: usize = 20;
/// The number of cells opened by the last steps that a search remembers.
const REMEMBERED: u8 = 24;
/// The greed of a search that may not dig.
const WALKING_GREED: u32 = 4;

/// A path with its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The places to step to, without the start.
    pub way: Vec<BlockPos>,
    /// True if it ends at one of the aims.
    pub arrives: bool,
    /// The expected ticks, with the work at its end and the prices of risk and wear.
    pub ticks: u32,
    /// A lower bound on the ticks from its end to one of the aims; 0 if it arrives.
    pub left: u32,
    /// The number of places expanded, in all searches.
    pub expanded: usize,
    /// True if the search saw every reachable place and none of them borders on unknown land.
    pub exhaustive: bool,
}

/// The stretch of a path under water up to a place; zero for a head in the air.
#[derive(Clone, Copy, Debug, Default)]
struct Dive {
    /// The ticks since the last breath.
    ticks: u32,
    /// The steps since the last breath.
    steps: u32,
}

/// The best way to a place that is known.
#[derive(Clone, Copy, Debug)]
struct Reached {
    /// The ticks to it.
    ticks: u32,
    /// The place before it; the start comes after itself.
    before: BlockPos,
    dive: Dive,
    /// The cells passed through since the path dug, up to [`REMEMBERED`].
    undug: u8,
}

impl Reached {
    /// A place that no way is known to.
    const NOT_YET: Self =
        Self { ticks: u32::MAX, before: BlockPos::new(0, 0, 0), dive: Dive { ticks: 0, steps: 0 }, undug: 0 };
}

impl Places<Reached> {
    /// The place before one that was reached; `None` for the start.
    fn before(&self, pos: BlockPos) -> Option<BlockPos> {
        Some(self.get(pos).before).filter(|before| *before != pos)
    }

    /// The floors that the last steps to a place dug away, so that they no longer serve as such.
    fn dug_floors(&self, land: &mut impl Land, mut at: BlockPos) -> Vec<BlockPos> {
        let (mut floors, mut passed) = (Vec::new(), 0);
        while passed < REMEMBERED
            && let Some(before) = self.before(at)
        {
            for cell in passage(before, at) {
                passed += 1;
                floors.extend(Some(cell).filter(|cell| land.cell(*cell).is_floor()));
            }
            at = before;
        }
        floors
    }
}

impl Dive {
    /// Returns whether the breath also lasts for the work at the end, in ticks out of water, and for the return to air.
    fn comes_back(self, land: &mut impl Land, end: BlockPos, work: u32, rules: &PathRules<'_>) -> bool {
        if self.ticks == 0 {
            return true;
        }
        let back = water_above(land, end).map_or(self.steps, |up| up.min(self.steps));
        let work = work * hindrance_under_water(land, end);
        self.ticks.saturating_add(work.saturating_add(STROKE.saturating_mul(back))) <= rules.dive
    }
}

/// A lower bound on the ticks from a place to one of the aims.
fn estimate(from: BlockPos, aims: &[BlockPos]) -> u32 {
    let away = |aim: &BlockPos| {
        let (flat, high) = ((from.x - aim.x).unsigned_abs() + (from.z - aim.z).unsigned_abs(), from.y.abs_diff(aim.y));
        WALK * flat.max(high) + high
    };
    aims.iter().map(away).min().unwrap_or(0)
}

/// The greed at which digging a staircase through the hardest rock costs no more than walking around it.
fn digging_greed(rules: &PathRules<'_>) -> u32 {
    let Some(tool) = rules.dig else { return WALKING_GREED };
    let hardest = if tool.rock { Block::Deepslate } else { Block::Dirt };
    let tier = if tool.rock { tool.tier } else { Tier::Hand };
    let ticks = Cell::of(hardest).digging.map_or(0, |digging| digging_ticks(digging, tier, rules.wear));
    3 + 3 * ticks / WALK
}

/// Finds the best path within the expansion budget. A nearby end is searched optimally. Otherwise a greedy search finds
/// some path soon, and a less greedy search may then improve it.
///
/// The path leads to a place for which `arrived` returns the ticks of the work there. If no search arrives, it leads to
/// the place that seems nearest to an aim.
pub(crate) fn best<L: Land>(
    land: &mut L,
    rules: PathRules<'_>,
    start: BlockPos,
    toward: &[BlockPos],
    arrived: &mut dyn FnMut(&mut L, BlockPos) -> Option<u32>,
) -> Plan {
    let most = rules.max_nodes;
    let greed = digging_greed(&rules);
    let harmless = rules.drop.min(DROP);
    let mut expanded = 0;
    let mut moves = Moves::new(land, rules);
    let mut search = |greed: u32, max_nodes: usize, drop: i32| {
        let plan = find(&mut moves, PathRules { max_nodes, drop, ..rules }, greed, start, toward, arrived);
        expanded += plan.expanded;
        plan
    };
    let mut found = search(1, most / FOR_THE_BEST, harmless);
    if !found.arrives && !found.exhaustive {
        let quick = search(greed, most, harmless);
        let limit = if quick.arrives { (4 * quick.expanded).min(most / 4) } else { most };
        found = if quick.exhaustive { quick } else { preferred(quick, search((greed / 4).max(2), limit, harmless)) };
    }
    if !found.arrives && rules.drop > harmless {
        let falling = search(greed, most, rules.drop);
        found = if falling.arrives { falling } else { found };
    }
    Plan { expanded, ..found }
}

/// The plan that arrives, or that seems nearer to an aim; of two such plans, the faster one.
fn preferred(one: Plan, other: Plan) -> Plan {
    let rank = |plan: &Plan| (!plan.arrives, plan.left, plan.ticks);
    if rank(&other) < rank(&one) { other } else { one }
}

/// Runs one search over moves whose rules allow no less than these. With greed 1 its path is optimal. With more greed
/// it finishes sooner, but leads straight through obstacles that could be walked around.
pub(super) fn find<L: Land>(
    moves: &mut Moves<'_, L>,
    rules: PathRules<'_>,
    greed: u32,
    start: BlockPos,
    toward: &[BlockPos],
    arrived: &mut dyn FnMut(&mut L, BlockPos) -> Option<u32>,
) -> Plan {
    moves.met_unknown = false;
    let mut reached = Places::new(Reached::NOT_YET);
    let mut open = BinaryHeap::new();
    let dive = if rules.dived > 0 { Dive { ticks: rules.dived, steps: rules.submerged } } else { Dive::default() };
    *reached.get_mut(start) = Reached { ticks: 0, before: start, dive, undug: REMEMBERED };
    open.push(Reverse((greed * estimate(start, toward), 0u32, false, start)));
    let (mut expanded, mut found) = (0, None);
    // The place with the smallest remaining estimate. The ticks to it count slightly, which avoids a long way for a
    // small gain.
    let mut nearest = (u32::MAX, start);
    while let Some(Reverse((_, ticks, done, pos))) = open.pop() {
        if done {
            found = Some((ticks, pos));
            break;
        }
        let Reached { ticks: known, dive, undug, .. } = reached.get(pos);
        if known < ticks {
            continue;
        }
        if let Some(work) = arrived(moves.land, pos).filter(|_| dive.comes_back(moves.land, pos, rules.work, &rules)) {
            let all = ticks + work;
            // A better place may follow. If the search ends before, this one is the result.
            if found.is_none_or(|known| (all, pos) < known) {
                found = Some((all, pos));
            }
            if work == 0 {
                break;
            }
            open.push(Reverse((all, all, true, pos)));
        }
        expanded += 1;
        if expanded > rules.max_nodes {
            break;
        }
        nearest = nearest.min((estimate(pos, toward) + ticks / 8, pos));
        let mut dug_floors = None;
        for index in moves.from(pos, dive.ticks > 0) {
            let step = moves.get(index);
            let Move { to, .. } = step;
            let total = ticks + step.ticks;
            if pos.y - to.y > rules.drop || total >= reached.get(to).ticks {
                continue;
            }
            if step.needs_floor && undug < REMEMBERED {
                let dug = dug_floors.get_or_insert_with(|| reached.dug_floors(moves.land, pos));
                if dug.contains(&to.down()) {
                    continue;
                }
            }
            if !rules.within.contains(to) {
                // The land beyond counts as unknown.
                moves.met_unknown = true;
                continue;
            }
            let mut after = Dive::default();
            if step.under_water > 0 {
                after = Dive { ticks: dive.ticks.saturating_add(step.under_water), steps: dive.steps + 1 };
                // A body digs on under water only while it can still turn back.
                if after.ticks > rules.dive || step.digs_under_water && !after.comes_back(moves.land, pos, 0, &rules) {
                    continue;
                }
                if !step.ends_under_water {
                    after = Dive::default();
                }
            }
            let cells = passage(pos, to).count() as u8;
            let undug = if step.digs { 0 } else { (undug + cells).min(REMEMBERED) };
            *reached.get_mut(to) = Reached { ticks: total, before: pos, dive: after, undug };
            open.push(Reverse((total + greed * estimate(to, toward), total, false, to)));
        }
    }
    let arrives = found.is_some();
    let exhaustive = expanded <= rules.max_nodes && !moves.met_unknown;
    let end = found.map_or(nearest.1, |(_, pos)| pos);
    let ticks = found.map_or_else(|| reached.get(end).ticks, |(all, _)| all);
    let left = if arrives { 0 } else { estimate(end, toward) };
    let (mut at, mut way) = (end, Vec::new());
    while let Some(before) = reached.before(at) {
        way.push(at);
        at = before;
    }
    way.reverse();
    Plan { way, arrives, ticks, left, expanded, exhaustive }
}
