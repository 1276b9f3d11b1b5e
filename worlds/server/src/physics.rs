//! Collisions: boxes that do not pass through the boxes of blocks.

use azalea_core::position::Vec3;
use ltlcrit_minecraft::observation::positions;

use super::blocks::Blocks;
use super::hull::Hull;
use super::names::cell;

/// The maximum overlap that is ignored, because clients' coordinates are not exact.
const SLACK: f64 = 1e-3;
/// The maximum height above the ground at which a body still stands on it.
const FOOTING: f64 = 0.05;

/// The boxes of blocks that a box overlaps.
fn obstacles(hull: Hull, blocks: &mut Blocks) -> impl Iterator<Item = Hull> {
    let range = |axis: usize| hull.low[axis].floor() as i32..=(hull.high[axis].ceil() as i32 - 1);
    let boxes = positions(range(0), range(1), range(2)).flat_map(|pos| blocks.boxes(pos));
    boxes.filter(move |found| hull.meets(found))
}

/// Returns whether a box overlaps a block.
pub(super) fn is_stuck(blocks: &mut Blocks, hull: Hull) -> bool {
    obstacles(hull.grown(-SLACK, -SLACK), blocks).next().is_some()
}

/// Returns whether a block is right under a box.
pub(super) fn is_supported(blocks: &mut Blocks, hull: Hull) -> bool {
    let mut sole = hull.grown(-SLACK, 0.0);
    sole.high[1] = sole.low[1];
    sole.low[1] -= FOOTING;
    obstacles(sole, blocks).next().is_some()
}

/// Returns whether a body's feet or middle are in a fluid.
pub(super) fn is_afloat(blocks: &mut Blocks, at: Vec3) -> bool {
    [0.0, 0.9].into_iter().any(|up| blocks.ground.block(cell(Vec3 { y: at.y + up, ..at })).is_fluid())
}

/// The part of a move that a body completes: vertically first, then along the longer horizontal axis, then the shorter,
/// each until a block stops it. Blocks that already contain the body do not stop it.
pub(super) fn slide(blocks: &mut Blocks, mut hull: Hull, wish: Vec3) -> Vec3 {
    let wish = [wish.x, wish.y, wish.z];
    let order = if wish[0].abs() >= wish[2].abs() { [1, 0, 2] } else { [1, 2, 0] };
    let mut went = [0.0; 3];
    for axis in order {
        let step = along(blocks, hull, axis, wish[axis]);
        hull.low[axis] += step;
        hull.high[axis] += step;
        went[axis] = step;
    }
    let [x, y, z] = went;
    Vec3 { x, y, z }
}

