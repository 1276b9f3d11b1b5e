//! Implements the primitives' [`Body`] for the player.

use std::collections::BTreeMap;

use azalea::ecs::entity::Entity;
use azalea::ecs::world::World as Ecs;
use azalea::registry::builtin::MenuKind;
use ltlcrit_minecraft::activity::PlayerActivity;
use ltlcrit_minecraft::body::{Body, DigPurpose, Tool, Vitals};
use ltlcrit_minecraft::failure::Failure;
use ltlcrit_minecraft::inventory::Inventory;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::MAX_AIR;
use ltlcrit_minecraft::recipes::Recipe;

use super::classify::item_name;
use super::land::ClientLand;
use super::link::Link;
use super::player::{FurnaceFire, Player};
use super::reach;
use super::walk::{self, Walk};
use super::windows;

/// The time limit for a body to come to rest, in ticks.
const REST: u64 = 120;

/// The maximum error of a furnace's fire as last seen, in ticks. The value is some ticks old, and adding an item takes
/// some more.
const FIRE_UNCERTAINTY: u32 = 4;

/// The distance around a body within which the land must be loaded after a walk, in blocks.
const NEARBY: f64 = 12.0;
/// The time limit for that land to arrive, in ticks.
const COMES: u64 = 100;

/// A guard that releases the controls when an action ends, also when its future is dropped.
struct ReleaseOnDrop(Link);

impl Drop for ReleaseOnDrop {
    fn drop(&mut self) {
        self.0.release_controls();
    }
}

impl Body for Player {
    type Land = ClientLand;

    fn land(&mut self) -> &mut ClientLand {
        self.refresh()
    }

    fn feet(&mut self) -> BlockPos {
        let stance = self.link.stance();
        stance.map_or(BlockPos::new(0, 0, 0), |stance| walk::feet(&stance.position, stance.on_ground))
    }

    fn vitals(&mut self) -> Vitals {
        self.link.state(|state| Vitals {
            health: f64::from(state.health.unwrap_or(0.0)).clamp(0.0, 20.0),
            hunger: f64::from(state.food),
            air: u32::try_from(state.air).unwrap_or(0).min(MAX_AIR),
        })
    }

    fn hurt_by(&mut self) -> Option<String> {
        let kind = self.link.state(|state| state.hurt.take())?;
        Some(self.land.damage_kind(kind).unwrap_or_else(|| "of an unknown kind".to_owned()))
    }

    fn death(&mut self) -> Option<String> {
        self.death_cause()
    }

    fn tick(&mut self) -> u64 {
        self.now()
    }

    fn inventory(&mut self) -> &Inventory {
        self.view()
    }

    fn carried(&mut self) -> BTreeMap<String, u32> {
        let name = |(kind, count)| (item_name(kind).to_owned(), u32::try_from(count).unwrap_or(0));
        self.kept().into_iter().map(name).collect()
    }

    fn held(&mut self) -> Option<String> {
        let slots = self.slots();
        let stack = slots.get(self.equipped).filter(|stack| stack.is_present())?;
        Some(item_name(stack.kind()).to_owned())
    }

    fn fire_in(&mut self, furnace: BlockPos) -> u32 {
        let burnt = |fire: &FurnaceFire| u32::try_from(self.now().saturating_sub(fire.tick)).unwrap_or(u32::MAX);
        let left = |fire: &FurnaceFire| fire.left.saturating_sub(burnt(fire)).saturating_sub(FIRE_UNCERTAINTY);
        self.fires.get(&furnace).map_or(0, left)
    }

    fn rubble(&mut self) -> Option<Item> {
        self.wall()
    }

    fn begin(&mut self) {
        self.link.release_controls();
        self.start();
    }

    fn set_activity(&mut self, doing: PlayerActivity) {
        self.activity.set(doing);
    }

    fn tell(&mut self, line: &str) {
        tracing::debug!("{line}");
        self.activity.tell(line);
    }

    fn go_on(&mut self) -> Result<(), Failure> {
        self.may_go_on()
    }

    fn ticks_left(&mut self) -> Option<u64> {
        Some(self.deadline.saturating_sub(self.now()))
    }

    async fn tidy(&mut self) {
        self.put_in_order().await;
        // This lasts until the next action, which may be chosen slowly.
        self.link.tread_water();
    }

