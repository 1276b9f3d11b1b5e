//! The body: what a player can do with its hands and feet, one verb at a time, in whatever world it stands.
//!
//! The primitives ([`super::primitives`]) decide *what* to do, from what [`Land`] shows, and do it through [`Body`]. The
//! embedded world's body acts at once; a client's sends packets and waits for the server.

use std::collections::BTreeMap;

use super::inventory::Inventory;
use super::items::Item;
use super::land::Land;
use super::observation::BlockPos;
use super::primitives::Failure;
use super::recipes::Recipe;
use crate::doing::Doing;

/// What a block is dug with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The bare hand or anything else that does not wear.
    Bare,
    /// What is in this slot of the [`Inventory`] (hotbar first).
    Slot(usize),
}

/// What a block is dug for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// It is in the way; what drops is rubble.
    Way,
    /// Its drop, which [`Body::pick_up`] will claim; it is not rubble meanwhile.
    Drop,
}

/// How the body is.
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
/// # Verbs
/// Each verb does one thing to its end, *verifies its own effect* and returns within a bounded number of ticks. It fails
/// with a [`Failure`] whose code tells the caller what to make of it: one that [ends the action](super::primitives::Code::ends_action)
/// (`died`, `disconnected`, `interrupted`, `timeout`) is passed on as it is; any other says that this did not work here
/// and now, and the caller may try elsewhere. A verb that fails leaves nothing half done that it can undo: no window open,
/// nothing on the cursor, nothing in the crafting grid.
///
/// # Rubble
/// One action yields what it is for and nothing else, whichever world it is played in. What the body comes to carry
/// besides while an action runs (blocks dug out of the way and picked up in passing, saplings, flint) is *rubble*: it may
/// wall off water and lava in the same action, and what is left of it is thrown away at the action's end. A body keeps
/// account of it: what it should carry is what it carried at [`Body::begin`], changed only by what [`Body::pick_up`],
/// [`Body::craft`], [`Body::smelt`] and [`Body::put`] did; whatever it has above that is rubble.
///
/// Futures need not be `Send`: an action runs on one thread, as azalea's client requires.
#[allow(async_fn_in_trait)]
pub trait Body {
    /// The land it knows.
    type Land: Land;

    /// The land it knows.
    fn land(&mut self) -> &mut Self::Land;

    /// The cell its feet are in. One who stands on a full block has it below; one who has just stepped off an edge is
    /// where the feet are, not where they will land.
    fn feet(&mut self) -> BlockPos;

    /// How it is.
    fn vitals(&mut self) -> Vitals;

    /// What it died of, to follow "You": `tried to swim in lava`. `None` while it lives.
    fn death(&mut self) -> Option<String>;

    /// Game ticks since the run began.
    fn tick(&mut self) -> u64;

    /// What it carries. Rubble counts as carried, except in a world where it never gets into the inventory. The selected
    /// slot is what the last [`Body::equip`] brought into the hand, whatever the body holds for a moment to dig with.
    fn inventory(&mut self) -> &Inventory;

    /// Item counts by the game's identifier without `minecraft:`, for the observation; with items our table has no name
    /// for, if it carries any.
    fn carried(&mut self) -> BTreeMap<String, u32> {
        self.inventory().counts()
    }

    /// What is in the hand, by identifier, for the observation; as for [`Body::inventory`], what was equipped last.
    fn held(&mut self) -> Option<String> {
        self.inventory().hand().map(|stack| stack.item.name().to_owned())
    }

    /// Ticks of fire left in a furnace, as far as it is known: a client remembers what it saw in the furnace's window and
    /// counts down. 0 for a furnace that is out, or was never opened.
    fn fire_in(&mut self, furnace: BlockPos) -> u32;

    /// An item of the rubble that can be [put](Body::put) as a full block (dirt, cobblestone, cobbled deepslate), the
    /// one got last. `None` if there is none.
    fn rubble(&mut self) -> Option<Item>;

    /// An action begins: what is carried now is nobody's rubble.
    fn begin(&mut self);

    /// The action comes to something else to do. For displays only; a body whose verbs take no time ignores it.
    fn doing(&mut self, _: Doing) {}

    /// Whether the action may go on; asked in every loop.
    ///
    /// # Errors
    /// It may not: the body is dead, the connection is gone, the action was cancelled or its time is up.
    fn go_on(&mut self) -> Result<(), Failure>;

    /// An action ends: throws the rubble away (a client: behind the body, where it will not walk next, and so far that it
    /// is not picked up again), takes what was equipped back into the hand, closes windows. Does what it can in
    /// a bounded time; what it cannot do is no reason for the action to fail.
    async fn tidy(&mut self);

