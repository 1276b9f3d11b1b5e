//! The embedded world's body: it acts at once, so its futures are always ready.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::blocks::Block;
use crate::body::{Body, DigPurpose, Tool, Vitals};
use crate::failure::{Code, Failure};
use crate::fuel::{SMELT_TICKS, burn_ticks};
use crate::game::Game;
use crate::grid::Grid;
use crate::ground::sides;
use crate::inventory::Inventory;
use crate::items::Item;
use crate::land::Land;
use crate::observation::BlockPos;
use crate::path;
use crate::primitives::is_at_hand;
use crate::recipes::Recipe;

/// A player's body in the embedded world, for one action.
///
/// Rubble stays where it was dug, but may be used for walls in the same action.
#[derive(Debug)]
pub(super) struct EmbeddedBody<'a> {
    game: &'a mut Game,
    rubble: Vec<Item>,
    /// The drop to collect: the tick at which it dropped, and the cell.
    dropped: Option<(u64, BlockPos)>,
}

/// The ticks in which a drop in water drifts by one block: up, or with the current.
const DRIFT: u64 = 8;

impl<'a> EmbeddedBody<'a> {
    pub(super) fn of(game: &'a mut Game) -> Self {
        Self { game, rubble: Vec::new(), dropped: None }
    }

    /// Returns whether sand or gravel has fallen on the player.
    fn is_buried(&mut self) -> bool {
        [self.game.player.head(), self.game.player.feet].into_iter().any(|cell| self.game.block(cell).falls())
    }

    /// The cell to which a drop moves on: to the ground, with the current, or up in still water.
    fn drift(&mut self, mut cell: BlockPos) -> BlockPos {
        let ground = &mut self.game.ground;
        while ground.grid.cell(cell).is_airy() && !ground.grid.cell(cell.down()).is_firm() {
            cell = cell.down();
        }
        if ground.block(cell) != Block::Water {
            return cell;
        }
        let mut lowest = (ground.level(cell), if ground.block(cell.up()) == Block::Water { cell.up() } else { cell });
        for side in sides(cell) {
            let level = ground.level(side);
            if ground.block(side) == Block::Water && level < lowest.0 {
                lowest = (level, side);
            }
        }
        lowest.1
    }

    fn take(&mut self, item: Item) -> bool {
        match self.rubble.last() {
            Some(last) if *last == item => self.rubble.pop().is_some(),
            _ => self.game.inventory.take(item, 1),
        }
    }
}

/// The result of a future that never waits; `None` if it waits.
pub(super) fn at_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

