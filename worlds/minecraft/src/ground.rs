//! The ground: blocks and time, and their changes without players: fires burn down, fluids flow, sand falls. The
//! embedded [`super::game`] and the server share it.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::blocks::Block;
use super::grid::Grid;
use super::observation::BlockPos;
use super::terrain::MIN_Y;

/// The level of a fluid's source. Flowing fluid has a lower level, which decreases with the distance from its source.
pub const SOURCE: u8 = 8;

/// Ticks that a fluid takes to flow one block further.
const WATER_DELAY: u64 = 5;
const LAVA_DELAY: u64 = 30;

/// Blocks and their changes over time.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The blocks.
    pub grid: Grid,
    /// Ticks since the beginning.
    pub tick: u64,
    /// Ticks of fire left in furnaces.
    fires: FxHashMap<BlockPos, u32>,
    /// Cells that a fluid is about to flow into, with the tick at which it does.
    flows: BTreeSet<(u64, BlockPos)>,
    /// Levels of fluid that has flowed since the terrain was made, without sources. Fluid that has flowed stays.
    levels: FxHashMap<BlockPos, u8>,
    /// The cells that changed since the last [`Self::take_changed`], if watched.
    changed: Option<Vec<BlockPos>>,
}

impl Ground {
    /// The ground of a grid, at tick 0.
    pub fn new(grid: Grid) -> Self {
        Self {
            grid,
            tick: 0,
            fires: FxHashMap::default(),
            flows: BTreeSet::new(),
            levels: FxHashMap::default(),
            changed: None,
        }
    }

    /// The block at a position.
    pub fn block(&mut self, pos: BlockPos) -> Block {
        self.grid.block(pos)
    }

    /// Records every cell that changes from now on, for [`Self::take_changed`].
    pub fn watch(&mut self) {
        self.changed.get_or_insert_default();
    }

    /// The cells that changed since the last call, in order, possibly more than once; empty unless watched.
    pub fn take_changed(&mut self) -> Vec<BlockPos> {
        self.changed.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn set(&mut self, pos: BlockPos, block: Block) {
        self.grid.set(pos, block);
        if let Some(changed) = &mut self.changed {
            changed.push(pos);
        }
    }

    /// The levels of fluids that have flowed; sources are not listed.
    pub fn levels(&self) -> impl Iterator<Item = (BlockPos, u8)> + '_ {
        self.levels.iter().map(|(pos, level)| (*pos, *level))
    }

