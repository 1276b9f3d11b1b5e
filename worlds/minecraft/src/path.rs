//! Paths: A* over the places where a player can stand. A path walks, jumps up one, drops up to three (farther only if
//! allowed), swims, and digs through obstacles if allowed. It never digs straight down, but may dig a shaft beside the
//! feet, no deeper than a harmless drop.
//!
//! The search knows every loaded block, as a client's pathfinder does. It never opens a block beside lava.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::blocks::Block;
use super::ground::sides;
use super::items::{Item, Tier};
use super::land::{Cell, DigReluctance, Land, Space};
use super::observation::BlockPos;

/// Ticks one step takes.
pub(super) const WALK: u32 = 5;
pub(super) const CLIMB: u32 = 8;
pub(super) const SWIM: u32 = 11;

/// Extra ticks for a shaft, for the missing stairs on the way back.
const NO_STAIRS: u32 = 20;

/// The limits of a path.
#[derive(Clone, Copy, Debug)]
pub struct PathRules<'a> {
    /// Whether it may dig, and with what.
    pub dig: Option<Option<Item>>,
    /// Blocks it must leave alone.
    pub keep: &'a [BlockPos],
    /// The largest number of places to expand.
    pub max_nodes: usize,
    /// The weight of the remaining distance: with 1, paths are short; with more, they are found sooner but lead
    /// straight through obstacles that could be walked around.
    pub haste: u32,
    /// The largest drop, in blocks; more than [`DROP`] hurts.
    pub drop: i32,
    /// Whether it may dig shafts to drop into: the way down is half as long as by stairs, but there are none for the way
    /// back.
    pub shafts: bool,
}

/// The largest depth under water, in blocks above the head.
const DEEP: i32 = 6;
/// The largest time under water at a stretch, in ticks: air lasts for 300, and a little longer does little harm.
const DIVING: u32 = 340;
/// The part of that time for each block of depth, for the way down and up.
const DESCENT: u32 = 20;

/// The largest drop without damage, in blocks.
pub(super) const DROP: i32 = 3;

/// The haste at which digging a staircase through the hardest rock costs no more than walking around it.
pub(super) fn haste(dig: Option<Option<Item>>) -> u32 {
    let hardest = dig.and_then(|tool| Block::Deepslate.break_ticks(tool, false)).unwrap_or(0);
    3 + 6 * hardest / WALK
}

/// The cells a body passes through from one place to the next, which must be open; in the order they are cleared.
pub(super) fn passage(from: BlockPos, to: BlockPos) -> impl Iterator<Item = BlockPos> {
    let (lowest, highest) =
        if from.x == to.x && from.z == to.z { (to.y, to.y + 1) } else { (to.y, to.y.max(from.y) + 1) };
    let above = (to.y > from.y).then_some(from.offset(0, 2, 0));
    above.into_iter().chain((lowest..=highest).rev().map(move |y| BlockPos::new(to.x, y, to.z)))
}

/// The factor on digging times for a player here: 5 under water, 25 if it also floats.
pub(super) fn hindrance(land: &mut impl Land, feet: BlockPos) -> u32 {
    match land.cell(feet.up()).space {
        Space::Water if land.cell(feet.down()).is_floor() => 5,
        Space::Water => 25,
        _ => 1,
    }
}

/// Whether a player here has enough air to dig for a time (in ticks out of water), including the way down and up.
pub(super) fn has_breath(land: &mut impl Land, feet: BlockPos, ticks: u32) -> bool {
    let times = hindrance(land, feet);
    let under_water = |up: &i32| land.cell(feet.offset(0, 1 + up, 0)).space == Space::Water;
    let depth = if times > 1 { (1..=DEEP).take_while(under_water).count() as u32 } else { 0 };
    times == 1 || ticks * times + depth * DESCENT <= DIVING
}

/// Whether the cells a body passes through from one place to the next are free as they are.
pub(super) fn is_free(land: &mut impl Land, from: BlockPos, to: BlockPos) -> bool {
    passage(from, to).all(|cell| land.cell(cell).is_free())
}

struct Search<'a, L> {
    land: &'a mut L,
    rules: PathRules<'a>,
    /// The pickaxe to dig with; `None` if nothing is to be dug.
    dig: Option<Tier>,
}

