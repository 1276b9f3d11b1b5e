//! A test of shelter: a night with monsters around the embedded body.

use super::body::{EmbeddedBody, at_once};
use super::*;
use crate::blocks::Block;
use crate::body::{Body, DigPurpose, Tool, Vitals};
use crate::failure::Failure;
use crate::inventory::Inventory;
use crate::items::Item;
use crate::land::Land as _;
use crate::observation::BlockPos;
use crate::player::DamageSource;
use crate::recipes::Recipe;

/// The ticks between two hits of a zombie.
const HIT: u64 = 20;

/// A body that zombies hit, until the morning, as long as a cell beside it is open.
struct Night<'a> {
    body: EmbeddedBody<'a>,
    morning: u64,
    /// True if the player notices the zombies.
    notices: bool,
    /// The tick of the last hit.
    hit: u64,
}

impl Night<'_> {
    fn is_open(&mut self) -> bool {
        let feet = self.body.feet();
        let around = [feet, feet.up()].into_iter().flat_map(BlockPos::neighbours);
        around.filter(|pos| *pos != feet && *pos != feet.up()).any(|pos| !self.body.land().cell(pos).is_firm())
    }

    fn zombies(&mut self) {
        while self.hit + HIT <= self.body.tick() {
            self.hit += HIT;
            if self.hit < self.morning && self.is_open() {
                self.body.game().player.hurt(DamageSource::Operator, 3);
            }
        }
    }
}

impl Body for Night<'_> {
    type Land = Grid;

    fn land(&mut self) -> &mut Grid {
        self.body.land()
    }
    fn feet(&mut self) -> BlockPos {
        self.body.feet()
    }
    fn vitals(&mut self) -> Vitals {
        self.body.vitals()
    }
    fn hurt_by(&mut self) -> Option<String> {
        self.body.hurt_by()
    }
    fn is_threatened(&mut self) -> bool {
        self.notices && self.tick() < self.morning
    }
    async fn await_morning(&mut self) -> Result<(), Failure> {
        while self.tick() < self.morning {
            self.wait(HIT).await?;
        }
        Ok(())
    }
    fn death(&mut self) -> Option<String> {
        self.body.death()
    }
    fn tick(&mut self) -> u64 {
        self.body.tick()
    }
    fn inventory(&mut self) -> &Inventory {
        self.body.inventory()
    }
    fn fire_in(&mut self, furnace: BlockPos) -> u32 {
        self.body.fire_in(furnace)
    }
    fn rubble(&mut self) -> Option<Item> {
        self.body.rubble()
    }
    fn begin(&mut self) {
        self.body.begin();
    }
    fn go_on(&mut self) -> Result<(), Failure> {
        self.zombies();
        self.body.go_on()
    }
    async fn tidy(&mut self) {
        self.body.tidy().await;
    }
    async fn walk(&mut self, way: &[BlockPos], breath: &[u32]) -> Result<usize, Failure> {
        let walked = self.body.walk(way, breath).await?;
        self.go_on().map(|()| walked)
    }
    async fn dig(&mut self, pos: BlockPos, tool: Tool, purpose: DigPurpose) -> Result<Option<Item>, Failure> {
        let drop = self.body.dig(pos, tool, purpose).await?;
        self.go_on().map(|()| drop)
    }
    async fn put(&mut self, pos: BlockPos, item: Item) -> Result<(), Failure> {
        self.body.put(pos, item).await
    }
    async fn pillar(&mut self, item: Item) -> Result<(), Failure> {
        self.body.pillar(item).await
    }
    async fn pick_up(&mut self, item: Item, near: BlockPos) -> Result<(), Failure> {
        self.body.pick_up(item, near).await
    }
    fn lying(&mut self, item: Item, near: BlockPos) -> Option<BlockPos> {
        self.body.lying(item, near)
    }
    async fn craft(&mut self, recipe: &Recipe, table: Option<BlockPos>) -> Result<(), Failure> {
        self.body.craft(recipe, table).await
    }
    async fn smelt(&mut self, furnace: BlockPos, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
        self.body.smelt(furnace, ore, fuels).await
    }
    async fn equip(&mut self, item: Item) -> Result<(), Failure> {
        self.body.equip(item).await
    }
    async fn settle(&mut self) -> Result<(), Failure> {
        self.body.settle().await
    }
    async fn wait(&mut self, ticks: u64) -> Result<(), Failure> {
        self.body.wait(ticks).await?;
        self.go_on()
    }
}

/// A player on a meadow at night, with zombies around it, walks to a log 20 blocks away.
#[test]
fn a_weak_player_digs_in_for_the_night() {
    for notices in [true, false] {
        let mut world = EmbeddedWorld::new(1, EmbeddedOptions::compact());
        let ground = &mut world.game.ground;
        for (x, z) in (0..40).flat_map(|x| (0..9).map(move |z| (x, z))) {
            (127..130).for_each(|y| ground.put(BlockPos::new(x, y, z), Block::Dirt));
        }
        ground.put(BlockPos::new(26, 130, 4), Block::OakLog);
        (world.game.player.feet, world.game.player.health) = (BlockPos::new(6, 130, 4), 9);
        let mut night = Night { body: EmbeddedBody::of(&mut world.game), morning: 6000, notices, hit: 0 };
        let mine = Primitive::Mine(primitives::Resource::Log);
        let said = at_once(primitives::perform(&mut night, &mut world.state, &world.options.limits, mine)).unwrap();
        assert_eq!(said.is_ok(), notices, "{said:?}");
        if let Ok(said) = said {
            assert!(said.contains("Dug in for the night") && said.contains("You were hurt (operator)"), "{said}");
            assert_eq!(world.game.inventory.counts(), [("oak_log".to_owned(), 1)].into(), "no dirt is kept");
        }
    }
}
