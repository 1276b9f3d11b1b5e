//! The steps of a path and their costs.

use std::ops::Range;

use super::places::Places;
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

/// The moves that path rules allow in a land. They are computed once for each place, for all searches with these rules.
pub(super) struct Moves<'a, L> {
    pub land: &'a mut L,
    rules: PathRules<'a>,
    /// True if unknown land was in the way.
    pub met_unknown: bool,
    /// The moves computed so far.
    moves: Vec<Move>,
    /// The moves from each place, for a body whose head is not under water where it is dry.
    known: Places<Option<Known>>,
    /// The results of [`Self::clear`] so far, which most moves share.
    cleared: Places<Cleared>,
    /// The results of [`Self::is_beside_lava`] so far.
    lava: Places<Option<bool>>,
}

/// A step from a place to a neighbouring one, and its cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub to: BlockPos,
    /// The ticks, with the prices of risk and consumption.
    pub ticks: u32,
    /// The ticks with the head under water, without prices.
    pub under_water: u32,
    /// True if the head is under water at its end; only known if some ticks are.
    pub ends_under_water: bool,
    /// True if the step digs under water.
    pub digs_under_water: bool,
    /// True if the block below its end must not have been dug away on the path.
    pub needs_floor: bool,
    /// True if it may dig away a block that serves as a floor.
    pub digs: bool,
}

impl Move {
    /// A step that neither digs nor needs a floor.
    fn free(to: BlockPos, ticks: u32, under_water: u32) -> Self {
        let (ends_under_water, digs_under_water, needs_floor, digs) = (false, false, false, false);
        Self { to, ticks, under_water, ends_under_water, digs_under_water, needs_floor, digs }
    }
}

/// The moves from a place, as a range of all moves.
#[derive(Clone, Copy)]
struct Known {
    first: u32,
    end: u32,
    /// True if unknown land is in the way.
    met_unknown: bool,
}

/// A cached result for a cell.
#[derive(Clone, Copy)]
enum Cleared {
    NotAsked,
    /// The land is not known there.
    Unknown,
    Known(Option<Clearing>),
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
    /// The moves in a land.
    pub fn new(land: &'a mut L, rules: PathRules<'a>) -> Self {
        Self {
            land,
            rules,
            met_unknown: false,
            moves: Vec::new(),
            known: Places::new(None),
            cleared: Places::new(Cleared::NotAsked),
            lava: Places::new(None),
        }
    }