    /// The cells that a fluid will flow into, with the number of ticks until then.
    pub fn flows(&self) -> impl Iterator<Item = (BlockPos, u64)> + '_ {
        self.flows.iter().map(|(due, pos)| (*pos, due.saturating_sub(self.tick)))
    }

    /// Restores the ground of a tick: changed blocks, [`Self::levels`] and [`Self::flows`].
    pub fn restore(
        &mut self,
        tick: u64,
        blocks: impl IntoIterator<Item = (BlockPos, Block)>,
        levels: impl IntoIterator<Item = (BlockPos, u8)>,
        flows: impl IntoIterator<Item = (BlockPos, u64)>,
    ) {
        self.tick = tick;
        for (pos, block) in blocks {
            self.set(pos, block);
        }
        self.levels.extend(levels);
        self.flows.extend(flows.into_iter().map(|(pos, delay)| (tick + delay, pos)));
    }

    /// Ticks of fire left in a furnace.
    pub fn fire_in(&self, furnace: BlockPos) -> u32 {
        self.fires.get(&furnace).copied().unwrap_or(0)
    }

    /// Lights a furnace for a number of ticks.
    pub fn light(&mut self, furnace: BlockPos, ticks: u32) {
        self.fires.insert(furnace, ticks);
    }

    /// Returns whether only clocks would change.
    pub(crate) fn is_calm(&self) -> bool {
        self.flows.is_empty()
    }

    /// Advances the clocks by a number of ticks in which nothing flows.
    pub fn pass(&mut self, ticks: u64) {
        self.tick += ticks;
        let burnt = u32::try_from(ticks).unwrap_or(u32::MAX);
        self.fires.retain(|_, left| {
            *left = left.saturating_sub(burnt);
            *left > 0
        });
    }

    /// Runs one tick: clocks advance, fluids flow.
    pub fn one_tick(&mut self) {
        self.pass(1);
        while let Some((due, pos)) = self.flows.first().copied()
            && due <= self.tick
        {
            self.flows.remove(&(due, pos));
            self.flow_into(pos);
        }
    }

    /// The level of the fluid in a cell, 1 to [`SOURCE`].
    pub fn level(&self, pos: BlockPos) -> u8 {
        self.levels.get(&pos).copied().unwrap_or(SOURCE)
    }

    /// Lets fluid flow into a cell and wash plants away, if the cell is still open and a neighbour still feeds it.
    fn flow_into(&mut self, pos: BlockPos) {
        if !self.grid.block(pos).is_passable() {
            return;
        }
        let above = self.grid.block(pos.up());
        let (fluid, level) = if above.is_fluid() {
            (above, SOURCE - 1)
        } else {
            let mut best = (Block::Air, 0);
            for side in sides(pos) {
                let block = self.grid.block(side);
                if block.is_fluid() {
                    let lost = if block == Block::Lava { 2 } else { 1 };
                    let level = self.level(side).saturating_sub(lost);
                    if level > best.1 {
                        best = (block, level);
                    }
                }
            }
            best
        };
        if level == 0 {
            return;
        }
        self.set(pos, fluid);
        self.levels.insert(pos, level);
        let below = pos.down();
        let onward = if self.grid.block(below).is_passable() { vec![below] } else { sides(pos).to_vec() };
        for next in onward {
            self.expect_flow(next);
        }
    }

    /// Schedules the flow of a fluid beside or above an open cell into it.
    fn expect_flow(&mut self, pos: BlockPos) {
        if pos.y <= MIN_Y || !self.grid.block(pos).is_passable() {
            return;
        }
        let mut feeding = sides(pos).map(|side| self.grid.block(side)).to_vec();
        feeding.push(self.grid.block(pos.up()));
        let delay = match (feeding.contains(&Block::Water), feeding.contains(&Block::Lava)) {
            (true, _) => WATER_DELAY,
            (false, true) => LAVA_DELAY,
            (false, false) => return,
        };
        self.flows.insert((self.tick + delay, pos));
    }

    /// Puts a block into an open cell and displaces any fluid there.
    pub fn put(&mut self, pos: BlockPos, block: Block) {
        self.levels.remove(&pos);
        self.set(pos, block);
        if block == Block::Furnace {
            self.fires.remove(&pos);
        }
    }

    /// Opens a cell: blocks above fall, fluids beside it will flow in, and a furnace's fire goes out. Ice above another
    /// block becomes water, as in the game.
    pub fn open(&mut self, pos: BlockPos) {
        self.fires.remove(&pos);
        let melts = self.grid.block(pos) == Block::Ice && !self.grid.block(pos.down()).is_passable();
        self.set(pos, if melts { Block::Water } else { Block::Air });
        let mut hole = pos;
        while self.let_fall(hole.up()) {
            hole = hole.up();
        }
        let mut cell = pos;
        while cell.y <= hole.y {
            self.expect_flow(cell);
            cell = cell.up();
        }
    }

    /// Lets an unsupported block fall, if its kind falls. Returns whether its kind falls.
    pub fn let_fall(&mut self, pos: BlockPos) -> bool {
        let block = self.grid.block(pos);
        if !block.falls() {
            return false;
        }
        let mut rest = pos;
        while self.grid.block(rest.down()).is_open() && rest.y > MIN_Y {
            rest = rest.down();
        }
        if rest != pos {
            self.set(pos, Block::Air);
            self.put(rest, block);
        }
        true
    }
}

/// The four cells beside one.
pub(super) fn sides(pos: BlockPos) -> [BlockPos; 4] {
    [pos.offset(0, 0, -1), pos.offset(1, 0, 0), pos.offset(0, 0, 1), pos.offset(-1, 0, 0)]
}
