//! The steps of a path and their costs.

use super::{CLIMB, DEEP, DROP, JUMP, PathRules, STROKE, SWIM, WALK};
use super::{has_breath, hindrance_under_water, passage, swim_ticks};
use crate::blocks::Digging;
use crate::ground::sides;
use crate::items::Tier;
use crate::land::{Cell, DigReluctance, Land, Space};
use crate::observation::BlockPos;

/// Extra ticks for a shaft of three levels, since it leaves no stairs for the way back.
const NO_STAIRS: u32 = 20;
/// The price of opening a cell that water flows into, in ticks: the water may also fill cells that are dug later.
const FLOOD: u32 = 300;
/// The ticks to dig away a block of sand or gravel that has fallen in.
const FALLING: u32 = 19;
/// The maximum number of such blocks that are counted above a cell.
const FALLEN: u32 = 8;
/// The price of a block laid as a floor, in ticks. Most of it is for the block, which takes a minute to replace.
const FLOOR: u32 = 40;
/// The price of a block placed under the feet, in ticks. Most of it is the wait for the block that was dug above.
const PILLAR: u32 = 30;
/// The price of a cell of water that a body passes through, in ticks.
const WADE: u32 = 3;
/// The ticks between digging a block and the next step or block.
const PAUSE: u32 = 4;

/// The cost of digging a block with a pickaxe of this tier, in ticks, with this price of one use.
pub(super) fn digging_ticks(digging: Digging, tier: Tier, wear: u32) -> u32 {
    let wear = if digging.pickaxe && tier > Tier::Hand { wear } else { 0 };
    digging.ticks_at(tier, 1) + PAUSE + wear
}

/// The steps that path rules allow in a land.
pub(super) struct Moves<'a, L> {
    pub land: &'a mut L,
    pub rules: PathRules<'a>,
    /// The cells that the last steps opened: blocks that were there can no longer serve as a floor.
    pub opened: Vec<BlockPos>,
    /// True if the last steps lead under water. Water follows a body that digs there, so the place may still be dry.
    pub flooded: bool,
    /// True if unknown land was in the way.
    pub met_unknown: bool,
    /// Cached results for cells near the current place: most sideways steps share them.
    cleared: Vec<(BlockPos, Option<Clearing>)>,
}

/// The cost of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepCost {
    /// The ticks, with the prices of risk and consumption.
    pub ticks: u32,
    /// The ticks with the head under water, without prices.
    pub under_water: u32,
    /// True if the step digs under water.
    pub digs_under_water: bool,
}

impl StepCost {
    /// The cost of a step that does not dig under water.
    fn free(ticks: u32, under_water: u32) -> Self {
        Self { ticks, under_water, digs_under_water: false }
    }
}

/// The ticks to make a cell passable.
#[derive(Clone, Copy)]
struct Clearing {
    /// All ticks, with the prices of risk.
    ticks: u32,
    /// The ticks of digging alone.
    dug: u32,
}

impl<'a, L: Land> Moves<'a, L> {
    /// The steps in a land, before the first step.
    pub fn new(land: &'a mut L, rules: PathRules<'a>) -> Self {
        Self { land, rules, opened: Vec::new(), flooded: false, met_unknown: false, cleared: Vec::new() }
    }

    fn space(&mut self, pos: BlockPos) -> Space {
        self.land.cell(pos).space
    }

    fn is_floor(&mut self, pos: BlockPos) -> bool {
        self.land.cell(pos).is_floor() && !self.opened.contains(&pos)
    }

    /// The cost of digging a block on a path; `None` for diamonds, tables and furnaces. Other ores and logs cost extra,
    /// so that they are spared if there is another path.
    fn digging(&self, cell: Cell) -> Option<Clearing> {
        let spared = match cell.reluctance {
            DigReluctance::Never => return None,
            DigReluctance::Wood => 200,
            DigReluctance::Ore => 400,
            DigReluctance::Free => 0,
        };
        let (tool, digging) = (self.rules.dig?, cell.digging?);
        if digging.pickaxe && !tool.rock {
            return None;
        }
        let ticks = spared + digging_ticks(digging, tool.tier, self.rules.wear);
        Some(Clearing { ticks, dug: digging.ticks_at(tool.tier, 1) + PAUSE })
    }

    /// The cached result of [`Self::clear`], which is the same for every step from one place.
    fn cleared(&mut self, pos: BlockPos) -> Option<Clearing> {
        if let Some((_, known)) = self.cleared.iter().find(|(known, _)| *known == pos) {
            return *known;
        }
        let clearing = self.clear(pos);
        self.cleared.push((pos, clearing));
        clearing
    }

