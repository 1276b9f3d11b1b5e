//! `exploreUntil` over the land: explores until a missing resource is in sight.

use rand::RngExt;

use super::{Executor, Resource};
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::items::{Tag, Tier};
use crate::land::{Land, Space};
use crate::observation::BlockPos;
use crate::region::{IRON_LEVEL, Region};

/// Blocks walked between two looks around.
const LEG: i32 = 12;
/// The maximum ticks of a leg, by its plan. Another direction is better than minutes of digging, above all by hand.
const LEG_TICKS: u32 = 1600;
/// Blocks walked in search of ore before a player with a pickaxe searches below ground.
const WALK_FOR_ORE: u32 = 96;
/// Blocks walked in search of stone before that; stone is never far below.
const WALK_FOR_STONE: u32 = 12;
/// The spacing of the places at which land is looked for, in blocks, and their number in each direction.
const GRID: i32 = 4;
const SHORE: i32 = 20;
/// The eight directions, each a turn of 45 degrees from the one before.
pub(super) const HEADINGS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
/// The distances at which the land in a direction is sampled, in blocks.
const LOOKS: [i32; 4] = [16, 32, 48, 64];
/// The weight of water in a direction, in blocks of distance to the nearest place where the player has been.
const WATER: i64 = 24;
/// The weight of keeping the course, in the same unit.
const ON_COURSE: i64 = 6;
/// The ticks that must be left for another leg, or another step of a shaft.
pub(super) const SPARE: u64 = 200;
/// The divisor for blocks walked at sea: no resource is found there, and land may be far.
const AT_SEA: u32 = 4;

impl<B: Body> Executor<'_, B> {
    /// Returns whether a reachable block of a resource is in sight.
    pub(super) fn seen(&mut self, resource: Resource) -> bool {
        let found = self.in_sight(resource.kind(), |_, block| resource.is(block));
        found.first().is_some_and(|(unreachable, ..)| !unreachable)
    }

    /// The resources to look for: the materials of the next pickaxe, up to one that mines iron ore; then iron ore if
    /// none is in sight, then logs, stone or coal, then diamonds.
    fn missing(&mut self) -> Vec<Resource> {
        let inventory = self.body.inventory();
        let best = inventory.tools().filter_map(|(_, stack, _)| stack.item.pickaxe()).max();
        let has_wood =
            [Tag::Logs, Tag::Planks].iter().any(|tag| tag.items().iter().any(|item| inventory.count(*item) > 0));
        if best.is_none() && !has_wood && !self.seen(Resource::Log) {
            return vec![Resource::Log];
        }
        if best < Some(Tier::Stone) && !self.seen(Resource::Stone) {
            return vec![Resource::Stone];
        }
        if !self.seen(Resource::Iron) {
            return vec![Resource::Iron];
        }
        let rest = [Resource::Log, Resource::Coal, Resource::Stone];
        let missing: Vec<_> = rest.into_iter().filter(|resource| !self.seen(*resource)).collect();
        if missing.is_empty() { vec![Resource::Diamond] } else { missing }
    }

    /// The missing resource for which the player digs down if none is seen, and the blocks that it walks before.
    fn digs_for(&mut self, missing: &[Resource]) -> Option<(Resource, u32)> {
        let tier = self.tunnel_slot().and_then(|(_, item)| item.pickaxe());
        let below = [(Resource::Iron, Tier::Stone, WALK_FOR_ORE), (Resource::Stone, Tier::Wood, WALK_FOR_STONE)];
        let mut below = below.into_iter().filter(|(_, least, _)| tier >= Some(*least));
        below.find(|(resource, ..)| missing == [*resource]).map(|(resource, _, walk)| (resource, walk))
    }

    /// Walks in one direction, turning at obstacles, until a missing resource comes into sight. If the resource is
    /// stone or iron ore and none is seen for long, it digs down for it.
    pub(super) async fn explore_general(&mut self) -> Result<String, Failure> {
        let missing = self.missing();
        let looked_for = missing.iter().map(|resource| resource.label()).collect::<Vec<_>>().join(", ");
        self.note(format!("Looks for {looked_for}."));
        let feet = self.body.feet();
        self.within = Region::to_explore(feet, self.digs_for(&missing).is_some());
        self.surface().await?;
        let below = self.digs_for(&missing);
        let most = below.map_or(self.limits.max_walk, |(_, walk)| walk.min(self.limits.max_walk));
        let turn = if self.state.rng.random_range(0..2) == 0 { 1 } else { 7 };
        let mut heading = self.open_heading();
        let (mut went, mut walked, mut stuck) = (0, 0, 0);
        let mut last = None;
        while walked < most && stuck < 2 * HEADINGS.len() && self.body.ticks_left().is_none_or(|left| left > SPARE) {
            // If every direction takes long, any direction is accepted.
            let patience = if stuck < HEADINGS.len() { LEG_TICKS } else { u32::MAX };
            if let Err(failure) = Failure::unless_final(self.walk_leg(heading, patience).await)? {
                stuck += 1;
                heading = (heading + turn) % HEADINGS.len();
                last = Some(failure);
                continue;
            }
            stuck = 0;
            let feet = self.body.feet();
            let at_sea = self.cell(feet).space == Space::Water && self.cell(feet.down()).space == Space::Water;
            went += LEG as u32;
            walked += LEG as u32 / if at_sea { AT_SEA } else { 1 };
            if let Some(found) = missing.iter().find(|resource| self.seen(**resource)) {
                return Ok(format!("Walked {went} blocks and found {}.", found.label()));
            }
        }
        if let Some((resource, _)) = below {
            return self.dig_until(IRON_LEVEL, resource).await;
        }
        if went == 0 {
            let no_way = || Failure::new(Code::NoWay, "There is no way on in any direction.");
            return Err(last.map_or_else(no_way, |failure| failure.said(Code::Unreachable, no_way)));
        }
        Err(Failure::new(Code::NothingFound, format!("Walked {went} blocks and saw nothing new of: {looked_for}.")))
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
        self.state.note_visit(feet);
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
    use crate::land::Cell;
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

        fn visit_visible(&mut self, _: [f64; 3], _: Sight, _: VisibleKind, _: impl FnMut(BlockPos, Block, f64)) {}

        fn ground(&mut self, x: i32, z: i32) -> Option<i32> {
            Land::ground(&mut self.0, x, z)
        }

        fn biome(&mut self, pos: BlockPos) -> String {
            self.0.biome(pos.x, pos.z).name().to_owned()
        }

        fn diamond_level(&mut self) -> i32 {
            Land::diamond_level(&mut self.0)
        }

        fn is_firm_around(&mut self, _: BlockPos) -> bool {
            false
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
