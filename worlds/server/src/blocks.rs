//! The blocks of a game: terrain, fluids, furnaces, and the changes that clients and the save file need.

use azalea_protocol::packets::game::ClientboundBlockUpdate;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::grid::Grid;
use ltlcrit_minecraft::ground::Ground;
use ltlcrit_minecraft::observation::BlockPos;
use rustc_hash::FxHashSet;

use super::drops;
use super::entities::Entities;
use super::names::{fluid_state, furnace_state, state, wire};
use super::windows::Furnaces;
use super::windows::furnace::Furnace;

/// The blocks of a game and their contents.
pub(super) struct Blocks {
    pub(super) ground: Ground,
    pub(super) furnaces: Furnaces,
    /// Blocks that may differ from the generated terrain.
    pub(super) changed: FxHashSet<BlockPos>,
}

impl Blocks {
    /// The blocks of an unchanged grid.
    pub(super) fn new(grid: Grid) -> Self {
        let mut ground = Ground::new(grid);
        ground.watch();
        Self { ground, furnaces: Furnaces::default(), changed: FxHashSet::default() }
    }

    /// The packet that describes a block as it is now.
    pub(super) fn update(&mut self, pos: BlockPos) -> ClientboundBlockUpdate {
        let block_state = match self.ground.block(pos) {
            block if block.is_fluid() => fluid_state(block, self.ground.level(pos)),
            Block::Furnace => furnace_state(self.furnaces.get(pos).is_some_and(Furnace::is_lit)),
            block => state(block),
        };
        ClientboundBlockUpdate { pos: wire(pos), block_state }
    }

    /// Sends the blocks that have changed since the last call to the players who see them. Furnaces that are gone drop
    /// their contents.
    pub(super) fn publish_changes(&mut self, entities: &mut Entities) {
        let mut changed = self.ground.take_changed();
        changed.sort_unstable();
        changed.dedup();
        for pos in changed {
            self.changed.insert(pos);
            if self.furnaces.get(pos).is_some() && self.ground.block(pos) != Block::Furnace {
                for stack in self.furnaces.remove(pos) {
                    drops::drop_at(entities, self.ground.tick, pos, stack);
                }
            }
            entities.send_viewers(pos, None, self.update(pos));
        }
    }
}