fn along(blocks: &mut Blocks, hull: Hull, axis: usize, wish: f64) -> f64 {
    if wish == 0.0 {
        return 0.0;
    }
    // The swept space is narrower than the body, so that blocks it only touches do not stop it.
    let mut swept = hull.grown(-SLACK, -SLACK);
    if wish > 0.0 {
        swept.low[axis] = hull.high[axis] - SLACK;
        swept.high[axis] = hull.high[axis] + wish;
    } else {
        swept.high[axis] = hull.low[axis] + SLACK;
        swept.low[axis] = hull.low[axis] + wish;
    }
    let mut step = wish;
    for block in obstacles(swept, blocks) {
        if wish > 0.0 && block.low[axis] >= hull.high[axis] - SLACK {
            step = step.min((block.low[axis] - hull.high[axis]).max(0.0));
        } else if wish < 0.0 && block.high[axis] <= hull.low[axis] + SLACK {
            step = step.max((block.high[axis] - hull.low[axis]).min(0.0));
        }
    }
    step
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::blocks::Block;
    use ltlcrit_minecraft::grid::Grid;
    use ltlcrit_minecraft::observation::BlockPos;
    use ltlcrit_minecraft::terrain::{Terrain, TerrainKind};

    use super::*;
    use crate::hull::{PLAYER, hull};

    const FLOOR: i32 = 150;

    /// A floor of stone high above the land, with one block on it to the east.
    fn blocks() -> Blocks {
        let mut grid = Grid::new(Terrain::new(TerrainKind::Compact, 1));
        for x in 0..16 {
            for z in 0..16 {
                grid.set(BlockPos::new(x, FLOOR - 1, z), Block::Stone);
            }
        }
        grid.set(BlockPos::new(10, FLOOR, 8), Block::Stone);
        Blocks::new(grid)
    }

    fn at(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3 { x, y: f64::from(FLOOR) + y, z }
    }

    fn slid(from: Vec3, x: f64, y: f64, z: f64) -> [f64; 3] {
        let went = slide(&mut blocks(), hull(from, PLAYER), Vec3 { x, y, z });
        [went.x, went.y, went.z].map(|part| (part * 1000.0).round() / 1000.0)
    }

    #[test]
    fn walls_and_floors_stop_a_body() {
        assert_eq!(slid(at(8.5, 0.0, 8.5), 0.5, 0.0, 0.2), [0.5, 0.0, 0.2], "free");
        assert_eq!(slid(at(8.5, 0.0, 8.5), 3.0, 0.0, 0.2), [1.2, 0.0, 0.2], "along the wall");
        assert_eq!(slid(at(8.5, 2.0, 8.5), 0.0, -5.0, 0.0), [0.0, -2.0, 0.0], "onto the floor");
        assert_eq!(slid(at(8.5, 1.0, 8.5), 2.0, 0.1, 0.0), [2.0, 0.1, 0.0], "over the block");
        assert_eq!(slid(at(12.5, 0.0, 8.5), -3.0, 0.0, 0.0), [-1.2, 0.0, 0.0], "from the other side");
    }

    #[test]
    fn a_body_is_stuck_only_inside_something() {
        let mut blocks = blocks();
        assert!(!is_stuck(&mut blocks, hull(at(9.7, 0.0, 8.5), PLAYER)), "touching");
        assert!(is_stuck(&mut blocks, hull(at(9.8, 0.0, 8.5), PLAYER)));
        assert!(is_supported(&mut blocks, hull(at(8.5, 0.0, 8.5), PLAYER)));
        assert!(is_supported(&mut blocks, hull(at(16.2, 0.0, 8.5), PLAYER)), "on the edge");
        assert!(!is_supported(&mut blocks, hull(at(16.4, 0.0, 8.5), PLAYER)));
        assert!(!is_supported(&mut blocks, hull(at(8.5, 0.2, 8.5), PLAYER)));
        assert!(!is_supported(&mut blocks, hull(at(9.7, 0.3, 8.5), PLAYER)), "a wall is not a floor");
    }

    #[test]
    fn plants_stop_nobody_and_low_blocks_have_their_height() {
        let mut blocks = blocks();
        let grid = &mut blocks.ground.grid;
        for (x, block) in [(1, Block::ShortGrass), (2, Block::Snow), (3, Block::PowderSnow), (4, Block::Mud)] {
            grid.set(BlockPos::new(x, FLOOR, 8), block);
        }
        let mut slid = |from: Vec3, x: f64, y: f64| {
            let went = slide(&mut blocks, hull(from, PLAYER), Vec3 { x, y, z: 0.0 });
            [went.x, went.y].map(|part| (part * 1000.0).round() / 1000.0)
        };
        assert_eq!(slid(at(0.5, 0.0, 8.5), 3.0, 0.0), [3.0, 0.0], "through plants and snow");
        assert_eq!(slid(at(2.5, 0.0, 8.5), 3.0, 0.0), [1.2, 0.0], "to the mud");
        assert_eq!(slid(at(4.5, 2.0, 8.5), 0.0, -3.0), [0.0, -1.125], "onto the mud");
        assert!(!is_stuck(&mut blocks, hull(at(3.5, 0.0, 8.5), PLAYER)), "powder snow is soft");
    }

    #[test]
    fn distances_are_to_the_nearest_point() {
        let block = Hull::block(BlockPos::new(3, 0, 0));
        assert_eq!(block.distance(Vec3 { x: 0.0, y: 0.5, z: 0.5 }), 3.0);
        assert_eq!(block.distance(Vec3 { x: 3.5, y: 0.5, z: 0.5 }), 0.0);
    }
}
