//! Selects the side of a block to use or dig, and the point on it.

use azalea::core::direction::Direction;
use azalea::core::position::{BlockPos as AzaleaPos, Vec3};
use ltlcrit_minecraft::land::Cell;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::REACH;

/// The sides of a block, each with the offset to the neighbour there.
pub(super) const SIDES: [(Direction, (i32, i32, i32)); 6] = [
    (Direction::Up, (0, 1, 0)),
    (Direction::Down, (0, -1, 0)),
    (Direction::North, (0, 0, -1)),
    (Direction::South, (0, 0, 1)),
    (Direction::West, (-1, 0, 0)),
    (Direction::East, (1, 0, 0)),
];

/// A position in azalea's type.
pub(super) fn pos(of: BlockPos) -> AzaleaPos {
    AzaleaPos::new(of.x, of.y, of.z)
}

/// The middle of a block's side.
pub(super) fn middle(of: BlockPos, (dx, dy, dz): (i32, i32, i32)) -> Vec3 {
    let part = |at: i32, side: i32| f64::from(at) + 0.5 + 0.5 * f64::from(side);
    Vec3::new(part(of.x, dx), part(of.y, dy), part(of.z, dz))
}

/// The side of a block to use from the eyes: the nearest uncovered side that faces them, otherwise the nearest side
/// that faces them.
pub(super) fn side(eyes: Vec3, of: BlockPos, mut cell: impl FnMut(BlockPos) -> Cell) -> (Direction, Vec3) {
    let mut best: Option<(bool, f64, Direction, Vec3)> = None;
    for (direction, way) in SIDES {
        let point = middle(of, way);
        let (dx, dy, dz) = (eyes.x - point.x, eyes.y - point.y, eyes.z - point.z);
        let faces = dx * f64::from(way.0) + dy * f64::from(way.1) + dz * f64::from(way.2) > 0.0;
        if !faces {
            continue;
        }
        let hidden = cell(of.offset(way.0, way.1, way.2)).is_firm();
        let away = dx * dx + dy * dy + dz * dz;
        if best.as_ref().is_none_or(|(known, near, ..)| (hidden, away) < (*known, *near)) {
            best = Some((hidden, away, direction, point));
        }
    }
    best.map_or_else(|| (Direction::Up, middle(of, (0, 0, 0))), |(_, _, direction, point)| (direction, point))
}

/// Returns whether any part of a block is within reach of the eyes.
pub(super) fn within(eyes: Vec3, of: BlockPos) -> bool {
    let gap = |eye: f64, low: i32| (f64::from(low) - eye).max(eye - f64::from(low) - 1.0).max(0.0);
    let (x, y, z) = (gap(eyes.x, of.x), gap(eyes.y, of.y), gap(eyes.z, of.z));
    // The tolerance is for a body that does not stand exactly in the middle of its cell.
    (x * x + y * y + z * z).sqrt() <= REACH + 0.3
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::blocks::Block;

    use super::*;

    #[test]
    fn touches_the_nearest_side_that_shows() {
        let block = BlockPos::new(0, 0, 0);
        let eyes = Vec3::new(0.5, 2.62, 2.5);
        let (direction, point) = side(eyes, block, |_| Cell::of(Block::Air));
        assert_eq!((direction, point), (Direction::Up, Vec3::new(0.5, 1.0, 0.5)));
        let covered = |pos: BlockPos| Cell::of(if pos == block.up() { Block::Stone } else { Block::Air });
        assert_eq!(side(eyes, block, covered).0, Direction::South);
        let buried = |_| Cell::of(Block::Stone);
        assert_eq!(side(eyes, block, buried).0, Direction::Up);
    }

    #[test]
    fn reaches_four_and_a_half_blocks() {
        let eyes = Vec3::new(0.5, 1.62, 0.5);
        assert!(within(eyes, BlockPos::new(4, 1, 0)));
        assert!(!within(eyes, BlockPos::new(6, 1, 0)));
        assert!(within(eyes, BlockPos::new(0, -3, 0)));
        assert!(!within(eyes, BlockPos::new(0, -5, 0)));
    }
}
