//! The running world: blocks, one player, time. What happens to them by themselves, tick by tick: fire, breath, flowing
//! fluids, falling sand. What players do with it is in [`super::primitives`].

use std::collections::BTreeSet;

use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::blocks::Block;
use super::grid::Grid;
use super::inventory::Inventory;
use super::items::Item;
use super::observation::BlockPos;
use super::player::{Hurt, MAX_AIR, MAX_HEALTH, Player};
use super::terrain::MIN_Y;

/// Ticks a fluid takes to flow one block on.
const WATER_DELAY: u64 = 5;
const LAVA_DELAY: u64 = 30;
/// A source's level; flowing fluid has less, the less the farther it has come.
const SOURCE: u8 = 8;

/// The running world.
#[derive(Clone, Debug)]
pub struct Game {
    /// The blocks.
    pub grid: Grid,
    /// The player's body.
    pub player: Player,
    /// What the player carries.
    pub inventory: Inventory,
    /// Ticks since the beginning.
    pub tick: u64,
    /// Ticks of fire left in furnaces.
    pub(super) fires: FxHashMap<BlockPos, u32>,
    /// Cells a fluid is about to flow into, by the tick at which it does.
    flows: BTreeSet<(u64, BlockPos)>,
    /// Levels of fluid that has flowed; sources are not listed. What has flowed stays.
    levels: FxHashMap<BlockPos, u8>,
    /// For choices of the player's, such as where to explore.
    pub(super) rng: Pcg32,
    /// Ores the player has tried to get at in vain; exploring does not stop at them again.
    pub(super) given_up: FxHashSet<BlockPos>,
}

impl Game {
    /// A world with a player at `feet`.
    pub fn new(grid: Grid, feet: BlockPos, seed: u64) -> Self {
        Self {
            grid,
            player: Player::new(feet),
            inventory: Inventory::default(),
            tick: 0,
            fires: FxHashMap::default(),
            flows: BTreeSet::new(),
            levels: FxHashMap::default(),
            rng: Pcg32::seed_from_u64(seed ^ 0x00D1_A70D),
            given_up: FxHashSet::default(),
        }
    }

    /// The block at a position.
    pub fn block(&mut self, pos: BlockPos) -> Block {
        self.grid.block(pos)
    }

    /// Whether the eyes are under water.
    pub fn head_in_water(&mut self) -> bool {
        self.grid.block(self.player.head()) == Block::Water
    }

    /// Ticks of fire left in a furnace.
    pub fn fire_in(&self, furnace: BlockPos) -> u32 {
        self.fires.get(&furnace).copied().unwrap_or(0)
    }

    /// Lets time pass. Nothing happens to the dead.
    pub fn wait(&mut self, ticks: u64) {
        if self.is_calm() {
            self.tick += ticks;
            let burnt = u32::try_from(ticks).unwrap_or(u32::MAX);
            self.fires.retain(|_, left| {
                *left = left.saturating_sub(burnt);
                *left > 0
            });
            return;
        }
        for _ in 0..ticks {
            if self.player.death.is_some() {
                return;
            }
            self.one_tick();
        }
    }

    /// Whether nothing but clocks would change.
    fn is_calm(&mut self) -> bool {
        let Player { feet, health, air, fire, death } = self.player.clone();
        let body = [self.grid.block(feet), self.grid.block(feet.up())];
        self.flows.is_empty()
            && death.is_none()
            && (health, air, fire) == (MAX_HEALTH, MAX_AIR, 0)
            && body.iter().all(|block| *block == Block::Air)
    }

    fn one_tick(&mut self) {
        self.tick += 1;
        self.fires.retain(|_, left| {
            *left = left.saturating_sub(1);
            *left > 0
        });
        while let Some((due, pos)) = self.flows.first().copied()
            && due <= self.tick
        {
            self.flows.remove(&(due, pos));
            self.flow_into(pos);
        }
        let (feet, head) = (self.grid.block(self.player.feet), self.grid.block(self.player.head()));
        let player = &mut self.player;
        if feet == Block::Lava || head == Block::Lava {
            player.fire = 300;
            if self.tick.is_multiple_of(10) {
                player.hurt(Hurt::Lava, 4);
            }
        } else if feet == Block::Water || head == Block::Water {
            player.fire = 0;
        } else if player.fire > 0 {
            player.fire -= 1;
            if self.tick.is_multiple_of(20) {
                player.hurt(Hurt::Fire, 1);
            }
        }
        if head == Block::Water {
            player.air = player.air.saturating_sub(1);
            if player.air == 0 && self.tick.is_multiple_of(20) {
                player.hurt(Hurt::Drowning, 2);
            }
        } else {
            player.air = (player.air + 4).min(MAX_AIR);
        }
        if head.is_solid() && !head.is_leaves() && self.tick.is_multiple_of(10) {
            player.hurt(Hurt::Suffocation, 1);
        }
        if player.death.is_none() && player.health < MAX_HEALTH && self.tick.is_multiple_of(80) {
            player.health += 1;
        }
    }