    /// The cost of making a cell passable; `None` if this is impossible or forbidden.
    fn clear(&mut self, pos: BlockPos) -> Option<Clearing> {
        let cell = self.land.cell(pos);
        match cell.space {
            Space::Open | Space::Passable => Some(Clearing { ticks: 0, dug: 0 }),
            Space::Water => Some(Clearing { ticks: WADE, dug: 0 }),
            Space::Lava => None,
            Space::Solid | Space::Obstacle => {
                self.met_unknown |= cell == Cell::UNKNOWN;
                let digging = self.digging(cell).filter(|_| !self.rules.keep.contains(&pos))?;
                if self.land.is_firm_around(pos) {
                    return Some(digging);
                }
                let Clearing { mut ticks, dug } = digging;
                for beside in pos.neighbours() {
                    match self.space(beside) {
                        Space::Lava => return None,
                        Space::Water if beside.y >= pos.y => ticks += FLOOD,
                        _ => {}
                    }
                }
                let (fallen, wet) = self.falls_in(pos);
                ticks += fallen * FALLING + if wet { FLOOD } else { 0 };
                Some(Clearing { ticks, dug: dug + fallen * FALLING })
            }
        }
    }

    /// Returns whether the head is under water before the next step.
    fn begins_under_water(&mut self, from: BlockPos) -> bool {
        self.flooded || self.space(from.up()) == Space::Water
    }

    /// Returns whether the head is under water after a step: in water, or where water follows a body that digs on under
    /// water, no higher than before.
    pub(crate) fn ends_under_water(&mut self, from: BlockPos, to: BlockPos) -> bool {
        match self.space(to.up()) {
            Space::Water => true,
            Space::Open | Space::Passable => false,
            _ if self.falls_in(to.up()).1 => true,
            _ => self.begins_under_water(from) && (to.y <= from.y || self.flows_into(to.up())),
        }
    }

    /// Returns whether water flows into a cell once it is open.
    fn flows_into(&mut self, cell: BlockPos) -> bool {
        cell.neighbours().into_iter().any(|beside| beside.y >= cell.y && self.space(beside) == Space::Water)
    }

    /// The number of blocks of sand or gravel that fall into a cell once it is open, and whether water follows them.
    fn falls_in(&mut self, cell: BlockPos) -> (u32, bool) {
        let mut above = cell.up();
        let mut fallen = 0;
        while fallen < FALLEN && self.land.cell(above).falls {
            fallen += 1;
            above = above.up();
        }
        (fallen, fallen > 0 && self.space(above) == Space::Water)
    }

    /// Returns whether a step leads too deep under water. Steps up, and level steps within such depth, are allowed.
    fn is_too_deep(&mut self, from: BlockPos, to: BlockPos) -> bool {
        let mut deep = |pos: BlockPos| [1, 1 + DEEP].iter().all(|up| self.space(pos.offset(0, *up, 0)) == Space::Water);
        to.y <= from.y && deep(to) && !(to.y == from.y && deep(from))
    }

    /// The cost of a step from one place to a neighbouring one; `None` if it is impossible, or if its ticks are not a
    /// gain.
    pub fn cost(&mut self, from: BlockPos, to: BlockPos, is_gain: &impl Fn(BlockPos, u32) -> bool) -> Option<StepCost> {
        if self.rules.barred.contains(&(from, to)) {
            return None;
        }
        let (mut ticks, mut dug) = (0, 0);
        for pos in passage(from, to) {
            let clearing = self.cleared(pos)?;
            ticks += clearing.ticks;
            dug += clearing.dug;
        }
        // Walking is a lower bound on the ticks of any step.
        if !is_gain(to, ticks + WALK) {
            return None;
        }
        // Under water, digging takes five times as long, and breath is short.
        let submerged = self.begins_under_water(from);
        let mut under_water = 0;
        if submerged {
            if dug > 0 && !has_breath(self.land, from, dug) {
                return None;
            }
            ticks *= 5;
            under_water = STROKE + if dug > 0 { dug * hindrance_under_water(self.land, from) } else { 0 };
        }
        if self.ends_under_water(from, to) {
            if self.is_too_deep(from, to) {
                return None;
            }
            ticks += 40;
            under_water = under_water.max(STROKE);
        }
        let swims = self.space(to) == Space::Water;
        if !swims && !self.is_floor(to.down()) {
            ticks += self.floor_laid(from, to)?;
        }
        ticks += match to.y - from.y {
            _ if swims => SWIM,
            1 => CLIMB,
            _ => WALK,
        };
        if !self.land.is_firm_around(to) && sides(to).into_iter().any(|beside| self.space(beside) == Space::Lava) {
            ticks += 60;
        }
        Some(StepCost { ticks, under_water, digs_under_water: submerged && dug > 0 })
    }

    /// The cost of laying a floor for a sideways step; `None` if that is impossible or forbidden. The floor is placed
    /// against the block under the start of the step.
    fn floor_laid(&mut self, from: BlockPos, to: BlockPos) -> Option<u32> {
        let under = self.land.cell(to.down());
        let fits = under.is_airy() || under.space == Space::Water;
        let held = self.space(from) != Space::Water;
        (self.rules.bridge && to.y == from.y && fits && held).then_some(FLOOR)
    }

