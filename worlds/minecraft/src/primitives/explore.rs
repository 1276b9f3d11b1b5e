//! `exploreUntil` over the land: explores until the resource that the task takes next is in sight.

use rand::RngExt;

use super::{Executor, KEEP_HEALTH, LEAST_HEALTH, Resource};
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::land::Land;
use crate::observation::{BlockPos, direction};
use crate::observe::{look_around, observe};
use crate::path::WALK;
use crate::planner::State;
use crate::player::eyes;
use crate::region::{IRON_LEVEL, Region, digs_for};
use crate::sight::{RANGE, distance};

/// Blocks walked between two looks around.
const LEG: i32 = 12;
/// The maximum ticks of a leg, by its plan. Another direction is better than minutes of digging, above all by hand.
const LEG_TICKS: u32 = 1600;
/// Blocks walked in search of ore before a player with a pickaxe searches below ground.
const WALK_FOR_ORE: u32 = 96;
/// Blocks walked in search of stone before that; stone is never far below.
const WALK_FOR_STONE: u32 = 12;
/// Blocks between two lines on the progress of an exploration.
const BETWEEN_LINES: u32 = 48;
/// The spacing of the places at which land is looked for, in blocks, and their number in each direction.
const GRID: i32 = 4;
const SHORE: i32 = 20;
/// The eight directions, each a turn of 45 degrees from the one before.
pub(super) const HEADINGS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
/// The distances at which the land in a direction is sampled, in blocks.
const LOOKS: [i32; 4] = [16, 32, 48, 64];
/// The distances at which a swimmer looks for land in a direction, in blocks: as far as servers usually send it.
const HORIZON: [i32; 5] = [32, 48, 64, 96, 128];
/// The weight of water in a direction, in blocks of distance to the nearest place where the player has been.
const WATER: i64 = 24;
/// The weight of keeping the course, in the same unit.
const ON_COURSE: i64 = 6;
/// The ticks that must be left for another leg, or another step of a shaft.
pub(super) const SPARE: u64 = 200;
/// The ticks for each level of a shaft with a stone pickaxe.
const SHAFT: u32 = 20;
/// The divisor for blocks walked at sea: no resource is found there, and land may be far.
const AT_SEA: u32 = 4;

/// The course of a player at sea that sees no land: an octagonal spiral. Its sides grow by a third, so that a shore in
/// any direction is found after a few times its distance.
struct Spiral {
    /// The length of the present side, in legs, and the part that is left.
    side: u32,
    left: u32,
}

impl Spiral {
    const BEGIN: Self = Self { side: 2, left: 2 };

    /// Counts a leg. Returns whether the next one begins another side.
    fn turns(&mut self) -> bool {
        self.left -= 1;
        if self.left == 0 {
            self.side += self.side.div_ceil(3);
            self.left = self.side;
            return true;
        }
        false
    }
}