    async fn walk(&mut self, way: &[BlockPos], breath: &[u32]) -> Result<usize, Failure> {
        self.may_go_on()?;
        let start = self.feet();
        self.link.start(Walk::new(start, way, breath))?;
        let _stop = ReleaseOnDrop(self.link.clone());
        let ticks = (way.len() as u64 + 4) * REST;
        let over = |player: &mut Self| {
            let look = |ecs: &mut Ecs, entity: Entity| {
                ecs.get::<Walk>(entity).map_or(Some(0), |walk| walk.over.then_some(walk.done))
            };
            player.link.ecs(look).ok().flatten()
        };
        let began = self.now();
        let done = self.wait_for_body(ticks, over).await?.unwrap_or(0);
        tracing::debug!(?start, to = ?way.last(), steps = way.len(), done, ticks = self.now() - began, feet = ?self.feet(), "walked");
        self.await_land().await?;
        Ok(done)
    }

    async fn dig(&mut self, pos: BlockPos, tool: Tool, purpose: DigPurpose) -> Result<Option<Item>, Failure> {
        let _stop = ReleaseOnDrop(self.link.clone());
        let drop = self.break_block(pos, tool).await?;
        if purpose == DigPurpose::ClearPath
            && let Some(item) = drop
        {
            self.note_rubble(item);
        }
        Ok(drop)
    }

    async fn put(&mut self, pos: BlockPos, item: Item) -> Result<(), Failure> {
        self.put_block(pos, item).await
    }

    async fn pillar(&mut self, item: Item) -> Result<(), Failure> {
        let _stop = ReleaseOnDrop(self.link.clone());
        self.jump_onto_block(item).await
    }

    async fn pick_up(&mut self, item: Item, near: BlockPos) -> Result<(), Failure> {
        let _stop = ReleaseOnDrop(self.link.clone());
        self.collect(item, near).await
    }

    fn lying(&mut self, item: Item, near: BlockPos) -> Option<BlockPos> {
        self.lying_near(item, near)
    }

    async fn craft(&mut self, recipe: &Recipe, table: Option<BlockPos>) -> Result<(), Failure> {
        let _close = CloseWindow(self.link.clone());
        self.craft_once(recipe, table).await
    }

    async fn smelt(&mut self, furnace: BlockPos, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
        let _close = CloseWindow(self.link.clone());
        self.smelt_once(furnace, ore, fuels).await
    }

    async fn equip(&mut self, item: Item) -> Result<(), Failure> {
        self.take_in_hand(item).await
    }

    async fn settle(&mut self) -> Result<(), Failure> {
        let rests = |player: &mut Self| {
            let stance = player.link.stance()?;
            let feet = walk::feet(&stance.position, stance.on_ground);
            let floats = super::player::cell(player, feet).is_fluid();
            (stance.on_ground || floats && stance.velocity.y.abs() < 0.1).then_some(())
        };
        self.wait_for_body(REST, rests).await.map(|_| ())
    }

    async fn wait(&mut self, ticks: u64) -> Result<(), Failure> {
        let _stop = ReleaseOnDrop(self.link.clone());
        self.link.tread_water();
        self.pass(ticks).await
    }
}

/// A guard that closes the open window when an action ends, also when its future is dropped.
struct CloseWindow(Link);

impl Drop for CloseWindow {
    fn drop(&mut self) {
        windows::close(&self.0);
    }
}

impl Player {
    /// Waits for the land nearby, which a server may be slow to generate. A chunk that did not arrive is not awaited
    /// again in the same action.
    async fn await_land(&mut self) -> Result<(), Failure> {
        let missing = |player: &mut Self| {
            let feet = player.feet();
            let mut missing = player.land().missing_around(feet, NEARBY);
            missing.retain(|chunk| !player.missing_chunks.contains(chunk));
            missing
        };
        let there = |player: &mut Self| missing(player).is_empty().then_some(());
        if self.wait_for(COMES, there).await?.is_none() {
            let missing = missing(self);
            tracing::debug!(?missing, "land that does not come");
            self.missing_chunks.extend(missing);
        }
        Ok(())
    }

    /// Opens a block's window. Returns `false` if the server does not open it.
    pub async fn open(&mut self, block: BlockPos, kind: MenuKind, slots: usize) -> Result<bool, Failure> {
        let eyes = self.stance()?.eyes();
        let side = reach::side(eyes, block, |pos| super::player::cell(self, pos));
        for _ in 0..2 {
            self.may_go_on()?;
            if windows::open(&self.link, block, side, kind, slots).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