    fn level(&self, pos: BlockPos) -> u8 {
        self.levels.get(&pos).copied().unwrap_or(SOURCE)
    }

    /// Fluid flows into a cell if it is still open and a neighbour still feeds it.
    fn flow_into(&mut self, pos: BlockPos) {
        if self.grid.block(pos) != Block::Air {
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
        self.grid.set(pos, fluid);
        self.levels.insert(pos, level);
        let below = pos.down();
        let onward = if self.grid.block(below) == Block::Air { vec![below] } else { sides(pos).to_vec() };
        for next in onward {
            self.expect_flow(next);
        }
    }

    /// Notes that a fluid beside or above an open cell will flow into it.
    fn expect_flow(&mut self, pos: BlockPos) {
        if pos.y <= MIN_Y || self.grid.block(pos) != Block::Air {
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

    /// Puts a block where the cell is open; what flowed there is displaced.
    pub fn put(&mut self, pos: BlockPos, block: Block) {
        self.levels.remove(&pos);
        self.grid.set(pos, block);
        if block == Block::Furnace {
            self.fires.remove(&pos);
        }
    }

    /// Makes a cell open: what lies on it falls, fluids beside it will flow in. Its fire goes out with a furnace.
    pub fn open(&mut self, pos: BlockPos) {
        self.fires.remove(&pos);
        self.grid.set(pos, Block::Air);
        let mut hole = pos;
        loop {
            let above = hole.up();
            let block = self.grid.block(above);
            if !block.falls() {
                break;
            }
            let mut rest = hole;
            while self.grid.block(rest.down()).is_open() && rest.y > MIN_Y {
                rest = rest.down();
            }
            self.grid.set(above, Block::Air);
            self.put(rest, block);
            hole = above;
        }
        let mut cell = pos;
        while cell.y <= hole.y {
            self.expect_flow(cell);
            cell = cell.up();
        }
    }

    /// Breaks a block with the tool in an inventory slot (or the bare hand), taking the time it takes; returns what it
    /// drops. `None` also when it cannot be broken or the player dies over it.
    pub fn break_block(&mut self, pos: BlockPos, slot: Option<usize>) -> Option<Item> {
        let tool = slot.and_then(|slot| self.inventory.slots()[slot]).map(|stack| stack.item);
        let under_water = self.head_in_water();
        let before = self.grid.block(pos);
        let ticks = before.break_ticks(tool, under_water)?;
        self.wait(u64::from(ticks));
        // It may have been washed over or buried meanwhile; only what was there is broken.
        if self.player.death.is_some() || self.grid.block(pos) != before {
            return None;
        }
        if let Some(slot) = slot {
            self.inventory.wear(slot);
        }
        let drop = before.drop_for(tool);
        self.open(pos);
        drop
    }

    /// Moves the body one step and lets the time for it pass.
    pub fn step_to(&mut self, feet: BlockPos, ticks: u64) {
        self.player.feet = feet;
        self.wait(ticks);
        self.settle();
    }

    /// Falls to the next floor or water. More than three blocks hurt, one half heart each.
    pub fn settle(&mut self) {
        let mut fallen = 0;
        while self.player.death.is_none() {
            let here = self.grid.block(self.player.feet);
            let below = self.player.feet.down();
            if here.is_fluid() || self.grid.block(below).is_solid() || below.y < MIN_Y {
                break;
            }
            self.player.feet = below;
            fallen += 1;
        }
        if fallen > 3 && !self.grid.block(self.player.feet).is_fluid() {
            self.player.hurt(Hurt::Fall, fallen - 3);
        }
        if fallen > 0 {
            self.wait(2 * u64::from(fallen));
        }
    }
}

/// The four cells beside one.
pub(super) fn sides(pos: BlockPos) -> [BlockPos; 4] {
    [pos.offset(0, 0, -1), pos.offset(1, 0, 0), pos.offset(0, 0, 1), pos.offset(-1, 0, 0)]
}