impl<B: Body> Executor<'_, B> {
    /// Returns whether a reachable block of a resource is in sight.
    pub(super) fn seen(&mut self, resource: Resource) -> bool {
        let found = self.in_sight(resource.kind(), |_, block| resource.is(block));
        found.first().is_some_and(|(unreachable, ..)| !unreachable)
    }

    /// Returns whether the player digs down for a resource that it does not find above.
    fn digs_for(&mut self, sought: Resource) -> bool {
        let tier = self.tunnel_slot().and_then(|(_, item)| item.pickaxe());
        digs_for(sought, tier)
    }

    /// Explores until the resource that the task's recipes take next is in sight: goes back to where it was last seen,
    /// or walks in one direction and turns at obstacles. If stone or iron ore is not seen for long, it digs down.
    pub(super) async fn explore_general(&mut self) -> Result<String, Failure> {
        let state = State::of(&observe(self.body, &mut self.state.memory, self.limits.sight));
        let sought = state.sought();
        let label = sought.label();
        self.note(format!("Looks for {label}."));
        let feet = self.body.feet();
        let digs = self.digs_for(sought);
        self.within = Region::to_explore(feet, digs);
        let (within, eyes) = (self.within, self.eyes());
        let known = self.state.memory.nearest(eyes, |block| sought.is(block)).map(|(place, _)| place.position);
        // A player that explores again does not want what it has just gone back to: it looks for another place.
        let returns = !state.sees(sought) && !self.state.memory.has_just_returned();
        let known = known.filter(|known| within.contains(*known) && returns);
        let most = match sought {
            Resource::Stone if digs => WALK_FOR_STONE,
            _ if digs => WALK_FOR_ORE,
            _ => u32::MAX,
        };
        let most = most.min(self.limits.max_walk);
        self.take_along(known).await?;
        if let Some(known) = known {
            let down = if sought == Resource::Stone { 0 } else { (feet.y - IRON_LEVEL).max(0) as u32 };
            let search = if digs { most * WALK + down * SHAFT } else { u32::MAX };
            if let Some(said) = self.go_back(known, sought, search).await? {
                self.state.memory.note_return();
                return Ok(said);
            }
        }
        self.surface().await?;
        let turn = if self.state.rng.random_range(0..2) == 0 { 1 } else { 7 };
        let start = self.body.feet();
        self.state.note_visit(start);
        let mut heading = match self.is_sea(start) {
            true => self.heading_to_land(0).unwrap_or_else(|| self.open_heading()),
            false => self.open_heading(),
        };
        let mut spiral = Spiral::BEGIN;
        let (mut went, mut walked, mut stuck) = (0, 0, 0);
        let mut last = None;
        while walked < most && stuck < 2 * HEADINGS.len() && self.body.ticks_left().is_none_or(|left| left > SPARE) {
            // If every direction takes long or ends at a cliff, any direction is accepted.
            let is_last_resort = stuck >= HEADINGS.len();
            let patience = if is_last_resort { u32::MAX } else { LEG_TICKS };
            self.keeps_health = if is_last_resort { LEAST_HEALTH } else { KEEP_HEALTH };
            if let Err(failure) = Failure::unless_final(self.walk_leg(heading, patience).await)? {
                stuck += 1;
                heading = (heading + turn) % HEADINGS.len();
                last = Some(failure);
                continue;
            }
            stuck = 0;
            let feet = self.body.feet();
            let at_sea = self.is_sea(feet);
            went += LEG as u32;
            walked += LEG as u32 / if at_sea { AT_SEA } else { 1 };
            if self.look_for(sought) {
                return Ok(format!("Walked {went} blocks and found {label}."));
            }
            if went.is_multiple_of(BETWEEN_LINES) {
                let away = (f64::from(feet.x - start.x)).hypot(f64::from(feet.z - start.z));
                let heading = direction(start, BlockPos { y: start.y, ..feet });
                self.note(format!(
                    "Walked {went} blocks, now {away:.0} blocks {heading} of the start, without {label}."
                ));
            }
            if !at_sea {
                spiral = Spiral::BEGIN;
            } else if let Some(to_land) = self.heading_to_land(heading) {
                heading = to_land;
            } else if spiral.turns() {
                heading = (heading + turn) % HEADINGS.len();
            }
        }
        if digs {
            return self.dig_until(IRON_LEVEL, sought).await;
        }
        if went == 0 {
            let no_way = || Failure::new(Code::NoWay, "There is no way on in any direction.");
            return Err(last.map_or_else(no_way, |failure| failure.said(Code::Unreachable, no_way)));
        }
        Err(Failure::new(Code::NothingFound, format!("Walked {went} blocks and saw nothing new of: {label}.")))
    }

    /// Goes back until a remembered block of a resource is in sight, if a plan of at most `search` ticks leads there:
    /// those of a search for another one. Returns what happened if the resource is in sight then.
    async fn go_back(&mut self, known: BlockPos, resource: Resource, search: u32) -> Result<Option<String>, Failure> {
        let away = distance(self.eyes(), known);
        self.note(format!("Remembers {} at {known}.", resource.label()));
        if known.y > self.body.feet().y {
            self.surface().await?;
        }
        // A tunnel right up to it is left to mining, which has the better tool and takes the cheapest block.
        let arrived = &mut |_: &mut B::Land, feet| distance(eyes(feet), known) <= RANGE;
        let went = Failure::unless_final(self.go_within(search, known, arrived).await)?;
        if self.look_for(resource) {
            return Ok(Some(format!("Walked back {away:.0} blocks and found {}.", resource.label())));
        }
        if went.is_err() && search == u32::MAX {
            let tick = self.body.tick();
            self.state.memory.give_up(known, tick);
        }
        Ok(None)
    }

    /// Remembers the blocks in sight. Returns whether a reachable block of a resource is among them.
    fn look_for(&mut self, resource: Resource) -> bool {
        let seen = look_around(self.body, &mut self.state.memory, self.limits.sight);
        seen.keys().any(|block| resource.is(*block))
    }

    /// Walks a leg in a direction, if a plan of at most `patience` ticks leads there.
    async fn walk_leg(&mut self, heading: usize, patience: u32) -> Result<(), Failure> {
        let (dx, dz) = HEADINGS[heading % HEADINGS.len()];
        let feet = self.body.feet();
        let aim = self.surface_at(feet.x + dx * LEG, feet.z + dz * LEG);
        let near = |pos: BlockPos| (pos.x - aim.x).abs() + (pos.z - aim.z).abs() <= 3 && pos.y >= aim.y - 3;
        let walked = self.go_within(patience, aim, &mut |_, pos| near(pos)).await;
        let feet = self.body.feet();
        self.state.note_visit(feet);
        walked
    }

    /// The place to stand, or to swim, at the surface; at the current height if the land is not loaded.
    fn surface_at(&mut self, x: i32, z: i32) -> BlockPos {
        let unloaded = self.body.feet().y;
        surface(self.body.land(), x, z, unloaded)
    }

    /// The direction with the most unvisited land. The current course adds weight, and ties are broken at random.
    fn open_heading(&mut self) -> usize {
        let first = self.state.rng.random_range(0..HEADINGS.len());
        let feet = self.body.feet();
        let course = self.state.course();
        let mut best = (i64::MIN, first);
        for heading in (0..HEADINGS.len()).map(|turn| (first + turn) % HEADINGS.len()) {
            let (dx, dz) = HEADINGS[heading];
            let mut worth = i64::from(dx * course.0 + dz * course.1) * ON_COURSE;
            for look in LOOKS {
                let place = self.surface_at(feet.x + dx * look, feet.z + dz * look);
                let wet = self.cell(place.down()).wet;
                worth += self.state.away_from_visits(place) - i64::from(wet) * WATER;
            }
            if worth > best.0 {
                best = (worth, heading);
            }
        }
        best.1
    }

    /// Returns whether the surface here is that of a sea, open or frozen.
    fn is_sea(&mut self, place: BlockPos) -> bool {
        [0, -1, -2].into_iter().any(|y| self.cell(place.offset(0, y, 0)).wet)
    }

    /// The direction of the nearest land at sea that was out of sight so far, the one with the smallest turn among
    /// several.
    fn heading_to_land(&mut self, course: usize) -> Option<usize> {
        let feet = self.body.feet();
        let turns = [0, 1, 7, 2, 6, 3, 5, 4].map(|turn| (course + turn) % HEADINGS.len());
        let looks = HORIZON.into_iter().flat_map(|look| turns.map(|heading| (look, heading)));
        let is_land = |it: &mut Self, look: i32, (dx, dz): (i32, i32)| {
            let (x, z) = (feet.x + dx * look, feet.z + dz * look);
            let place = it.surface_at(x, z);
            let is_new = it.state.away_from_visits(place) as f64 >= RANGE;
            is_new && it.body.land().ground(x, z).is_some() && !it.is_sea(place)
        };
        looks.into_iter().find(|(look, heading)| is_land(self, *look, HEADINGS[*heading])).map(|(_, heading)| heading)
    }

    /// Goes to the nearest land, if the player swims and there is land nearby.
    pub(super) async fn go_ashore(&mut self) -> Result<(), Failure> {
        let feet = self.body.feet();
        let mut nearest: Option<(i64, BlockPos)> = None;
        for (dx, dz) in (-SHORE..=SHORE).flat_map(|dx| (-SHORE..=SHORE).map(move |dz| (dx, dz))) {
            let surface = self.surface_at(feet.x + dx * GRID, feet.z + dz * GRID);
            // The bank may also be below the surface, as in a cave.
            let bank = BlockPos::new(feet.x + dx, feet.y, feet.z + dz);
            for place in (-1..=2).map(|y| bank.offset(0, y, 0)).chain([surface]) {
                let away = feet.squared_distance(place);
                let closer = nearest.is_none_or(|(least, _)| away < least);
                if closer && self.cell(place.down()).is_floor() && self.cell(place).is_airy() {
                    nearest = Some((away, place));
                }
            }
        }
        let no_land = || Failure::new(Code::NoWay, "There is no land in sight.");
        let (_, aim) = nearest.ok_or_else(no_land)?;
        self.note(format!("The nearest land is at {aim}."));
        self.go(aim, None, &mut |land, pos| {
            land.cell(pos.down()).is_floor() && land.cell(pos).is_airy() && pos.squared_distance(aim) <= 16
        })
        .await
    }

    /// Climbs to the surface by digging stairs, when underground.
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
}

