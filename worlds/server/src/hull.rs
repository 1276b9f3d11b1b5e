//! The boxes of bodies and blocks.

use azalea_core::position::Vec3;
use ltlcrit_minecraft::blocks::Shape;
use ltlcrit_minecraft::observation::BlockPos;

/// A body's width and height, in blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A player's size.
pub(super) const PLAYER: Size = Size { width: 0.6, height: 1.8 };
/// A dropped item's size.
pub(super) const ITEM: Size = Size { width: 0.25, height: 0.25 };
/// The height of a player's eyes above its feet.
pub(super) const EYES: f64 = 1.62;

/// A box: its lowest and highest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hull {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

/// The box of a body; `at` is the middle of its bottom.
pub(super) fn hull(at: Vec3, size: Size) -> Hull {
    let half = size.width / 2.0;
    Hull { low: [at.x - half, at.y, at.z - half], high: [at.x + half, at.y + size.height, at.z + half] }
}

impl Hull {
    /// The box grown on all sides, horizontally and vertically. Negative amounts shrink it.
    pub(super) fn grown(self, flat: f64, up: f64) -> Self {
        let by = [flat, up, flat];
        Self {
            low: std::array::from_fn(|axis| self.low[axis] - by[axis]),
            high: std::array::from_fn(|axis| self.high[axis] + by[axis]),
        }
    }

    /// Returns whether two boxes overlap.
    pub(super) fn meets(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] < other.high[axis] && other.low[axis] < self.high[axis])
    }

    /// The box of a full block.
    pub(super) fn block(pos: BlockPos) -> Self {
        let low = [pos.x, pos.y, pos.z].map(f64::from);
        Self { low, high: low.map(|part| part + 1.0) }
    }

    /// The box of a shape, relative to the block's corner.
    pub(super) fn of(shape: Shape) -> Self {
        let at = |sixteenths: [u8; 3]| sixteenths.map(|part| f64::from(part) / 16.0);
        Self { low: at(shape.low), high: at(shape.high) }
    }

    /// The distance of a point from the box.
    pub(super) fn distance(&self, point: Vec3) -> f64 {
        let point = [point.x, point.y, point.z];
        let gap = |axis: usize| (self.low[axis] - point[axis]).max(point[axis] - self.high[axis]).max(0.0);
        (gap(0).powi(2) + gap(1).powi(2) + gap(2).powi(2)).sqrt()
    }

    /// The box moved to a block.
    pub(super) fn at(self, pos: BlockPos) -> Self {
        let by = Self::block(pos).low;
        Self {
            low: std::array::from_fn(|axis| self.low[axis] + by[axis]),
            high: std::array::from_fn(|axis| self.high[axis] + by[axis]),
        }
    }
}
