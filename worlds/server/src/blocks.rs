//! The blocks of a game: terrain, fluids, furnaces, and the changes that clients and the save file need.

use std::sync::Arc;

use azalea_block::BlockState;
use azalea_block::properties::FacingCardinal;
use azalea_protocol::packets::game::ClientboundBlockUpdate;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::grid::Grid;
use ltlcrit_minecraft::ground::Ground;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::terrain::{MAX_Y, MIN_Y, Terrain};
use rustc_hash::FxHashSet;

use super::anvil::SavedWorld;
use super::block_rules::{BlockRules, rules};
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
    /// The world that the terrain is read from, if it is not generated. It has the true states of the blocks that have
    /// not changed; the ground has the blocks that they are most like.
    pub(super) saved: Option<Arc<SavedWorld>>,
}

impl Blocks {
    /// The blocks of an unchanged grid.
    pub(super) fn new(grid: Grid) -> Self {
        let mut ground = Ground::new(grid);
        ground.watch();
        Self { ground, furnaces: Furnaces::default(), changed: FxHashSet::default(), saved: None }
    }

    /// The blocks of a saved world.
    pub(super) fn of(saved: Arc<SavedWorld>) -> Self {
        let grid = Grid::new(Terrain::Source(saved.clone()));
        Self { saved: Some(saved), ..Self::new(grid) }
    }

    /// The state of a block that is as it was saved.
    pub(super) fn saved_state(&self, pos: BlockPos) -> Option<BlockState> {
        let saved = self.saved.as_ref()?;
        ((MIN_Y..MAX_Y).contains(&pos.y) && !self.changed.contains(&pos)).then(|| saved.state(pos))
    }

    /// The rules for a block that our table does not have.
    fn foreign(&self, pos: BlockPos) -> Option<&'static BlockRules> {
        self.saved_state(pos).map(rules).filter(|rules| !rules.known)
    }

    /// The boxes of a block that stop a body.
    pub(super) fn boxes(&mut self, pos: BlockPos) -> impl Iterator<Item = Hull> + use<> {
        let (own, foreign): (_, &[Hull]) = match self.foreign(pos) {
            Some(rules) => (None, &rules.boxes),
            None => (self.ground.block(pos).shape().map(Hull::of), &[]),
        };
        own.into_iter().chain(foreign.iter().copied()).map(move |found| found.at(pos))
    }

    /// Whether a body in a block swims or hangs on to it.
    pub(super) fn holds(&mut self, pos: BlockPos) -> bool {
        self.ground.block(pos).is_fluid() || self.foreign(pos).is_some_and(|rules| rules.holds)
    }

    /// The block around a part of a body: air, unless it fills its cell.
    pub(super) fn around_body(&mut self, pos: BlockPos) -> Block {
        match self.foreign(pos) {
            Some(rules) if rules.block.is_solid() && !rules.opaque => Block::Air,
            _ => self.ground.block(pos),
        }
    }

    /// Whether a placed block takes the block's place.
    pub(super) fn is_replaceable(&mut self, pos: BlockPos) -> bool {
        self.foreign(pos).map_or_else(|| self.ground.block(pos).is_open(), |rules| rules.replaceable)
    }

    /// The ticks it takes to break a block; `None` if it cannot be broken.
    pub(super) fn break_ticks(&mut self, pos: BlockPos, tool: Option<Item>, head_in_water: bool) -> Option<u32> {
        let Some(rules) = self.foreign(pos) else { return self.ground.block(pos).break_ticks(tool, head_in_water) };
        let digging = rules.digging?;
        let slower = if head_in_water && digging.hardness > 0 { 5 } else { 1 };
        Some(digging.ticks(tool) * slower)
    }

    /// Breaks a block and returns what it drops.
    pub(super) fn break_with(&mut self, pos: BlockPos, tool: Option<Item>) -> Option<Item> {
        let leaves_water = self.saved_state(pos).is_some_and(|state| rules(state).leaves_water);
        let drop = self.ground.block(pos).drop_for(tool);
        self.ground.open(pos);
        if leaves_water && self.ground.block(pos) == Block::Air {
            self.ground.put(pos, Block::Water);
        }
        drop
    }

    /// The protocol's state of a block as it is now.
    pub(super) fn state(&mut self, pos: BlockPos) -> BlockState {
        let saved = self.saved_state(pos);
        match (self.ground.block(pos), saved) {
            (Block::Furnace, _) => {
                let facing =
                    saved.and_then(|state| state.property::<FacingCardinal>()).unwrap_or(FacingCardinal::North);
                furnace_state(facing, self.furnaces.get(pos).is_some_and(Furnace::is_lit))
            }
            (_, Some(state)) => state,
            (block, None) if block.is_fluid() => fluid_state(block, self.ground.level(pos)),
            (block, None) => state(block),
        }
    }

    /// The packet that describes a block as it is now.
    pub(super) fn update(&mut self, pos: BlockPos) -> ClientboundBlockUpdate {
        ClientboundBlockUpdate { pos: wire(pos), block_state: self.state(pos) }
    }
}
