//! The place where a run begins: at the surface, determined by terrain and seed.

use super::blocks::Block;
use super::grid::Grid;
use super::observation::BlockPos;
use super::player::eyes;
use super::sight::Sight;
use super::sightings;
use super::terrain::{MAX_Y, MIN_Y, SEA_LEVEL};

/// The maximum distance from the origin that is considered, in chunks.
const RADIUS: i32 = 24;
/// The minimum number of logs in sight.
const LOGS: u32 = 12;

/// The place for the player's feet. In terrains that begin at the origin, it is the surface there, see [`surface`]. In
/// the others, chunks are tried in growing squares around the origin: the first with enough trees and some stone in
/// sight; without one, the first with trees; otherwise dry land at the origin.
pub fn choose(grid: &mut Grid) -> BlockPos {
    if grid.terrain().begins_at_origin() {
        return surface(grid);
    }
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
            let seen = sightings::see(grid, eyes(feet), Sight::Exposed, |_| false);
            let logs: u32 = seen.iter().filter(|(block, _)| block.is_log()).map(|(_, sighting)| sighting.count).sum();
            if logs < LOGS {
                continue;
            }
            with_trees.get_or_insert(feet);
            if seen.contains_key(&Block::Stone) {
                return feet;
            }
        }
    }
    with_trees.or(dry).unwrap_or(BlockPos::new(8, MAX_Y - 1, 8))
}

/// The top of the column at the origin, as chosen by servers that do not look for a good place: on a roof of leaves, on
/// ice, or swimming. If no body fits there, as on a cactus, the nearest column with room for one.
fn surface(grid: &mut Grid) -> BlockPos {
    let mut columns = (0..=8).flat_map(square);
    columns.find_map(|(x, z)| top(grid, x, z)).unwrap_or(BlockPos::new(0, MAX_Y - 1, 0))
}

/// The place for the feet on top of a column; `None` if no block there carries a body.
fn top(grid: &mut Grid, x: i32, z: i32) -> Option<BlockPos> {
    let mut feet = BlockPos::new(x, MAX_Y - 2, z);
    while feet.y > MIN_Y {
        let below = grid.block(feet.down());
        match below {
            Block::Water => return Some(feet.down()),
            _ if below.is_floor() => return Some(feet),
            _ if below.is_passable() => feet = feet.down(),
            _ => return None,
        }
    }
    None
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
