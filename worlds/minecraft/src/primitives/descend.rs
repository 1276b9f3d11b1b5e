//! `exploreUntil` downwards: digs a shaft, or stairs if a shaft is not safe, to a level, then a tunnel, until a
//! resource is in sight.

use rand::RngExt;
use rustc_hash::FxHashMap;

use super::explore::{HEADINGS, SPARE};
use super::touch::may_open;
use super::travel::Aim;
use super::walls::FURNACE_AND_PICKAXE;
use super::{Executor, Resource};
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::ground::sides;
use crate::items::Item;
use crate::land::{Cell, Land};
use crate::observation::BlockPos;
use crate::path::{self, DROP};
use crate::region::Region;

/// The distance to another place from which to dig down, in blocks.
const AWAY: i32 = 14;

impl<B: Body> Executor<'_, B> {
    /// Digs down until a diamond comes into sight.
    pub(super) async fn explore_down(&mut self) -> Result<String, Failure> {
        if self.seen(Resource::Diamond) {
            return Err(Failure::new(Code::AlreadyInSight, "Diamond ore is in sight already."));
        }
        let feet = self.body.feet();
        self.within = Region::downwards(feet);
        let level = self.body.land().diamond_level(feet);
        self.dig_until(level, Resource::Diamond).await
    }

    /// Digs a shaft or a staircase to a level, then a tunnel, until a resource comes into sight. Walls off water and
    /// lava with rubble, and turns if that is not possible.
    pub(super) async fn dig_until(&mut self, level: i32, wanted: Resource) -> Result<String, Failure> {
        self.take_along(None).await?;
        let start = self.body.feet().y;
        let mut heading: usize = self.state.rng.random_range(0..4);
        let mut turned = 0;
        let mut dug = 0;
        let mut visits: FxHashMap<BlockPos, u32> = FxHashMap::default();
        // The places from which the player found no way down.
        let mut dead_ends = Vec::new();
        let has_pickaxe = self.tunnel_slot().is_some();
        // After the diamond, nothing is left to come up for.
        let returns = has_pickaxe && self.body.inventory().count(Item::IronPickaxe) == 0;
        while dug < self.limits.max_tunnel && self.body.ticks_left().is_none_or(|left| left > SPARE) {
            if has_pickaxe && self.tunnel_slot().is_none() {
                let now = self.body.feet().y;
                let worn = "every pickaxe is worn down to the uses kept for ore: craft another";
                return Err(Failure::new(Code::WrongTool, format!("Dug from y {start} to y {now}; {worn}.")));
            }
            self.leave_water().await?;
            let feet = self.body.feet();
            let up = (start - feet.y).max(0) as u32;
            if returns && self.lifts() < up {
                let uses = self.tunnel_uses();
                let why = format!(
                    "Stopped at y {}, {up} blocks down: the {uses} uses of tools left are for the way up. Craft another \
                     pickaxe, or go on without a way back.",
                    feet.y
                );
                return Err(Failure::new(Code::WrongTool, why));
            }
            let visits = visits.entry(feet).or_default();
            *visits += 1;
            if *visits > 3 {
                // The player is going round in circles.
                dug += 40;
                self.go_elsewhere(level, &mut dead_ends).await?;
                continue;
            }
            let side = sides(feet)[heading];
            let to = if feet.y > level && self.is_safe_below(feet.down()) {
                feet.down()
            } else if feet.y >= level + DROP && self.is_safe_shaft(side) {
                side.offset(0, -DROP, 0)
            } else if feet.y > level {
                side.down()
            } else if feet.y < level - 2 {
                side.up()
            } else {
                side
            };
            if self.advance(to, side).await? {
                turned = 0;
                dug += 1;
                if self.seen(wanted) {
                    let now = self.body.feet().y;
                    return Ok(format!("Dug from y {start} to y {now} and found {}.", wanted.label()));
                }
            } else if turned == 4 {
                self.go_elsewhere(level, &mut dead_ends).await?;
                turned = 0;
                dug += 8;
            } else {
                turned += 1;
                // The order of turns: right, then left of the heading, then back.
                heading = [heading, heading + 1, heading + 2, heading + 3, heading + 1][turned] % 4;
            }
        }
        let now = self.body.feet().y;
        let what = wanted.label();
        Err(Failure::new(Code::NothingFound, format!("Dug {dug} steps from y {start} to y {now} and saw no {what}.")))
    }

    /// The number of blocks that the player can climb straight up: on carried blocks, on those that its tools dig out of
    /// the wall, and with another pickaxe whose materials it carries.
    fn lifts(&mut self) -> u32 {
        let spare = if self.can_make_a_pickaxe() { Item::StonePickaxe.durability() } else { 0 };
        self.tunnel_uses() + self.wall_blocks(FURNACE_AND_PICKAXE) + spare
    }

    /// Goes to another place where a new staircase can begin: lower if the level is not reached, and away from all dead
    /// ends.
    async fn go_elsewhere(&mut self, level: i32, dead_ends: &mut Vec<BlockPos>) -> Result<(), Failure> {
        let feet = self.body.feet();
        let is_new = |pos: BlockPos, dead_ends: &[BlockPos]| {
            dead_ends.iter().all(|end| (pos.x - end.x).abs().max((pos.z - end.z).abs()) >= AWAY - 2)
        };
        if feet.y > level + 4 {
            let below = feet.offset(0, -5, 0);
            let mut lower = |land: &mut B::Land, pos: BlockPos| {
                pos.y <= feet.y - 4 && is_new(pos, dead_ends) && land.cell(pos).is_airy()
            };
            match self.go(below, None, &mut lower).await {
                Err(failure) if failure.code == Code::Unreachable => self.note("There is no way down nearby."),
                found => return found,
            }
        }
        dead_ends.push(self.body.feet());
        let far = |pos: BlockPos| is_new(pos, dead_ends);
        let mut aims: Vec<_> = HEADINGS.map(|(x, z)| feet.offset(AWAY * x, 0, AWAY * z)).into();
        aims.retain(|aim| far(*aim));
        if aims.is_empty() {
            // Surrounded by dead ends: aims far away on any side.
            aims = HEADINGS.map(|(x, z)| feet.offset(3 * AWAY * x, 0, 3 * AWAY * z)).into();
        }
        let no_way = || Failure::new(Code::NoWay, "Water, lava or a drop on all sides: no way on.");
        let arrived = &mut |land: &mut B::Land, pos| (far(pos) && !land.cell(pos).is_fluid()).then_some(0);
        self.go_where(Aim { toward: &aims, keep: &[], most: u32::MAX, arrived })
            .await
            .map_err(|failure| failure.said(Code::Unreachable, no_way))
    }

    /// Gets out of the water, if in it.
    async fn leave_water(&mut self) -> Result<(), Failure> {
        let feet = self.body.feet();
        if !self.cell(feet).is_fluid() {
            return Ok(());
        }
        let no_way = || Failure::new(Code::NoWay, "There is no way out of the water.");
        self.go(feet.offset(0, 8, 0), None, &mut |land, pos| land.cell(pos).is_airy())
            .await
            .map_err(|failure| failure.said(Code::Unreachable, no_way))
    }

    /// Makes one step of the staircase or tunnel. Returns `false` if it is not safe or not possible.
    async fn advance(&mut self, to: BlockPos, side: BlockPos) -> Result<bool, Failure> {
        let from = self.body.feet();
        for candidate in [to, side] {
            if !self.within.contains(candidate) {
                continue;
            }
            let stays = |cell: Cell| cell.is_fluid() || (cell.is_firm() && cell.digging.is_none());
            let blocked = path::passage(from, candidate).any(|pos| stays(self.cell(pos)));
            if blocked || !self.has_floor(from, candidate).await? {
                continue;
            }
            return Ok(Failure::unless_final(self.step(candidate).await)?.is_ok());
        }
        Ok(false)
    }

    /// Returns whether the block underfoot can be dug away: no fluid flows in, and the block below holds.
    pub(super) fn is_safe_below(&mut self, below: BlockPos) -> bool {
        let land = self.body.land();
        let cell = land.cell(below);
        let opens = cell.digging.is_some() && !cell.is_landmark() && may_open(land, below);
        opens && land.cell(below.down()).is_floor()
    }

    /// Returns whether a shaft down to a harmless drop can be dug beside the feet: every cell of it may be opened, and
    /// there is a floor.
    fn is_safe_shaft(&mut self, side: BlockPos) -> bool {
        let land = self.body.land();
        let mut shaft = (-DROP..=1).map(|y| side.offset(0, y, 0));
        let safe = shaft.all(|pos| {
            let cell = land.cell(pos);
            cell.is_airy() || cell.digging.is_some() && !cell.is_landmark() && may_open(land, pos)
        });
        safe && land.cell(side.offset(0, -DROP - 1, 0)).is_floor()
    }

    /// Returns whether there is a floor at most three blocks below, or one can be laid.
    async fn has_floor(&mut self, from: BlockPos, to: BlockPos) -> Result<bool, Failure> {
        let mut pos = to.down();
        loop {
            let cell = self.cell(pos);
            if cell.is_floor() {
                return Ok(true);
            }
            if !cell.is_airy() || from.y - pos.y >= 4 {
                break;
            }
            pos = pos.down();
        }
        // Only a floor within reach is laid; bridges into the open are not built.
        let bridged = from.down();
        if self.walls.contains(&bridged) {
            return Ok(false);
        }
        self.wall_off(to.down()).await
    }
}
