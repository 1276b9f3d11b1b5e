//! `exploreUntil`: over the land until a missing resource is seen, or down and along until a diamond is.

use rand::RngExt;
use rustc_hash::FxHashMap;

use super::{Code, Doer, Failure, Resource};
use crate::minecraft::blocks::Block;
use crate::minecraft::observation::BlockPos;
use crate::minecraft::path;
use crate::minecraft::sight::{self, Look};

/// Blocks walked between two looks around.
const LEG: i32 = 8;

impl Doer<'_> {
    /// Whether a resource is in sight that was not tried in vain.
    fn seen(&mut self, resource: Resource) -> bool {
        let eyes = self.game.player.eyes();
        let look = if resource == Resource::Stone { Look::Stone } else { Look::Landmarks };
        let given_up = &self.game.given_up;
        let mut seen = false;
        sight::look(&mut self.game.ground.grid, eyes, self.options.sight, look, |pos, block, _| {
            seen |= resource.is(block) && !given_up.contains(&pos);
        });
        seen
    }

    /// Walks in one direction, turning where there is no way, until what is missing comes into sight: iron ore if none
    /// is in sight, otherwise whichever of logs, stone and coal is not; if nothing is missing, diamonds.
    pub(super) fn explore_general(&mut self) -> Result<String, Failure> {
        let missing: Vec<Resource> = if !self.seen(Resource::Iron) {
            vec![Resource::Iron]
        } else {
            let rest = [Resource::Log, Resource::Coal, Resource::Stone];
            let missing: Vec<_> = rest.into_iter().filter(|resource| !self.seen(*resource)).collect();
            if missing.is_empty() { vec![Resource::Diamond] } else { missing }
        };
        self.surface()?;
        let turn = if self.game.rng.random_range(0..2) == 0 { 1 } else { 7 };
        let mut heading: usize = self.game.rng.random_range(0..8);
        let mut walked = 0;
        let mut stuck = 0;
        while walked < self.options.max_walk && stuck < 8 {
            let (dx, dz) = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)][heading];
            let feet = self.game.player.feet;
            let (x, z) = (feet.x + dx * LEG, feet.z + dz * LEG);
            let aim = BlockPos::new(x, self.game.ground.grid.ground(x, z) + 1, z);
            match self
                .go(aim, true, None, &mut |_, pos| (pos.x - x).abs() + (pos.z - z).abs() <= 2 && pos.y >= aim.y - 3)
            {
                Ok(()) => stuck = 0,
                Err(failure) if failure.code == Code::Died => return Err(failure),
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
    fn surface(&mut self) -> Result<(), Failure> {
        for _ in 0..40 {
            let feet = self.game.player.feet;
            let ground = self.game.ground.grid.ground(feet.x, feet.z);
            if feet.y >= ground - 3 {
                return Ok(());
            }
            let height = (feet.y + 6).min(ground);
            self.go(BlockPos::new(feet.x, height, feet.z), true, None, &mut |_, pos| pos.y >= height).map_err(
                |failure| match failure.code {
                    Code::Unreachable => Failure::new(Code::NoWay, "There is no way up to the surface."),
                    _ => failure,
                },
            )?;
        }
        Ok(())
    }

    /// Digs a staircase to the depth where diamonds are, then tunnels on, until a diamond comes into sight. Water and
    /// lava that show up are walled off with the rubble of the digging; where that is not possible it turns.
    pub(super) fn explore_down(&mut self) -> Result<String, Failure> {
        if self.seen(Resource::Diamond) {
            return Err(Failure::new(Code::AlreadyInSight, "Diamond ore is in sight already."));
        }
        let level = self.game.ground.grid.terrain().diamond_level();
        let start = self.game.player.feet.y;
        let mut heading: usize = self.game.rng.random_range(0..4);
        let mut turned = 0;
        let mut dug = 0;
        let mut visits: FxHashMap<BlockPos, u32> = FxHashMap::default();
        while dug < self.options.max_tunnel {
            self.leave_water()?;
            let feet = self.game.player.feet;
            let visits = visits.entry(feet).or_default();
            *visits += 1;
            if *visits > 3 {
                // Going round in circles.
                dug += 40;
                self.go_elsewhere(level)?;
                continue;
            }
            let side = crate::minecraft::ground::sides(feet)[heading];
            let to = if feet.y > level {
                side.down()
            } else if feet.y < level - 2 {
                side.up()
            } else {
                side
            };
            match self.advance(to, side) {
                Ok(true) => {
                    turned = 0;
                    dug += 1;
                    if self.seen(Resource::Diamond) {
                        let now = self.game.player.feet.y;
                        return Ok(format!("Dug from y {start} to y {now} and found diamond ore."));
                    }
                }
                Ok(false) => {
                    turned += 1;
                    if turned > 4 {
                        self.go_elsewhere(level)?;
                        turned = 0;
                        dug += 8;
                        continue;
                    }
                    // Right, then left of where it was going, then back.
                    heading = [heading, heading + 1, heading + 2, heading + 3, heading + 1][turned] % 4;
                }
                Err(failure) => return Err(failure),
            }
        }
        Err(Failure::new(Code::NothingFound, format!("Dug {dug} steps and saw no diamond ore.")))
    }

    /// Finds a way to some other place, lower if there is farther to go down, where a staircase can begin anew.
    fn go_elsewhere(&mut self, level: i32) -> Result<(), Failure> {
        let feet = self.game.player.feet;
        let down = feet.y > level + 4;
        let aim = if down { feet.offset(0, -5, 0) } else { feet };
        let far = |pos: BlockPos| match down {
            true => pos.y <= feet.y - 4,
            false => (pos.x - feet.x).abs() + (pos.z - feet.z).abs() >= 10,
        };
        self.go(aim, true, None, &mut |grid, pos| far(pos) && grid.block(pos) == Block::Air).map_err(|failure| {
            match failure.code {
                Code::Unreachable => Failure::new(Code::NoWay, "Water, lava or a drop on all sides: no way on."),
                _ => failure,
            }
        })
    }

    /// Gets out of the water, if in it.
    fn leave_water(&mut self) -> Result<(), Failure> {
        let feet = self.game.player.feet;
        if !self.game.block(feet).is_fluid() {
            return Ok(());
        }
        self.go(feet.offset(0, 8, 0), true, None, &mut |grid, pos| grid.block(pos) == Block::Air).map_err(|failure| {
            match failure.code {
                Code::Unreachable => Failure::new(Code::NoWay, "There is no way out of the water."),
                _ => failure,
            }
        })
    }

    /// One step of the staircase or tunnel; `false` if it is not safe or not possible that way.
    fn advance(&mut self, to: BlockPos, side: BlockPos) -> Result<bool, Failure> {
        let from = self.game.player.feet;
        for candidate in [to, side] {
            let blocked = path::passage(from, candidate).any(|cell| {
                let block = self.game.block(cell);
                block.is_fluid() || block == Block::Bedrock
            });
            if blocked || !self.has_floor(from, candidate) {
                continue;
            }
            return match self.step(candidate) {
                Ok(()) => Ok(true),
                Err(failure) if failure.code == Code::NoWay => Ok(false),
                Err(failure) => Err(failure),
            };
        }
        Ok(false)
    }

    /// Whether there is something to stand on at most three blocks below, or a floor can be laid.
    fn has_floor(&mut self, from: BlockPos, to: BlockPos) -> bool {
        let mut cell = to.down();
        loop {
            match self.game.block(cell) {
                Block::Air if from.y - cell.y < 4 => cell = cell.down(),
                Block::Air | Block::Lava | Block::Water => break,
                _ => return true,
            }
        }
        // The floor itself within reach: lay it.
        self.wall_off(to.down())
    }
}