impl Body for EmbeddedBody<'_> {
    type Land = Grid;

    fn land(&mut self) -> &mut Grid {
        &mut self.game.ground.grid
    }

    fn feet(&mut self) -> BlockPos {
        self.game.player.feet
    }

    fn vitals(&mut self) -> Vitals {
        let player = &self.game.player;
        Vitals { health: f64::from(player.health), hunger: 20.0, air: player.air }
    }

    fn hurt_by(&mut self) -> Option<String> {
        self.game.player.hurt_by.take().map(|source| source.to_string())
    }

    fn death(&mut self) -> Option<String> {
        self.game.player.death.map(|hurt| hurt.death().to_owned())
    }

    fn tick(&mut self) -> u64 {
        self.game.ground.tick
    }

    fn inventory(&mut self) -> &Inventory {
        &self.game.inventory
    }

    fn fire_in(&mut self, furnace: BlockPos) -> u32 {
        self.game.ground.fire_in(furnace)
    }

    fn rubble(&mut self) -> Option<Item> {
        self.rubble.last().copied()
    }

    fn begin(&mut self) {
        self.rubble.clear();
    }

    fn go_on(&mut self) -> Result<(), Failure> {
        match self.death() {
            Some(death) => Err(Failure::died(&death)),
            None => Ok(()),
        }
    }

    async fn tidy(&mut self) {
        self.rubble.clear();
    }

    async fn walk(&mut self, way: &[BlockPos], breath: &[u32]) -> Result<usize, Failure> {
        for (done, to) in way.iter().enumerate() {
            let from = self.game.player.feet;
            if done > 0 && !path::is_free(&mut self.game.ground.grid, from, *to) {
                return Ok(done);
            }
            let ticks = match to.y - from.y {
                _ if self.game.block(*to) == Block::Water => path::swim_ticks(from, *to),
                1 => path::CLIMB,
                _ => path::WALK,
            };
            self.game.step_to(*to, u64::from(ticks));
            self.go_on()?;
            let needed = breath.get(done).copied().unwrap_or(0);
            let breathless = self.game.player.air < needed && self.game.head_in_water();
            if self.game.player.feet != *to || breathless || self.is_buried() {
                return Ok(done + 1);
            }
        }
        Ok(way.len())
    }

    async fn dig(&mut self, pos: BlockPos, tool: Tool, purpose: DigPurpose) -> Result<Option<Item>, Failure> {
        let slot = match tool {
            Tool::Bare => None,
            Tool::Slot(slot) => Some(slot),
        };
        let drop = self.game.break_block(pos, slot);
        self.go_on()?;
        if purpose == DigPurpose::CollectDrop {
            self.dropped = drop.map(|_| (self.tick(), pos));
        } else {
            self.rubble.extend(drop.filter(|item| item.walls_off()));
        }
        Ok(drop)
    }

    async fn put(&mut self, pos: BlockPos, item: Item) -> Result<(), Failure> {
        let name = item.name();
        let Some(block) = Block::placed_with(item) else {
            return Err(Failure::new(Code::NoPlace, format!("{name} is not for placing.")));
        };
        if !self.land().cell(pos).replaceable {
            return Err(Failure::new(Code::NoPlace, format!("There is something in the place for the {name}.")));
        }
        if !self.take(item) {
            return Err(Failure::new(Code::MissingIngredients, format!("No {name} is carried.")));
        }
        self.game.ground.put(pos, block);
        self.wait(4).await
    }

    async fn pillar(&mut self, item: Item) -> Result<(), Failure> {
        let feet = self.game.player.feet;
        self.put(feet, item).await?;
        self.game.step_to(feet.up(), u64::from(path::JUMP));
        self.go_on()
    }

    async fn pick_up(&mut self, item: Item, near: BlockPos) -> Result<(), Failure> {
        self.wait(10).await?;
        let (feet, lies) = (self.feet(), self.lying(item, near));
        if lies.is_none_or(|lies| !is_at_hand(feet, lies)) {
            return Err(Failure::new(Code::DropLost, format!("The {} is out of reach.", item.name())));
        }
        match self.game.inventory.add(item, 1) {
            0 => Ok(()),
            _ => Err(Failure::no_room(item)),
        }
    }

    fn lying(&mut self, _: Item, _: BlockPos) -> Option<BlockPos> {
        let (since, cell) = self.dropped?;
        let drifts = 1 + (self.tick() - since) / DRIFT;
        Some((0..drifts).fold(cell, |cell, _| self.drift(cell)))
    }

    async fn craft(&mut self, recipe: &Recipe, _table: Option<BlockPos>) -> Result<(), Failure> {
        if !recipe.craft(&mut self.game.inventory) {
            return Err(Failure::no_room(recipe.result));
        }
        self.wait(4).await
    }

    async fn smelt(&mut self, furnace: BlockPos, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
        let mut after = self.game.inventory.clone();
        let taken = after.take(ore, 1) && fuels.iter().all(|fuel| after.take(*fuel, 1));
        let fire = self.game.ground.fire_in(furnace) + fuels.iter().map(|fuel| burn_ticks(*fuel)).sum::<u32>();
        if !taken || fire < SMELT_TICKS {
            return Err(Failure::new(Code::NoFuel, "The furnace did not burn."));
        }
        if after.add(Item::IronIngot, 1) > 0 {
            return Err(Failure::no_room(Item::IronIngot));
        }
        self.game.inventory = after;
        self.game.ground.light(furnace, fire);
        self.wait(u64::from(SMELT_TICKS)).await
    }

    async fn equip(&mut self, item: Item) -> Result<(), Failure> {
        if !self.game.inventory.equip(item) {
            return Err(Failure::new(Code::MissingIngredients, format!("No {} is carried.", item.name())));
        }
        self.wait(1).await
    }

    async fn settle(&mut self) -> Result<(), Failure> {
        self.game.settle();
        self.go_on()
    }

    async fn wait(&mut self, ticks: u64) -> Result<(), Failure> {
        self.game.wait(ticks);
        self.go_on()
    }
}