impl<L: Land> Search<'_, L> {
    fn space(&mut self, pos: BlockPos) -> Space {
        self.land.cell(pos).space
    }

    /// The cost of digging a block on a path, in ticks; `None` for diamonds, tables and furnaces. Other ores and logs cost
    /// extra, so that they are spared if there is another path.
    fn digging(&self, cell: Cell) -> Option<u32> {
        let spared = match cell.reluctance {
            DigReluctance::Never => return None,
            DigReluctance::Wood => 204,
            DigReluctance::Ore => 404,
            DigReluctance::Free => 4,
        };
        Some(cell.digging?.ticks_at(self.dig?) + spared)
    }

    /// Ticks it takes to make a cell passable; `None` if this is impossible or forbidden.
    fn clear(&mut self, pos: BlockPos) -> Option<u32> {
        let cell = self.land.cell(pos);
        match cell.space {
            Space::Open | Space::Passable => Some(0),
            Space::Water => Some(3),
            Space::Lava => None,
            Space::Solid | Space::Obstacle => {
                let mut ticks = self.digging(cell).filter(|_| !self.rules.keep.contains(&pos))?;
                if self.land.is_firm_around(pos) {
                    return Some(ticks);
                }
                for beside in pos.neighbours() {
                    match self.space(beside) {
                        Space::Lava => return None,
                        Space::Water if beside.y >= pos.y => ticks += 60,
                        _ => {}
                    }
                }
                if self.land.cell(pos.up()).falls {
                    ticks += 40;
                }
                Some(ticks)
            }
        }
    }

    /// Whether a place is too deep under water, unless the step leads up or out of such depth.
    fn is_too_deep(&mut self, from: BlockPos, to: BlockPos) -> bool {
        let mut deep = |pos: BlockPos| [1, 1 + DEEP].iter().all(|up| self.space(pos.offset(0, *up, 0)) == Space::Water);
        to.y <= from.y && deep(to) && !(to.y == from.y && deep(from))
    }

    /// Ticks from one place to a neighbouring one; `None` if there is no way.
    fn cost(&mut self, from: BlockPos, to: BlockPos) -> Option<u32> {
        let (mut ticks, mut dug) = (0, 0);
        for pos in passage(from, to) {
            ticks += self.clear(pos)?;
            let cell = self.land.cell(pos);
            if cell.is_firm() {
                dug += self.digging(cell)?;
            }
        }
        // Under water digging takes five times as long, and breath is short.
        if self.space(from.up()) == Space::Water {
            if dug > 0 && !has_breath(self.land, from, dug) {
                return None;
            }
            ticks *= 5;
        }
        if self.space(to.up()) == Space::Water {
            if self.is_too_deep(from, to) {
                return None;
            }
            ticks += 40;
        }
        let swims = self.space(to) == Space::Water;
        if !swims && !self.land.cell(to.down()).is_floor() {
            return None;
        }
        ticks += match to.y - from.y {
            _ if swims => SWIM,
            1 => CLIMB,
            _ => WALK,
        };
        if !self.land.is_firm_around(to) && sides(to).into_iter().any(|beside| self.space(beside) == Space::Lava) {
            ticks += 60;
        }
        Some(ticks)
    }

    fn moves(&mut self, from: BlockPos, visit: &mut dyn FnMut(BlockPos, u32)) {
        for side in sides(from) {
            for to in [side, side.up(), side.down()] {
                if let Some(ticks) = self.cost(from, to) {
                    visit(to, ticks);
                }
            }
            // A drop of two or more: within the harmless depth also by digging, beyond it only through open cells.
            let mut open = [side.up(), side, side.down()].into_iter().all(|pos| self.land.cell(pos).is_free());
            for depth in 2..=self.rules.drop {
                let to = side.offset(0, -depth, 0);
                open &= self.land.cell(to).is_free();
                if !open && (depth > DROP || !self.rules.shafts) {
                    break;
                }
                if let Some(ticks) = self.cost(from, to) {
                    let hurts = 100 * (depth - DROP).max(0) as u32;
                    let dug = if open { 0 } else { NO_STAIRS };
                    visit(to, ticks + 2 * depth as u32 + hurts + dug);
                }
            }
        }
        if self.space(from) == Space::Water {
            for to in [from.up(), from.down()] {
                let wet = [from.up(), to].map(|pos| self.space(pos) == Space::Water);
                if wet.contains(&true)
                    && !self.land.cell(to).is_firm()
                    && let Some(ticks) = self.cost_vertical(from, to)
                {
                    visit(to, ticks);
                }
            }
        }
    }

    fn cost_vertical(&mut self, from: BlockPos, to: BlockPos) -> Option<u32> {
        let next = if to.y > from.y { to.up() } else { to };
        if self.is_too_deep(from, to) {
            return None;
        }
        let free = self.land.cell(next).is_free();
        let submerged = if self.space(to.up()) == Space::Water { 40 } else { 0 };
        (free && self.space(to) == Space::Water).then_some(SWIM + submerged)
    }
}

