//! Terrain that is read, for example from a saved world, instead of made from a seed.

use std::fmt::Debug;

use super::plan::Cells;
use crate::observation::BlockPos;

/// The level of a fluid's source. Flowing fluid has a lower level, which decreases with the distance from its source.
pub const SOURCE: u8 = 8;

/// A source of blocks for a [`Grid`](crate::grid::Grid). It must give the same answer each time.
pub trait TerrainSource: Debug + Send + Sync {
    /// The blocks of section `section` (0 is the lowest) of a chunk. A block that is not in our table becomes the one that
    /// it is most like for falling, flowing and walking.
    fn section(&self, chunk_x: i32, section: usize, chunk_z: i32) -> Cells;

    /// The level of the fluid at a position, 1 to [`SOURCE`].
    fn fluid_level(&self, pos: BlockPos) -> u8;
}