    /// Adds every place that one step leads to, with the step's ticks. It may omit places for which that many ticks are
    /// not a gain.
    pub fn from(
        &mut self,
        from: BlockPos,
        is_gain: impl Fn(BlockPos, u32) -> bool,
        steps: &mut Vec<(BlockPos, StepCost)>,
    ) {
        for side in sides(from) {
            self.cleared.clear();
            for to in [side, side.up(), side.down()] {
                if let Some(cost) = self.cost(from, to, &is_gain) {
                    steps.push((to, cost));
                }
            }
            // A drop of two or more blocks. Digging is allowed within the harmless depth; deeper drops pass only
            // through open cells.
            let mut open = [side.up(), side, side.down()].into_iter().all(|pos| self.land.cell(pos).is_free());
            for depth in 2..=self.rules.drop {
                let to = side.offset(0, -depth, 0);
                open &= self.land.cell(to).is_free();
                if !open && depth > DROP {
                    break;
                }
                if let Some(cost) = self.cost(from, to, &is_gain) {
                    let hurts = 100 * (depth - DROP).max(0) as u32;
                    let dug = if open { 0 } else { NO_STAIRS };
                    steps.push((to, StepCost { ticks: cost.ticks + 2 * depth as u32 + hurts + dug, ..cost }));
                }
            }
        }
        if self.space(from) == Space::Water {
            for (x, z) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let to = from.offset(x, 0, z);
                if let Some(cost) = self.cost_diagonal(from, to) {
                    steps.push((to, cost));
                }
            }
        }
        steps.extend(self.straight_down(from));
        steps.extend(self.straight_up(from));
        if [from, from.up()].into_iter().any(|pos| self.space(pos) == Space::Water) {
            for to in [from.up(), from.down()] {
                let wet = [from.up(), to].map(|pos| self.space(pos) == Space::Water);
                if wet.contains(&true)
                    && !self.land.cell(to).is_firm()
                    && let Some(ticks) = self.cost_vertical(from, to)
                {
                    steps.push((to, StepCost::free(ticks, STROKE)));
                }
            }
        }
    }

    /// The place below and the ticks to dig down to it: through a tree, since plants hide no block that flows or falls,
    /// or through one block of rock that lies on another, with no fluid around it.
    fn straight_down(&mut self, from: BlockPos) -> Option<(BlockPos, StepCost)> {
        let below = from.down();
        let cell = self.land.cell(below);
        let tree = cell.leaves || cell.reluctance == DigReluctance::Wood;
        let mut to = below;
        while tree && self.land.cell(to.down()).is_airy() && from.y - to.y < DROP {
            to = to.down();
        }
        let dry = |it: &mut Self| {
            it.land.is_firm_around(below)
                || below.neighbours().into_iter().all(|beside| !it.land.cell(beside).is_fluid())
        };
        let blocked = self.rules.barred.contains(&(from, to)) || !self.is_floor(to.down());
        if blocked || !tree && (!cell.is_firm() || !dry(self)) {
            return None;
        }
        let Clearing { ticks, dug } = self.clear(below)?;
        let ticks = ticks + CLIMB + if tree { 0 } else { NO_STAIRS / 3 };
        let submerged = self.begins_under_water(from);
        let under_water = if submerged { STROKE + dug * hindrance_under_water(self.land, from) } else { 0 };
        Some((to, StepCost { ticks, under_water, digs_under_water: submerged && dug > 0 }))
    }

    /// The place above and the ticks to climb there on a block placed under the feet. It digs one block per level;
    /// stairs dig three.
    fn straight_up(&mut self, from: BlockPos) -> Option<(BlockPos, StepCost)> {
        let to = from.up();
        if !self.rules.pillar || self.rules.barred.contains(&(from, to)) {
            return None;
        }
        // A firm cell at the feet or the head has been dug away on the way here.
        let here = self.land.cell(from);
        let room = here.is_firm() || here.is_airy() && here.replaceable;
        if !room || [from, to, to.up()].into_iter().any(|pos| self.land.cell(pos).is_fluid()) {
            return None;
        }
        let ticks = self.clear(to.up())?.ticks + JUMP + PILLAR;
        Some((to, StepCost::free(ticks, 0)))
    }

    /// The cost of a diagonal step through water that is open on both sides.
    fn cost_diagonal(&mut self, from: BlockPos, to: BlockPos) -> Option<StepCost> {
        let open = self.space(to) == Space::Water && passage(from, to).all(|pos| self.land.cell(pos).is_free());
        if !open || self.is_too_deep(from, to) || self.rules.barred.contains(&(from, to)) {
            return None;
        }
        let submerged = [from, to].into_iter().any(|pos| self.space(pos.up()) == Space::Water);
        let (price, under_water) = if submerged { (40, STROKE * 3 / 2) } else { (0, 0) };
        Some(StepCost::free(swim_ticks(from, to) + WADE + price, under_water))
    }

    fn cost_vertical(&mut self, from: BlockPos, to: BlockPos) -> Option<u32> {
        let next = if to.y > from.y { to.up() } else { to };
        if self.is_too_deep(from, to) || self.rules.barred.contains(&(from, to)) {
            return None;
        }
        let free = self.land.cell(next).is_free();
        let submerged = if self.space(to.up()) == Space::Water { 40 } else { 0 };
        (free && self.space(to) == Space::Water).then_some(SWIM + submerged)
    }
}
