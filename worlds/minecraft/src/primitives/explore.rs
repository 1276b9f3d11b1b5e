//! `exploreUntil`: over the land until a missing resource is in sight, or down until a diamond is.

use rand::RngExt;
use rustc_hash::FxHashMap;

use super::{Code, Executor, Failure, Resource};
use crate::body::Body;
use crate::ground::sides;
use crate::land::{Cell, Land, Space};
use crate::observation::BlockPos;
use crate::path;
use crate::sight::VisibleKind;

/// Blocks walked between two looks around.
const LEG: i32 = 8;

impl<B: Body> Executor<'_, B> {
    /// Whether a reachable block of a resource is in sight.
    fn seen(&mut self, resource: Resource) -> bool {
        let eyes = self.eyes();
        let kind = if resource == Resource::Stone { VisibleKind::Stone } else { VisibleKind::Landmarks };
        let unreachable = &self.state.unreachable;
        let mut seen = false;
        self.body.land().visit_visible(eyes, self.limits.sight, kind, |pos, block, _| {
            seen |= resource.is(block) && !unreachable.contains(&pos);
        });
        seen
    }

    /// Walks in one direction, turning at obstacles, until a missing resource comes into sight: iron ore if none is in
    /// sight, otherwise logs, stone or coal, otherwise diamonds.
    pub(super) async fn explore_general(&mut self) -> Result<String, Failure> {
        let missing: Vec<Resource> = if !self.seen(Resource::Iron) {
            vec![Resource::Iron]
        } else {
            let rest = [Resource::Log, Resource::Coal, Resource::Stone];
            let missing: Vec<_> = rest.into_iter().filter(|resource| !self.seen(*resource)).collect();
            if missing.is_empty() { vec![Resource::Diamond] } else { missing }
        };
        self.surface().await?;
        let turn = if self.state.rng.random_range(0..2) == 0 { 1 } else { 7 };
        let mut heading: usize = self.state.rng.random_range(0..8);
        let mut walked = 0;
        let mut stuck = 0;
        while walked < self.limits.max_walk && stuck < 8 {
            let (dx, dz) = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)][heading];
            let feet = self.body.feet();
            let (x, z) = (feet.x + dx * LEG, feet.z + dz * LEG);
            // Unloaded land is assumed to be as high as here.
            let mut aim = BlockPos::new(x, self.body.land().ground(x, z).map_or(feet.y, |ground| ground + 1), z);
            // Over water, not along its bottom.
            while self.cell(aim).space == Space::Water {
                aim = aim.up();
            }
            let mut arrived =
                |_: &mut B::Land, pos: BlockPos| (pos.x - x).abs() + (pos.z - z).abs() <= 2 && pos.y >= aim.y - 3;
            match self.go(aim, None, &mut arrived).await {
                Ok(()) => stuck = 0,
                Err(failure) if failure.code.ends_action() => return Err(failure),
                Err(_) => {
                    stuck += 1;
                    heading = (heading + turn) % 8;
                    continue;
                }
            }
            walked += LEG as u32;
            if let Some(found) = missing.iter().find(|resource| self.seen(**resource)) {
                return Ok(format!("Walked {walked} blocks and found {}.", found.label()));
            }
        }
        let looked_for = missing.iter().map(|resource| resource.label()).collect::<Vec<_>>().join(", ");
        if walked == 0 {
            return Err(Failure::new(Code::NoWay, "There is no way on in any direction."));
        }
        Err(Failure::new(Code::NothingFound, format!("Walked {walked} blocks and saw nothing new of: {looked_for}.")))
    }

    /// Climbs to the surface, digging stairs, when underground.
    async fn surface(&mut self) -> Result<(), Failure> {
        for _ in 0..40 {
            let feet = self.body.feet();
            let Some(ground) = self.body.land().ground(feet.x, feet.z).filter(|ground| feet.y < ground - 3) else {
                return Ok(());
            };
            let height = (feet.y + 6).min(ground);
            let no_way = || Failure::new(Code::NoWay, "There is no way up to the surface.");
            self.go(BlockPos::new(feet.x, height, feet.z), None, &mut |_, pos| pos.y >= height)
                .await
                .map_err(|failure| failure.said(Code::Unreachable, no_way))?;
        }
        Ok(())
    }

    /// Digs a staircase to the diamonds' depth, then a tunnel, until a diamond comes into sight. Walls off water and
    /// lava with rubble; turns where that is not possible.
    pub(super) async fn explore_down(&mut self) -> Result<String, Failure> {
        if self.seen(Resource::Diamond) {
            return Err(Failure::new(Code::AlreadyInSight, "Diamond ore is in sight already."));
        }
        let level = self.body.land().diamond_level();
        let start = self.body.feet().y;
        let mut heading: usize = self.state.rng.random_range(0..4);
        let mut turned = 0;
        let mut dug = 0;
        let mut visits: FxHashMap<BlockPos, u32> = FxHashMap::default();
        while dug < self.limits.max_tunnel {
            self.leave_water().await?;
            let feet = self.body.feet();
            let visits = visits.entry(feet).or_default();
            *visits += 1;
            if *visits > 3 {
                // Going round in circles.
                dug += 40;
                self.go_elsewhere(level).await?;
                continue;
            }
            let side = sides(feet)[heading];
            let to = if feet.y > level {
                side.down()
            } else if feet.y < level - 2 {
                side.up()
            } else {
                side
            };
            match self.advance(to, side).await {
                Ok(true) => {
                    turned = 0;
                    dug += 1;
                    if self.seen(Resource::Diamond) {
                        let now = self.body.feet().y;
                        return Ok(format!("Dug from y {start} to y {now} and found diamond ore."));
                    }
                }
                Ok(false) => {
                    turned += 1;
                    if turned > 4 {
                        self.go_elsewhere(level).await?;
                        turned = 0;
                        dug += 8;
                        continue;
                    }
                    // Right, then left of the heading, then back.
                    heading = [heading, heading + 1, heading + 2, heading + 3, heading + 1][turned] % 4;
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(Failure::new(Code::NothingFound, format!("Dug {dug} steps and saw no diamond ore.")))
    }

    /// Goes to some other place, lower if the level is not reached, where a new staircase can begin.
    async fn go_elsewhere(&mut self, level: i32) -> Result<(), Failure> {
        let feet = self.body.feet();
        let down = feet.y > level + 4;
        let aim = if down { feet.offset(0, -5, 0) } else { feet };
        let far = |pos: BlockPos| match down {
            true => pos.y <= feet.y - 4,
            false => (pos.x - feet.x).abs() + (pos.z - feet.z).abs() >= 10,
        };
        let no_way = || Failure::new(Code::NoWay, "Water, lava or a drop on all sides: no way on.");
        self.go(aim, None, &mut |land, pos| far(pos) && land.cell(pos).is_airy())
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

    /// One step of the staircase or tunnel; `false` if it is not safe or not possible.
    async fn advance(&mut self, to: BlockPos, side: BlockPos) -> Result<bool, Failure> {
        let from = self.body.feet();
        for candidate in [to, side] {
            let stays = |cell: Cell| cell.is_fluid() || (cell.is_firm() && cell.digging.is_none());
            let blocked = path::passage(from, candidate).any(|pos| stays(self.cell(pos)));
            if blocked || !self.has_floor(from, candidate).await? {
                continue;
            }
            return match self.step(candidate).await {
                Ok(()) => Ok(true),
                Err(failure) if failure.code.ends_action() => Err(failure),
                Err(_) => Ok(false),
            };
        }
        Ok(false)
    }

    /// Whether there is something to stand on at most three blocks below, or a floor can be laid.
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
        // The floor itself within reach: lay it.
        self.wall_off(to.down()).await
    }
}
