//! Reach: the blocks that a player can touch, and the obstructions to dig away first.

use crate::land::Land;
use crate::observation::BlockPos;
use crate::player::{eyes, is_touched, is_within_reach};

/// The maximum number of blocks between a player and a block that it can touch. They are dug away first.
const MAX_OBSTRUCTIONS: usize = 2;

/// The blocks between a player at `feet` and a block within reach; `None` if the block is out of reach, underfoot, or
/// behind too many blocks or one that must not be dug.
pub(super) fn touch(land: &mut impl Land, feet: BlockPos, target: BlockPos) -> Option<Vec<BlockPos>> {
    if target == feet.down() || target == feet || target == feet.up() {
        return None;
    }
    if !is_within_reach(feet, target) {
        return None;
    }
    if is_touched(feet, target) {
        return Some(Vec::new());
    }
    let to_face = |beside: BlockPos| {
        // The middle of the face.
        let middle = |own: i32, side: i32| f64::from(own) + 0.5 + 0.5 * f64::from(side - own);
        let face = [middle(target.x, beside.x), middle(target.y, beside.y), middle(target.z, beside.z)];
        obstructions(land, eyes(feet), face, target, feet)
    };
    target.neighbours().into_iter().filter_map(to_face).min_by_key(Vec::len)
}

/// The solid blocks on the line between two points, without the target. `None` if there are too many, or if one must
/// stay: the block underfoot, landmarks, unbreakable blocks, and blocks next to lava or sand.
fn obstructions(
    land: &mut impl Land,
    from: [f64; 3],
    to: [f64; 3],
    target: BlockPos,
    feet: BlockPos,
) -> Option<Vec<BlockPos>> {
    const SAMPLES: i32 = 32;
    let (mut found, mut before) = (Vec::new(), feet);
    for sample in 1..SAMPLES {
        let along = f64::from(sample) / f64::from(SAMPLES);
        let [x, y, z] = std::array::from_fn(|i| (from[i] + (to[i] - from[i]) * along).floor() as i32);
        let pos = BlockPos::new(x, y, z);
        // The body's own cells are already clear, and most samples lie in the cell of the sample before.
        let seen = std::mem::replace(&mut before, pos) == pos;
        if seen || pos == target || pos == feet || pos == feet.up() {
            continue;
        }
        let cell = land.cell(pos);
        if !cell.is_firm() || found.contains(&pos) {
            continue;
        }
        let stays = pos == feet.down() || cell.is_landmark() || cell.digging.is_none();
        if stays || found.len() == MAX_OBSTRUCTIONS || !may_open(land, pos) {
            return None;
        }
        found.push(pos);
    }
    Some(found)
}

/// Returns whether opening a cell lets nothing flow or fall in.
pub(super) fn may_open(land: &mut impl Land, pos: BlockPos) -> bool {
    land.is_firm_around(pos)
        || !(pos.neighbours().into_iter().any(|beside| land.cell(beside).is_fluid()) || land.cell(pos.up()).falls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Block;
    use crate::grid::Grid;
    use crate::terrain::{Terrain, TerrainKind};

    fn grid() -> Grid {
        Grid::new(Terrain::new(TerrainKind::Compact, 1))
    }

    #[test]
    fn never_digs_straight_down() {
        let feet = BlockPos::new(8, 65, 8);
        assert_eq!(touch(&mut grid(), feet, feet.down()), None);
        assert!(touch(&mut grid(), feet, feet.offset(1, -1, 0)).is_some());
    }

    #[test]
    fn reaches_four_and_a_half_blocks_and_two_deep() {
        let mut grid = grid();
        let feet = BlockPos::new(8, 130, 8);
        let target = feet.offset(4, 1, 0);
        grid.set(target, Block::CoalOre);
        assert_eq!(touch(&mut grid, feet, target), Some(Vec::new()));
        assert_eq!(touch(&mut grid, feet.offset(-2, 0, 0), target), None, "too far");
        for x in 1..4 {
            for y in 0..=3 {
                for z in -2..=2 {
                    grid.set(feet.offset(x, y, z), Block::Stone);
                }
            }
        }
        assert_eq!(touch(&mut grid, feet, target), None, "three blocks in between");
        for y in 0..=3 {
            for z in -2..=2 {
                grid.set(feet.offset(3, y, z), Block::Air);
            }
        }
        let obstructions = touch(&mut grid, feet, target).unwrap();
        assert_eq!(obstructions, [feet.offset(1, 1, 0), feet.offset(2, 1, 0)]);
        grid.set(feet.offset(2, 1, 1), Block::Lava);
        assert_eq!(touch(&mut grid, feet, target), None, "lava would flow in");
    }
}