/// The place to stand at the surface of a column, or over its water, ignoring plants; at the height `unloaded` if the
/// land is not loaded.
fn surface(land: &mut impl Land, x: i32, z: i32, unloaded: i32) -> BlockPos {
    let mut place = BlockPos::new(x, land.ground(x, z).map_or(unloaded, |ground| ground + 1), z);
    while land.cell(place).wet {
        place = place.up();
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Block;
    use crate::grid::Grid;
    use crate::land::{Cell, Space};
    use crate::sight::{Sight, VisibleKind};
    use crate::terrain::{Terrain, TerrainKind};

    /// A sea, 20 deep, over the land's ground, with kelp up to its surface.
    struct Kelp(Grid);

    impl Land for Kelp {
        fn cell(&mut self, pos: BlockPos) -> Cell {
            let bed = Grid::ground(&mut self.0, pos.x, pos.z);
            let kelp = Cell { space: Space::Obstacle, wet: true, ..Cell::of(Block::Water) };
            if (bed + 1..=bed + 20).contains(&pos.y) { kelp } else { self.0.cell(pos) }
        }

        fn listed(&mut self, _: [i32; 3], _: Sight, _: VisibleKind) -> &[(u16, Block)] {
            &[]
        }

        fn ground(&mut self, x: i32, z: i32) -> Option<i32> {
            Land::ground(&mut self.0, x, z)
        }

        fn biome(&mut self, pos: BlockPos) -> String {
            self.0.biome(pos.x, pos.z).name().to_owned()
        }

        fn diamond_level(&mut self, from: BlockPos) -> i32 {
            Land::diamond_level(&mut self.0, from)
        }

        fn is_firm_section(&mut self, _: BlockPos) -> bool {
            false
        }
    }

    #[test]
    fn the_surface_of_the_sea_is_above_what_grows_in_it() {
        let mut land = Kelp(Grid::new(Terrain::new(TerrainKind::Compact, 1)));
        let bed = Land::ground(&mut land, 8, 8).unwrap();
        assert_eq!(surface(&mut land, 8, 8, 0), BlockPos::new(8, bed + 21, 8));
    }
}
