//! The place in a saved world where players begin.

use azalea_core::position::Vec3;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::terrain::{MAX_Y, MIN_Y};

use super::anvil::{SavedWorld, SavedWorldError};
use super::blocks::Blocks;
use super::hull::{PLAYER, hull};
use super::physics::{is_afloat, is_stuck, is_supported};

/// How far around the world's spawn a place is searched for, in blocks.
const RADIUS: i32 = 32;

/// The world's spawn if a player can stand there; otherwise the nearest place under the sky, and failing land, in water.
pub(super) fn choose(blocks: &mut Blocks, saved: &SavedWorld) -> Result<BlockPos, SavedWorldError> {
    let wanted = saved.spawn().unwrap_or(BlockPos::new(0, MAX_Y, 0));
    if saved.spawn().is_some() && stands(blocks, wanted) {
        return Ok(wanted);
    }
    let mut columns: Vec<(i32, i32)> =
        (-RADIUS..=RADIUS).flat_map(|z| (-RADIUS..=RADIUS).map(move |x| (x, z))).collect();
    columns.sort_by_key(|(x, z)| x * x + z * z);
    let mut afloat = None;
    for (x, z) in columns {
        let (x, z) = (wanted.x + x, wanted.z + z);
        // A chunk that is missing has only barriers.
        if saved.chunk(x >> 4, z >> 4).is_none() {
            continue;
        }
        let Some(top) = (MIN_Y..MAX_Y).rev().map(|y| BlockPos::new(x, y, z)).find(|pos| !is_empty(blocks, *pos)) else {
            continue;
        };
        if stands(blocks, top.up()) {
            return Ok(top.up());
        }
        if blocks.ground.block(top) == Block::Water {
            afloat.get_or_insert(top);
        }
    }
    let BlockPos { x, z, .. } = wanted;
    afloat.ok_or_else(|| SavedWorldError::NoSpawn { path: saved.folder().to_owned(), radius: RADIUS, x, z })
}

fn is_empty(blocks: &mut Blocks, pos: BlockPos) -> bool {
    blocks.boxes(pos).next().is_none() && !blocks.ground.block(pos).is_fluid()
}

/// Whether a player can stand with its feet in a block.
fn stands(blocks: &mut Blocks, feet: BlockPos) -> bool {
    let at = Vec3 { x: f64::from(feet.x) + 0.5, y: f64::from(feet.y), z: f64::from(feet.z) + 0.5 };
    let body = hull(at, PLAYER);
    let leaves = blocks.ground.block(feet.down()).is_leaves();
    !leaves && is_supported(blocks, body) && !is_stuck(blocks, body) && !is_afloat(blocks, at)
}