/// A path from `start` (left out) to the place where walking and work together take the fewest ticks; with more haste, an
/// approximation. `arrived` returns the ticks of the work at a place, if it is possible there. Places near one of `toward`
/// are expanded first.
pub(super) fn find<L: Land>(
    land: &mut L,
    rules: PathRules<'_>,
    start: BlockPos,
    toward: &[BlockPos],
    arrived: &mut dyn FnMut(&mut L, BlockPos) -> Option<u32>,
) -> Option<Vec<BlockPos>> {
    let estimate = |pos: BlockPos| {
        let away = |aim: &BlockPos| {
            let (flat, high) = ((pos.x - aim.x).unsigned_abs() + (pos.z - aim.z).unsigned_abs(), pos.y.abs_diff(aim.y));
            WALK * flat.max(high) + high
        };
        rules.haste * toward.iter().map(away).min().unwrap_or(0)
    };
    let dig = rules.dig.map(|tool| tool.and_then(Item::pickaxe).unwrap_or(Tier::Hand));
    let mut search = Search { land, rules, dig };
    let mut best: FxHashMap<BlockPos, (u32, BlockPos)> = FxHashMap::default();
    let mut open = BinaryHeap::new();
    best.insert(start, (0, start));
    open.push(Reverse((estimate(start), 0u32, false, start)));
    let (mut looked_at, mut found) = (0, None);
    while let Some(Reverse((_, ticks, done, pos))) = open.pop() {
        if done {
            found = Some((ticks, pos));
            break;
        }
        if best.get(&pos).is_some_and(|(known, _)| *known < ticks) {
            continue;
        }
        if let Some(work) = arrived(search.land, pos) {
            let all = ticks + work;
            // A better place may follow; if the search ends before, this one is the result.
            if found.is_none_or(|known| (all, pos) < known) {
                found = Some((all, pos));
            }
            if work == 0 {
                break;
            }
            open.push(Reverse((all, all, true, pos)));
        }
        looked_at += 1;
        if looked_at > rules.max_nodes {
            break;
        }
        search.moves(pos, &mut |to, step| {
            let total = ticks + step;
            if best.get(&to).is_none_or(|(known, _)| total < *known) {
                best.insert(to, (total, pos));
                open.push(Reverse((total + estimate(to), total, false, to)));
            }
        });
    }
    let (_, mut at) = found?;
    let mut path = Vec::new();
    while let Some((_, before)) = best.get(&at).filter(|(_, before)| *before != at) {
        path.push(at);
        at = *before;
    }
    path.reverse();
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::terrain::{Terrain, TerrainKind};

    /// A basin of water of a depth in blocks, with its surface at the feet of a player beside it.
    fn basin(depth: i32) -> (Grid, BlockPos) {
        let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
        let feet = BlockPos::new(8, 130, 8);
        for x in -1..=4 {
            for z in -1..=1 {
                for y in 1..=depth + 1 {
                    let water = (1..4).contains(&x) && z == 0 && y <= depth;
                    grid.set(feet.offset(x, -y, z), if water { Block::Water } else { Block::Stone });
                }
            }
        }
        (grid, feet)
    }

    #[test]
    fn dives_no_deeper_than_breath_lasts() {
        for (depth, dives) in [(DEEP, true), (DEEP + 2, false)] {
            let (mut grid, feet) = basin(depth);
            let bottom = feet.offset(2, -depth, 0);
            let rules = PathRules { dig: None, keep: &[], max_nodes: 2000, haste: 1, drop: DROP, shafts: false };
            let way = find(&mut grid, rules, feet, &[bottom], &mut |_, pos| (pos == bottom).then_some(0));
            assert_eq!(way.is_some(), dives, "{depth} deep: {way:?}");
            // A player that is there already gets out.
            let out = find(&mut grid, rules, bottom, &[feet], &mut |_, pos| (pos == feet).then_some(0));
            assert!(out.is_some(), "out of a depth of {depth}");
        }
    }

    /// A flooded stair: its lower end is under six blocks of water, its upper end under many more.
    #[test]
    fn rises_through_water_however_deep() {
        let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
        let feet = BlockPos::new(8, 130, 8);
        for (x, y) in (-1..=2).flat_map(|x| (-1..=14).map(move |y| (x, y))) {
            for z in -1..=1 {
                let water = z == 0 && ((x == 0 && (0..=6).contains(&y)) || (x == 1 && (5..=13).contains(&y)));
                grid.set(feet.offset(x, y, z), if water { Block::Water } else { Block::Stone });
            }
        }
        let top = feet.offset(1, 13, 0);
        grid.set(top.up(), Block::Air);
        let rules = PathRules { dig: None, keep: &[], max_nodes: 2000, haste: 1, drop: DROP, shafts: false };
        let up = find(&mut grid, rules, feet, &[top], &mut |_, pos| (pos == top).then_some(0));
        assert!(up.is_some());
        let down = find(&mut grid, rules, top, &[feet], &mut |_, pos| (pos == feet).then_some(0));
        assert_eq!(down, None, "the way down is too deep");
    }

    #[test]
    fn digs_under_water_no_longer_than_breath_lasts() {
        let (mut grid, feet) = basin(4);
        let wall = feet.offset(4, -4, 0);
        for (block, tool, afloat, digs) in [
            (Block::Dirt, None, false, true),
            (Block::Dirt, None, true, false),
            (Block::Stone, Some(Item::IronPickaxe), false, true),
            (Block::Stone, None, false, false),
        ] {
            for up in 0..2 {
                grid.set(wall.up().offset(0, up - 1, 0), block);
            }
            grid.set(wall.offset(-1, -1, 0), if afloat { Block::Water } else { Block::Stone });
            let rules = PathRules { dig: Some(tool), keep: &[], max_nodes: 0, haste: 1, drop: DROP, shafts: false };
            let dig = Some(tool.and_then(Item::pickaxe).unwrap_or(Tier::Hand));
            let through = Search { land: &mut grid, rules, dig }.cost(wall.offset(-1, 0, 0), wall).is_some();
            assert_eq!(through, digs, "{} with {tool:?}, afloat: {afloat}", block.name());
        }
    }

    /// Solid rock with a tunnel along x of a length in blocks, and its beginning.
    fn tunnel(length: i32) -> (Grid, BlockPos) {
        let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
        let feet = BlockPos::new(8, 130, 8);
        for x in -3..=length + 3 {
            for y in -12..=4 {
                for z in -3..=3 {
                    let open = (0..length).contains(&x) && (0..2).contains(&y) && z == 0;
                    grid.set(feet.offset(x, y, z), if open { Block::Air } else { Block::Stone });
                }
            }
        }
        (grid, feet)
    }

    #[test]
    fn digs_shafts_no_deeper_than_one_falls_without_harm() {
        let (mut grid, feet) = tunnel(1);
        let dig = Some(Some(Item::StonePickaxe));
        let rules = PathRules { dig, keep: &[], max_nodes: 6000, haste: 4, drop: 2 * DROP, shafts: true };
        let way =
            find(&mut grid, rules, feet, &[feet.offset(0, -9, 0)], &mut |_, pos| (pos.y <= feet.y - 9).then_some(0));
        let way = way.unwrap();
        let falls: Vec<_> = std::iter::once(&feet).chain(&way).zip(&way).map(|(from, to)| from.y - to.y).collect();
        assert_eq!(falls.iter().max(), Some(&DROP), "{way:?}");
        let steps = std::iter::once(&feet).chain(&way).zip(&way);
        let aside = |(from, to): (&BlockPos, &BlockPos)| (from.x - to.x).abs() + (from.z - to.z).abs() == 1;
        assert!(steps.into_iter().all(aside), "{way:?}");
    }

    #[test]
    fn weighs_the_work_against_the_way() {
        let (mut grid, feet) = tunnel(12);
        let (near, far) = (feet.offset(2, 0, 0), feet.offset(10, 0, 0));
        let rules = PathRules { dig: None, keep: &[], max_nodes: 2000, haste: 1, drop: DROP, shafts: false };
        for (work, nearer) in [(WALK, true), (20 * WALK, false)] {
            let mut arrived = |_: &mut Grid, pos: BlockPos| (pos == near).then_some(work).or((pos == far).then_some(0));
            let way = find(&mut grid, rules, feet, &[near, far], &mut arrived).unwrap();
            assert_eq!(way.last(), Some(if nearer { &near } else { &far }));
        }
    }
}
