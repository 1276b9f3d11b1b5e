//! The body: the actions of a player's body in any world.
//!
//! The primitives ([`super::primitives`]) decide what to do from a [`Land`], and do it through [`Body`]. The embedded
//! world's body acts at once; a client's sends packets and waits for the server.

use std::collections::BTreeMap;

use super::failure::Failure;
use super::inventory::Inventory;
use super::items::Item;
use super::land::Land;
use super::observation::BlockPos;
use super::recipes::Recipe;
use crate::activity::PlayerActivity;

/// The tool for digging a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The bare hand, or an item that does not wear.
    Bare,
    /// The item in this slot of the [`Inventory`] (hotbar first).
    Slot(usize),
}

/// The purpose of digging a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigPurpose {
    /// To clear the way; the drop is rubble.
    ClearPath,
    /// To get the drop, which [`Body::pick_up`] will collect; until then it is not rubble.
    CollectDrop,
}

/// The state of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vitals {
    /// Half hearts, 0 to 20.
    pub health: f64,
    /// Half drumsticks, 0 to 20.
    pub hunger: f64,
    /// Ticks of breath left, 0 to 300.
    pub air: u32,
}

/// A player's body in a world.
///
/// # Methods that act
/// Each method does one thing completely, verifies its own effect, and returns within a bounded number of ticks. A
/// [`Failure`] with a code that [ends the action](super::failure::Code::ends_action) (`died`, `disconnected`,
/// `interrupted`, `timeout`) is passed on; after any other failure the caller may try elsewhere. A method that fails
/// undoes its changes as far as possible: no window stays open, and cursor and crafting grid are empty.
///
/// # Rubble
/// In every world, one action yields its purpose and nothing else, except for a table or furnace that is taken along.
/// Every other item that the body picks up during an action (blocks dug out of the path, saplings, flint) is rubble.
/// Rubble may wall off water and lava in the same action. At the end the rest is thrown away, except for food. A body
/// tracks the items that it should carry: the inventory at [`Body::begin`], changed by [`Body::pick_up`],
/// [`Body::craft`], [`Body::smelt`] and [`Body::put`]. Any item beyond that is rubble.
///
/// Futures need not be `Send`: an action runs on one thread, as azalea's client requires.
#[allow(async_fn_in_trait)]
pub trait Body {
    /// The type of the known land.
    type Land: Land;

    /// The known land.
    fn land(&mut self) -> &mut Self::Land;

    /// The cell of the feet. For a body that has just stepped off an edge, it is the cell of the feet in the air.
    fn feet(&mut self) -> BlockPos;

    /// The vital signs.
    fn vitals(&mut self) -> Vitals;

    /// The cause of the last damage since the last call, as a noun: `lava`, `mob attack`. `None` without damage.
    fn hurt_by(&mut self) -> Option<String>;

    /// The cause of death, to follow "You": `tried to swim in lava`. `None` while it is alive.
    fn death(&mut self) -> Option<String>;

    /// Game ticks since the run began.
    fn tick(&mut self) -> u64;

    /// The inventory, including rubble, except in a world where rubble never enters it. The selected slot is that of
    /// the last [`Body::equip`], even while the body digs with another tool.
    fn inventory(&mut self) -> &Inventory;

    /// Item counts by the game's identifier without `minecraft:`, for the observation. They include items outside our
    /// table.
    fn carried(&mut self) -> BTreeMap<String, u32> {
        self.inventory().counts()
    }

    /// The identifier of the item in the hand, for the observation. As for [`Body::inventory`], it is the last one
    /// equipped.
    fn held(&mut self) -> Option<String> {
        self.inventory().hand().map(|stack| stack.item.name().to_owned())
    }

    /// Ticks of fire left in a furnace, as far as known. A client remembers the number from the furnace's window and
    /// counts down. 0 for a furnace without fire, or never opened.
    fn fire_in(&mut self, furnace: BlockPos) -> u32;

    /// The rubble picked up last that can be [put](Body::put) as a full block (dirt, cobblestone, cobbled deepslate);
    /// `None` without such rubble.
    fn rubble(&mut self) -> Option<Item>;

    /// Begins an action: no item carried now is rubble.
    fn begin(&mut self);

    /// Sets the current activity, for displays. A body whose methods take no time ignores it.
    fn set_activity(&mut self, _: PlayerActivity) {}

    /// Receives the lines of the action's trace on its progress, for displays.
    fn tell(&mut self, _: &str) {}

    /// Checks whether the action may continue; called in every loop.
    ///
    /// # Errors
    /// The body is dead, the connection is lost, the action was cancelled, or its time is up.
    fn go_on(&mut self) -> Result<(), Failure>;

    /// The ticks that the action may still take; `None` without a limit.
    fn ticks_left(&mut self) -> Option<u64> {
        None
    }

    /// Ends an action: throws the rubble away (a client: behind the body and too far to be picked up again), takes the
    /// equipped item back into the hand, and closes windows. It runs in bounded time and never makes the action fail.
    async fn tidy(&mut self);

