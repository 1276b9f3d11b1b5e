//! The running world of one player: ground, body and inventory. The [`super::primitives`] act on it.

use super::blocks::Block;
use super::grid::Grid;
use super::ground::Ground;
use super::inventory::Inventory;
use super::items::Item;
use super::observation::BlockPos;
use super::player::Player;
use super::terrain::MIN_Y;

/// The running world.
#[derive(Clone, Debug)]
pub struct Game {
    /// The blocks, their time, and their changes without players.
    pub ground: Ground,
    /// The player's body.
    pub player: Player,
    /// The player's inventory.
    pub inventory: Inventory,
}

impl Game {
    /// A world with a player at `feet`.
    pub fn new(grid: Grid, feet: BlockPos) -> Self {
        Self { ground: Ground::new(grid), player: Player::new(feet), inventory: Inventory::default() }
    }

    /// The block at a position.
    pub fn block(&mut self, pos: BlockPos) -> Block {
        self.ground.block(pos)
    }

    /// Returns whether the eyes are under water.
    pub fn head_in_water(&mut self) -> bool {
        self.ground.block(self.player.head()) == Block::Water
    }

    /// Lets time pass. A dead player does not change.
    pub fn wait(&mut self, ticks: u64) {
        if self.is_calm() {
            self.ground.pass(ticks);
            return;
        }
        for _ in 0..ticks {
            if self.player.death.is_some() {
                return;
            }
            self.ground.one_tick();
            let (feet, head) = (self.ground.block(self.player.feet), self.ground.block(self.player.head()));
            self.player.one_tick(feet, head, self.ground.tick);
        }
    }

    /// Returns whether only clocks would change.
    fn is_calm(&mut self) -> bool {
        let body = [self.ground.block(self.player.feet), self.ground.block(self.player.head())];
        self.ground.is_calm() && self.player.is_well() && body.iter().all(|block| block.is_passable())
    }

    /// Breaks a block with the tool in an inventory slot (or the bare hand), lets the required time pass, and returns
    /// the drop. `None` also if the block cannot be broken or the player dies during it.
    pub fn break_block(&mut self, pos: BlockPos, slot: Option<usize>) -> Option<Item> {
        let tool = slot.and_then(|slot| self.inventory.slots()[slot]).map(|stack| stack.item);
        let under_water = self.head_in_water();
        let before = self.ground.block(pos);
        let ticks = before.break_ticks(tool, under_water)?;
        self.wait(u64::from(ticks));
        // The block may have been washed over or buried by now.
        if self.player.death.is_some() || self.ground.block(pos) != before {
            return None;
        }
        if let Some(slot) = slot {
            self.inventory.wear(slot);
        }
        let drop = before.drop_for(tool);
        self.ground.open(pos);
        drop
    }

    /// Moves the body one step and lets the required time pass.
    pub(crate) fn step_to(&mut self, feet: BlockPos, ticks: u64) {
        self.player.feet = feet;
        self.wait(ticks);
        self.settle();
    }

    /// Falls to the next floor or water. Each block beyond three costs half a heart.
    pub fn settle(&mut self) {
        let mut fallen = 0;
        while self.player.death.is_none() {
            let here = self.ground.block(self.player.feet);
            let below = self.player.feet.down();
            if here.is_fluid() || self.ground.block(below).is_solid() || below.y < MIN_Y {
                break;
            }
            self.player.feet = below;
            fallen += 1;
        }
        if !self.ground.block(self.player.feet).is_fluid() {
            self.player.land(fallen);
        }
        if fallen > 0 {
            self.wait(2 * u64::from(fallen));
        }
    }
}
