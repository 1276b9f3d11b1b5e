//! The blocks of a game: terrain, fluids, furnaces, and the changes that clients and the save file need.

use azalea_block::BlockState;
use azalea_block::properties::FacingCardinal;
use azalea_protocol::packets::game::ClientboundBlockUpdate;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::grid::Grid;
use ltlcrit_minecraft::ground::Ground;
use ltlcrit_minecraft::observation::BlockPos;
use rustc_hash::FxHashSet;

use super::hull::Hull;
use super::names::{fluid_state, furnace_state, state, wire};
use super::windows::Furnaces;
use super::windows::furnace::Furnace;

/// The blocks of a game and their contents.
pub(super) struct Blocks {
    pub(super) ground: Ground,
    pub(super) furnaces: Furnaces,
    /// Blocks that may differ from the terrain.
    pub(super) changed: FxHashSet<BlockPos>,
}

impl Blocks {
    /// The blocks of an unchanged grid.
    pub(super) fn new(grid: Grid) -> Self {
        let mut ground = Ground::new(grid);
        ground.watch();
        Self { ground, furnaces: Furnaces::default(), changed: FxHashSet::default() }
    }

    /// The collision boxes of a block.
    pub(super) fn boxes(&mut self, pos: BlockPos) -> impl Iterator<Item = Hull> + use<> {
        self.ground.block(pos).shape().map(|shape| Hull::of(shape).at(pos)).into_iter()
    }

    /// The protocol's current state of a block.
    pub(super) fn state(&mut self, pos: BlockPos) -> BlockState {
        match self.ground.block(pos) {
            Block::Furnace => {
                furnace_state(FacingCardinal::North, self.furnaces.get(&pos).is_some_and(Furnace::is_lit))
            }
            block if block.is_fluid() => fluid_state(block, self.ground.level(pos)),
            block => state(block),
        }
    }

    /// The packet that describes the current state of a block.
    pub(super) fn update(&mut self, pos: BlockPos) -> ClientboundBlockUpdate {
        ClientboundBlockUpdate { pos: wire(pos), block_state: self.state(pos) }
    }
}