    /// Walks a run of steps, each to a neighbouring place as in [`super::path`]. A step goes to one side, with up to
    /// one block up or several down; in water, it may also go straight up or down, or diagonally. The caller has
    /// cleared the cells that the body passes through. `breath` lists the ticks of air that the body needs at the end
    /// of each step to continue under water; unlisted steps need none. Returns the number of steps made.
    ///
    /// The number is smaller if the caller must check the land again:
    /// * before a step whose passage is no longer open (not checked for the first step);
    /// * after a step, if the body is not at its end (it fell, was pushed, or the ground collapsed: the step counts);
    /// * if sand or gravel has fallen on the body;
    /// * if the eyes are under water, with less air than in `breath`.
    ///
    /// Must verify: at the end of the run, the feet are in its last cell on the server (no correction under way).
    ///
    /// # Errors
    /// Only failures that end the action. A body that is stuck returns the steps made; a caller that gets 0 searches
    /// for another path.
    async fn walk(&mut self, way: &[BlockPos], breath: &[u32]) -> Result<usize, Failure>;

    /// Breaks a block within reach and returns its drop for this tool; `None` if it drops nothing, cannot be broken, or
    /// was washed over, buried or taken meanwhile.
    ///
    /// Must verify: the server has acknowledged the break, and the cell has changed.
    ///
    /// # Errors
    /// Failures that end the action; `refused` if the server put the block back; `no_way` if it is out of reach after
    /// all.
    async fn dig(&mut self, pos: BlockPos, tool: Tool, purpose: DigPurpose) -> Result<Option<Item>, Failure>;

    /// Puts one of an item (rubble first) as a block into a replaceable cell within reach.
    ///
    /// Must verify: the server shows the block there, and there is one less of the item.
    ///
    /// # Errors
    /// Failures that end the action; `missing_ingredients`; `no_place` if there is no block to put it against, or the
    /// server refused.
    async fn put(&mut self, pos: BlockPos, item: Item) -> Result<(), Failure>;

    /// Jumps, and puts one of an item (rubble first) as a block where the feet were. The cell above the head is free,
    /// and the feet are dry.
    ///
    /// Must verify: the body stands on the block, one higher than before.
    ///
    /// # Errors
    /// As for [`Body::put`]; `no_place` too if the body does not stand there.
    async fn pillar(&mut self, item: Item) -> Result<(), Failure>;

    /// Picks up one item that was just dropped in a cell or within a block of it; the body is next to it. The body may
    /// already have picked it up on the way.
    ///
    /// Must verify: there is one more of the item than without it; that one is no longer rubble.
    ///
    /// # Errors
    /// Failures that end the action; `no_room`; `drop_lost` if the item did not enter the inventory; `nothing_dropped`
    /// if there was none.
    async fn pick_up(&mut self, item: Item, near: BlockPos) -> Result<(), Failure>;

    /// The cell of the nearest item of a kind that lies or drifts about 16 blocks around a cell or nearer, as far as
    /// known.
    fn lying(&mut self, item: Item, near: BlockPos) -> Option<BlockPos>;

    /// Crafts a recipe once: in the hands, or at the given crafting table, which is within reach. The ingredients are
    /// carried; among alternatives the ones of [`Recipe::layout`] are used.
    ///
    /// Must verify: the number of results has risen by the recipe's. Cursor and grid are left empty, also on failure.
    ///
    /// # Errors
    /// Failures that end the action; `no_room`; `no_crafting_table` if it is no longer there; `nothing_crafted` without
    /// a result.
    async fn craft(&mut self, recipe: &Recipe, table: Option<BlockPos>) -> Result<(), Failure>;

    /// Smelts one ore to one iron ingot in the given furnace, which is within reach: puts in one ore and one of each of
    /// the fuels (a kind may be listed more than once; none if the fire left is enough), waits, and takes the ingot
    /// out.
    ///
    /// Must verify: one more ingot. The furnace is left without input and with nothing but the fire; items of other
    /// players stay theirs.
    ///
    /// # Errors
    /// Failures that end the action; `no_furnace` if it is no longer there or its slots are taken; `no_fuel` if it did
    /// not burn; `no_room`.
    async fn smelt(&mut self, furnace: BlockPos, ore: Item, fuels: &[Item]) -> Result<(), Failure>;

    /// Brings an item into the hand; of several tools the least worn.
    ///
    /// Must verify: the hand holds it on the server.
    ///
    /// # Errors
    /// Failures that end the action; `missing_ingredients`.
    async fn equip(&mut self, item: Item) -> Result<(), Failure>;

    /// Waits until the body rests on something; it falls if the block underfoot was dug away.
    ///
    /// # Errors
    /// Failures that end the action.
    async fn settle(&mut self) -> Result<(), Failure>;

    /// Lets game ticks pass.
    ///
    /// # Errors
    /// Failures that end the action.
    async fn wait(&mut self, ticks: u64) -> Result<(), Failure>;
}

/// Ticks of air below which a body under water comes up before it begins an action.
pub const SHORT_OF_BREATH: u32 = 160;