    /// Walks a run of steps, each to a place next to the one before as [`super::path`] makes them: one to the side, with
    /// up to one up or some down; or straight up or down in water. What the body passes through is open: the caller has
    /// seen to it. Returns how many steps it has done.
    ///
    /// Fewer than all, when the body stopped early because the caller has to look again. That is: before a step whose
    /// passage is no longer open (never asked of the first step); after a step, when the body is not where the step was
    /// to end (it fell, was pushed, or the way gave way: the step counts as done), when sand or gravel has fallen on it,
    /// when the eyes are under water and breath is below [`SHORT_OF_BREATH`].
    ///
    /// Must verify: at the end of the run the feet are in its last cell, by the server's account (no correction under way),
    /// or it returns early with the number of steps that it did do.
    ///
    /// # Errors
    /// Only what ends the action. A body that cannot get on returns how far it got; a caller that gets 0 looks for
    /// another way.
    async fn walk(&mut self, way: &[BlockPos]) -> Result<usize, Failure>;

    /// Breaks a block within reach and returns what it drops to this tool; `None` if nothing, if it cannot be broken, or
    /// if it was washed over, buried or taken while it was being broken.
    ///
    /// Must verify: the server has acknowledged the break and the cell is no longer what it was.
    ///
    /// # Errors
    /// What ends the action; `refused` when the server put the block back; `no_way` when it is out of reach after all.
    async fn dig(&mut self, pos: BlockPos, tool: Tool, aim: Aim) -> Result<Option<Item>, Failure>;

    /// Puts one of an item (rubble first) as a block into a replaceable cell within reach.
    ///
    /// Must verify: the server shows the block there, and there is one less of the item.
    ///
    /// # Errors
    /// What ends the action; `missing_ingredients`; `no_place` when there is nothing to put it against, or the server did
    /// not let it be put.
    async fn put(&mut self, pos: BlockPos, item: Item) -> Result<(), Failure>;

    /// Picks up one of an item that was just dropped and lies at a cell or within a block of it; the body is next to it. It may
    /// have been picked up already, on the way here.
    ///
    /// Must verify: there is one more of the item than there should be without it; that one is no longer rubble.
    ///
    /// # Errors
    /// What ends the action; `no_room`; `drop_lost` when the item did not come into the inventory; `nothing_dropped`
    /// when there never was one.
    async fn pick_up(&mut self, item: Item, near: BlockPos) -> Result<(), Failure>;

    /// Crafts a recipe once: in the hands, or at the crafting table given, which is within reach. The ingredients are
    /// carried; of those that stand in for one another the ones [`Recipe::layout`] says are taken.
    ///
    /// Must verify: the result's count has risen by the recipe's. Cursor and grid are left empty, also on failure.
    ///
    /// # Errors
    /// What ends the action; `no_room`; `no_crafting_table` when it is no longer there; `nothing_crafted` when the result
    /// did not come.
    async fn craft(&mut self, recipe: &Recipe, table: Option<BlockPos>) -> Result<(), Failure>;

    /// Smelts one ore to one iron ingot in the furnace given, which is within reach: puts in one ore and one of each of
    /// the fuels (a kind may be listed more than once; none if the fire left is enough), waits, takes the ingot out.
    ///
    /// Must verify: one more ingot. The furnace is left with an empty input and, but for the fire, nothing in it; what
    /// was in it before from someone else stays someone else's.
    ///
    /// # Errors
    /// What ends the action; `no_furnace` when it is no longer there or its slots are taken; `no_fuel` when it did not
    /// burn; `no_room`.
    async fn smelt(&mut self, furnace: BlockPos, ore: Item, fuels: &[Item]) -> Result<(), Failure>;

    /// Brings an item into the hand from wherever it is carried; of several tools the least worn.
    ///
    /// Must verify: the hand holds it, by the server's account.
    ///
    /// # Errors
    /// What ends the action; `missing_ingredients`.
    async fn equip(&mut self, item: Item) -> Result<(), Failure>;

    /// Waits until the body rests on something: it falls if what it stood on was dug away.
    ///
    /// # Errors
    /// What ends the action.
    async fn settle(&mut self) -> Result<(), Failure>;

    /// Lets game ticks pass.
    ///
    /// # Errors
    /// What ends the action.
    async fn wait(&mut self, ticks: u64) -> Result<(), Failure>;
}

/// Ticks of breath at which a swimmer comes up before going on.
pub const SHORT_OF_BREATH: u32 = 160;