    fn space(&mut self, pos: BlockPos) -> Space {
        self.land.cell(pos).space
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

    /// The cached result of [`Self::clear`].
    fn cleared(&mut self, pos: BlockPos) -> Option<Clearing> {
        let mut known = self.cleared.get(pos);
        if let Cleared::NotAsked = known {
            let cell = self.land.cell(pos);
            known = if cell == Cell::UNKNOWN { Cleared::Unknown } else { Cleared::Known(self.clear(pos, cell)) };
            *self.cleared.get_mut(pos) = known;
        }
        self.met_unknown |= matches!(known, Cleared::Unknown);
        if let Cleared::Known(clearing) = known { clearing } else { None }
    }

    /// The cost of making a cell passable; `None` if this is impossible or forbidden.
    fn clear(&mut self, pos: BlockPos, cell: Cell) -> Option<Clearing> {
        match cell.space {
            Space::Open | Space::Passable => Some(Clearing { ticks: 0, dug: 0 }),
            Space::Water => Some(Clearing { ticks: WADE, dug: 0 }),
            Space::Lava => None,
            Space::Solid | Space::Obstacle => {
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

    /// Returns whether the head is under water after a step: in water, or where water follows a body that digs on under
    /// water, no higher than before.
    fn ends_under_water(&mut self, from: BlockPos, to: BlockPos, begins_under_water: bool) -> bool {
        match self.space(to.up()) {
            Space::Water => true,
            Space::Open | Space::Passable => false,
            _ if self.falls_in(to.up()).1 => true,
            _ => begins_under_water && (to.y <= from.y || self.flows_into(to.up())),
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

    /// Returns whether lava is beside a place.
    fn is_beside_lava(&mut self, pos: BlockPos) -> bool {
        if let Some(known) = self.lava.get(pos) {
            return known;
        }
        let beside =
            !self.land.is_firm_around(pos) && sides(pos).into_iter().any(|side| self.space(side) == Space::Lava);
        *self.lava.get_mut(pos) = Some(beside);
        beside
    }

    /// The step to a place beside one, at any height, through cells that take these ticks to clear; `None` if it is
    /// impossible.
    fn sideways(&mut self, from: BlockPos, to: BlockPos, cleared: Clearing, submerged: bool) -> Option<Move> {
        let Clearing { mut ticks, dug } = cleared;
        // Under water, digging takes five times as long, and breath is short.
        let mut under_water = 0;
        if submerged {
            if dug > 0 && !has_breath(self.land, from, dug) {
                return None;
            }
            ticks *= 5;
            under_water = STROKE + if dug > 0 { dug * hindrance_under_water(self.land, from) } else { 0 };
        }
        let ends_under_water = self.ends_under_water(from, to, submerged);
        if ends_under_water {
            if self.is_too_deep(from, to) {
                return None;
            }
            ticks += 40;
            under_water = under_water.max(STROKE);
        }
        let swims = self.space(to) == Space::Water;
        let needs_floor = !swims && self.land.cell(to.down()).is_floor();
        if !swims && !needs_floor {
            ticks += self.floor_laid(from, to)?;
        }
        ticks += match to.y - from.y {
            _ if swims => SWIM,
            1 => CLIMB,
            _ => WALK,
        };
        if self.is_beside_lava(to) {
            ticks += 60;
        }
        let digs_under_water = submerged && dug > 0;
        Some(Move { to, ticks, under_water, ends_under_water, digs_under_water, needs_floor, digs: dug > 0 })
    }

    /// The cost of laying a floor for a sideways step; `None` if that is impossible or forbidden. The floor is placed
    /// against the block under the start of the step.
    fn floor_laid(&mut self, from: BlockPos, to: BlockPos) -> Option<u32> {
        let under = self.land.cell(to.down());
        let fits = under.is_airy() || under.space == Space::Water;
        let held = self.space(from) != Space::Water;
        (self.rules.bridge && to.y == from.y && fits && held).then_some(FLOOR)
    }

    /// The moves from a place, as indices for [`Self::get`]. `flooded` is true for a body that is under water. Water
    /// follows a body that digs there, so the place may be dry in the land.
    pub fn from(&mut self, from: BlockPos, flooded: bool) -> Range<u32> {
        if !flooded && let Some(Known { first, end, met_unknown }) = self.known.get(from) {
            self.met_unknown |= met_unknown;
            return first..end;
        }
        let (first, met_before) = (self.moves.len() as u32, std::mem::take(&mut self.met_unknown));
        self.find(from, flooded);
        let end = self.moves.len() as u32;
        if !flooded {
            *self.known.get_mut(from) = Some(Known { first, end, met_unknown: self.met_unknown });
        }
        self.met_unknown |= met_before;
        first..end
    }

    /// The move of an index.
    pub fn get(&self, index: u32) -> Move {
        self.moves[index as usize]
    }

    /// Computes the moves from a place.
    fn find(&mut self, from: BlockPos, flooded: bool) {
        let submerged = flooded || self.space(from.up()) == Space::Water;
        for side in sides(from) {
            self.find_to_side(from, side, submerged);
        }
        if self.space(from) == Space::Water {
            for (x, z) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let diagonal = self.diagonal(from, from.offset(x, 0, z), submerged);
                self.moves.extend(diagonal);
            }
        }
        let straight = [self.straight_down(from, submerged), self.straight_up(from)];
        self.moves.extend(straight.into_iter().flatten());
        if [from, from.up()].into_iter().any(|pos| self.space(pos) == Space::Water) {
            for to in [from.up(), from.down()] {
                let wet = [from.up(), to].map(|pos| self.space(pos) == Space::Water);
                if wet.contains(&true) && !self.land.cell(to).is_firm() {
                    let vertical = self.vertical(from, to, submerged);
                    self.moves.extend(vertical);
                }
            }
        }
    }

    /// Computes the moves to one side: level, one up, and down.
    fn find_to_side(&mut self, from: BlockPos, side: BlockPos, submerged: bool) {
        let is_barred = |it: &Self, to| it.rules.barred.contains(&(from, to));
        let sum =
            |one: Clearing, other: Clearing| Clearing { ticks: one.ticks + other.ticks, dug: one.dug + other.dug };
        let up = side.up();
        if !is_barred(self, up)
            && let Some(above) = self.cleared(from.offset(0, 2, 0))
            && let Some(head) = self.cleared(up.up())
            && let Some(feet) = self.cleared(up)
        {
            let step = self.sideways(from, up, sum(sum(above, head), feet), submerged);
            self.moves.extend(step);
        }
        // A drop of two or more blocks. Digging is allowed within the harmless depth; deeper drops pass only through
        // open cells.
        let mut open = [up, side, side.down()].into_iter().all(|pos| self.land.cell(pos).is_free());
        // The clearing of the cells down to a depth, once a step there is not barred.
        let mut through = Some((up, Clearing { ticks: 0, dug: 0 }));
        for depth in 0..=self.rules.drop {
            let to = side.offset(0, -depth, 0);
            if depth >= 2 {
                open &= self.land.cell(to).is_free();
                if !open && depth > DROP {
                    break;
                }
            }
            if is_barred(self, to) {
                continue;
            }
            while let Some((next, all)) = through.filter(|(next, _)| next.y >= to.y) {
                through = self.cleared(next).map(|clearing| (next.down(), sum(all, clearing)));
            }
            let Some((_, cleared)) = through else { continue };
            let Some(step) = self.sideways(from, to, cleared, submerged) else { continue };
            let price = if depth < 2 {
                0
            } else {
                2 * depth as u32 + 100 * (depth - DROP).max(0) as u32 + if open { 0 } else { NO_STAIRS }
            };
            self.moves.push(Move { ticks: step.ticks + price, ..step });
        }
    }

    /// The place below and the ticks to dig down to it: through a tree, since plants hide no block that flows or falls,
    /// or through one block of rock that lies on another, with no fluid around it.
    fn straight_down(&mut self, from: BlockPos, submerged: bool) -> Option<Move> {
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
        let blocked = self.rules.barred.contains(&(from, to)) || !self.land.cell(to.down()).is_floor();
        if blocked || !tree && (!cell.is_firm() || !dry(self)) {
            return None;
        }
        let Clearing { ticks, dug } = self.cleared(below)?;
        let ticks = ticks + CLIMB + if tree { 0 } else { NO_STAIRS / 3 };
        let under_water = if submerged { STROKE + dug * hindrance_under_water(self.land, from) } else { 0 };
        let ends_under_water = self.ends_under_water(from, to, submerged);
        let digs_under_water = submerged && dug > 0;
        Some(Move { to, ticks, under_water, ends_under_water, digs_under_water, needs_floor: true, digs: true })
    }

    /// The place above and the ticks to climb there on a block placed under the feet. It digs one block per level;
    /// stairs dig three.
    fn straight_up(&mut self, from: BlockPos) -> Option<Move> {
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
        let ticks = self.cleared(to.up())?.ticks + JUMP + PILLAR;
        Some(Move { digs: true, ..Move::free(to, ticks, 0) })
    }

    /// A diagonal step through water that is open on both sides.
    fn diagonal(&mut self, from: BlockPos, to: BlockPos, begins_under_water: bool) -> Option<Move> {
        let open = self.space(to) == Space::Water && passage(from, to).all(|pos| self.land.cell(pos).is_free());
        if !open || self.is_too_deep(from, to) || self.rules.barred.contains(&(from, to)) {
            return None;
        }
        let submerged = [from, to].into_iter().any(|pos| self.space(pos.up()) == Space::Water);
        let (price, under_water) = if submerged { (40, STROKE * 3 / 2) } else { (0, 0) };
        let ends_under_water = self.ends_under_water(from, to, begins_under_water);
        Some(Move { ends_under_water, ..Move::free(to, swim_ticks(from, to) + WADE + price, under_water) })
    }

    /// A step straight up or down through water.
    fn vertical(&mut self, from: BlockPos, to: BlockPos, begins_under_water: bool) -> Option<Move> {
        let next = if to.y > from.y { to.up() } else { to };
        if self.is_too_deep(from, to) || self.rules.barred.contains(&(from, to)) {
            return None;
        }
        let free = self.land.cell(next).is_free();
        let submerged = if self.space(to.up()) == Space::Water { 40 } else { 0 };
        let ends_under_water = self.ends_under_water(from, to, begins_under_water);
        let step = Move { ends_under_water, ..Move::free(to, SWIM + submerged, STROKE) };
        (free && self.space(to) == Space::Water).then_some(step)
    }
}
