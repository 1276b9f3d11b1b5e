//! The place where a run begins: on the surface, with trees and stone in sight, determined by terrain and seed.

use rustc_hash::FxHashSet;

use super::blocks::Block;
use super::grid::Grid;
use super::observation::BlockPos;
use super::player::eyes;
use super::sight::Sight;
use super::sightings;
use super::terrain::SEA_LEVEL;

/// Chunks away from the origin that are considered.
const RADIUS: i32 = 24;
/// Logs that must be in sight.
const LOGS: u32 = 12;

/// The place for the player's feet: the first in growing squares of chunks around the origin with enough trees and some
/// stone in sight; failing stone, with trees; failing trees, dry land at the origin.
pub fn choose(grid: &mut Grid) -> BlockPos {
    let mut with_trees = None;
    let mut dry = None;
    for ring in 0..=RADIUS {
        for (cx, cz) in square(ring) {
            let (x, z) = (cx * 16 + 8, cz * 16 + 8);
            let ground = grid.ground(x, z);
            let feet = BlockPos::new(x, ground + 1, z);
            if ground <= SEA_LEVEL || !stands(grid, feet) {
                continue;
            }
            dry.get_or_insert(feet);
            if grid.plan(x, z).trees.is_empty() {
                continue;
            }
            let seen = sightings::see(grid, eyes(feet), Sight::Exposed, &FxHashSet::default());
            let logs: u32 = seen.iter().filter(|(block, _)| block.is_log()).map(|(_, sighting)| sighting.count).sum();
            if logs < LOGS {
                continue;
            }
            with_trees.get_or_insert(feet);
            if seen.of(Block::Stone).is_some() {
                return feet;
            }
        }
    }
    with_trees.or(dry).unwrap_or(BlockPos::new(8, super::terrain::MAX_Y - 1, 8))
}

fn stands(grid: &mut Grid, feet: BlockPos) -> bool {
    grid.block(feet) == Block::Air && grid.block(feet.up()) == Block::Air && grid.block(feet.down()).is_solid()
}

/// The chunks at this distance from the origin, in a fixed order.
fn square(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    (-ring..=ring)
        .flat_map(move |z| (-ring..=ring).map(move |x| (x, z)))
        .filter(move |(x, z)| x.abs().max(z.abs()) == ring)
}
