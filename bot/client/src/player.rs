//! One player on a server, with a count of the items that it should carry.

use std::collections::BTreeMap;

use azalea::core::position::ChunkPos;
use azalea::inventory::ItemStack;
use azalea::registry::builtin::ItemKind;
use ltlcrit_minecraft::body::Body;
use ltlcrit_minecraft::failure::{Code, Failure};
use ltlcrit_minecraft::inventory::{Inventory, SLOTS, Slot, Stack};
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::progress::Smelting;
use ltlcrit_worlds::Interrupt;
use ltlcrit_worlds::{Progress, Recorder};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use super::classify::{item_of, kind_of, stack_of};
use super::land::ClientLand;
use super::link::{ConnectionLost, Link};
use super::stance::Stance;
use super::watch::CurrentActivity;
use super::wear::{ToolUse, ToolUses};

/// The initially selected hotbar slot: the last one that picked-up items fill.
const FIRST_HAND: usize = 8;

/// The time during which discarded items may return to the inventory, in ticks. A thrown item can be picked up again
/// after 40 ticks, and the body may stop near some.
const RETURN_TIME: u64 = 600;

/// The fire of a furnace when it was last seen: the ticks left, and the tick of the observation.
#[derive(Clone, Copy, Debug)]
pub(super) struct FurnaceFire {
    pub tick: u64,
    pub left: u32,
}

/// One player on a server.
pub(super) struct Player {
    pub link: Link,
    /// Its current activity, for live displays.
    pub activity: CurrentActivity,
    pub land: ClientLand,
    /// A request to end the current action.
    pub interrupt: Interrupt,
    /// The tick after which the current action times out.
    pub deadline: u64,
    /// The hotbar slot that was equipped last.
    pub equipped: usize,
    /// The items that should be carried: those at the start of the action, changed by its intended effects.
    pub expected: FxHashMap<ItemKind, i64>,
    /// Items that were dug out of the way or thrown away and may return by themselves: the count and the last tick.
    discarded: FxHashMap<ItemKind, (i64, u64)>,
    /// Rubble for building walls, in the order in which it was picked up.
    got: Vec<Item>,
    /// The number of deaths when the action began, or when the last one ended.
    pub deaths: u64,
    /// The engine's tick at which the run began.
    began: u64,
    pub fires: FxHashMap<BlockPos, FurnaceFire>,
    /// Chunks that the current action has waited for and not received.
    pub missing_chunks: FxHashSet<ChunkPos>,
    /// The items of this player in a furnace.
    pub smelting: Option<Smelting>,
    /// The inventory at the beginning of the current action: item names and counts.
    pub carried: Option<BTreeMap<String, i64>>,
    /// Stores the progress of the current action.
    pub recorder: Option<Recorder>,
    /// The inventory in the primitives' types, and the version that it was computed from.
    cached: Inventory,
    cached_version: Option<InventoryVersion>,
    /// Tool uses that the server may not have confirmed yet.
    uses: ToolUses,
}

/// The version of the cached inventory: the server's updates, the equipped slot, and the changes of the tool uses.
type InventoryVersion = (u64, usize, u64);

impl Player {
    pub fn new(link: Link, interrupt: Interrupt) -> Self {
        let land = ClientLand::new(link.clone());
        let began = link.progress().ticks;
        Self {
            link,
            activity: CurrentActivity::default(),
            land,
            interrupt,
            deadline: u64::MAX,
            equipped: FIRST_HAND,
            expected: FxHashMap::default(),
            discarded: FxHashMap::default(),
            got: Vec::new(),
            deaths: 0,
            began,
            fires: FxHashMap::default(),
            missing_chunks: FxHashSet::default(),
            smelting: None,
            carried: None,
            recorder: None,
            cached: Inventory::default(),
            cached_version: None,
            uses: ToolUses::default(),
        }
    }

    /// Continues with another link, after the engine was restarted.
    pub(crate) fn relink(&mut self, link: Link) {
        self.land.relink(link.clone());
        self.link = link;
    }

    /// Ticks since the run began.
    pub fn now(&self) -> u64 {
        self.link.progress().ticks - self.began
    }

    /// The position and motion of the body.
    ///
    /// # Errors
    /// The connection is lost.
    pub(crate) fn stance(&self) -> Result<Stance, Failure> {
        self.link.stance().ok_or_else(|| {
            let why = self.link.lost().unwrap_or_else(|| "the player is not in the world".to_owned());
            ConnectionLost(why).into()
        })
    }

    /// The 36 inventory slots as the server sent them, hotbar first.
    pub fn slots(&self) -> Vec<ItemStack> {
        self.link.state(|state| {
            let slots = state.windows.inventory();
            let (main, hotbar) = slots.split_at(slots.len().min(27));
            hotbar.iter().chain(main).cloned().collect()
        })
    }

    /// The inventory in the primitives' types.
    pub fn view(&mut self) -> &Inventory {
        let now = self.now();
        let version = Some((self.link.state(|state| state.windows.updates), self.equipped, self.uses.refresh(now)));
        if self.cached_version != version {
            let mut slots = [Slot::Empty; SLOTS];
            for (number, (slot, stack)) in slots.iter_mut().zip(self.slots()).enumerate() {
                *slot = match stack_of(&stack) {
                    Some(stack) => {
                        let wear = stack.wear + self.uses.unconfirmed(number, stack, now);
                        let worn_out = wear > stack.wear && wear >= stack.item.durability();
                        if worn_out { Slot::Empty } else { Slot::Stack(Stack { wear, ..stack }) }
                    }
                    None if stack.is_present() => Slot::Foreign,
                    None => Slot::Empty,
                };
            }
            self.cached = Inventory::from(slots).with_selected(self.equipped);
            self.cached_version = version;
        }
        &self.cached
    }

    /// The next use of the tool in a slot; `None` for an item without wear.
    pub(crate) fn next_use(&self, slot: usize) -> Option<ToolUse> {
        let told = self.slots().get(slot).and_then(stack_of)?;
        self.uses.next(slot, told, self.now())
    }

    /// Records the use of a tool.
    pub(crate) fn note_use(&mut self, made: ToolUse) {
        self.uses.note(made, self.now());
    }

    /// The number of items of each kind in the inventory, without crafting grid and cursor.
    pub fn kinds(&self) -> FxHashMap<ItemKind, i64> {
        let mut kinds = FxHashMap::default();
        self.link.state(|state| {
            for stack in state.windows.inventory().iter().filter(|stack| stack.is_present()) {
                *kinds.entry(stack.kind()).or_insert(0) += i64::from(stack.count());
            }
        });
        kinds
    }

    /// The number of items of each kind, by name.
    pub(crate) fn named_kinds(&self) -> BTreeMap<String, i64> {
        let name = |(kind, count)| (super::classify::item_name(kind).to_owned(), count);
        self.kinds().into_iter().map(name).collect()
    }

    /// The change of the number of these items since the current action began.
    pub fn gain(&self, items: &[Item]) -> i64 {
        let before = |item: &Item| self.carried.as_ref().and_then(|carried| carried.get(item.name()));
        items.iter().map(|item| self.count(*item) - before(item).copied().unwrap_or(0)).sum()
    }

    /// Stores the progress of the current action.
    ///
    /// # Errors
    /// It could not be stored. The action must then do nothing that a crash would lose.
    pub(crate) fn save_progress(&self) -> Result<(), Failure> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let progress = Progress {
            action: self.carried.as_ref().map(|carried| json!(carried)),
            left_behind: self.smelting.as_ref().map(|smelting| json!(smelting)),
        };
        let failure = || Failure::new(Code::Interrupted, "The action's progress could not be written down.");
        recorder(&progress).then_some(()).ok_or_else(failure)
    }

    /// The number of an item in the inventory.
    pub fn count(&self, item: Item) -> i64 {
        kind_of(item).map_or(0, |kind| self.kinds().get(&kind).copied().unwrap_or(0))
    }

    /// The number of an item that should be in the inventory.
    pub(crate) fn expected_count(&self, item: Item) -> i64 {
        kind_of(item).map_or(0, |kind| self.expected.get(&kind).copied().unwrap_or(0))
    }

    /// Changes the number of an item that should be in the inventory.
    pub(crate) fn expect_more(&mut self, item: Item, more: i64) {
        if let Some(kind) = kind_of(item) {
            *self.expected.entry(kind).or_insert(0) += more;
        }
    }

    /// The items in the inventory beyond the expected ones: kinds and counts.
    pub fn surplus(&self) -> Vec<(ItemKind, i64)> {
        let expected = |kind: &ItemKind| self.expected.get(kind).copied().unwrap_or(0);
        let more = self.kinds().into_iter().map(|(kind, count)| (kind, count - expected(&kind)));
        // Food that was found is kept.
        let is_surplus = |(kind, more): &(ItemKind, i64)| *more > 0 && !super::food::is_food_kind(*kind);
        let mut surplus: Vec<_> = more.filter(is_surplus).collect();
        surplus.sort_unstable_by_key(|(kind, _)| kind.to_str());
        surplus
    }

    /// Records an item that was dug out of the way.
    pub(crate) fn note_rubble(&mut self, item: Item) {
        if let Some(kind) = kind_of(item) {
            self.note_discarded(kind, 1);
        }
        if item.walls_off() {
            self.got.push(item);
        }
    }

    /// Changes the number of discarded items of a kind that may return.
    pub(crate) fn note_discarded(&mut self, kind: ItemKind, more: i64) {
        let known = self.discarded_count(kind);
        self.discarded.insert(kind, ((known + more).max(0), self.now()));
    }

    /// Records thrown items. They may already count as discarded, so the larger number is kept.
    pub(crate) fn note_thrown(&mut self, kind: ItemKind, count: i64) {
        let known = self.discarded_count(kind);
        self.discarded.insert(kind, (known.max(count), self.now()));
    }

    /// The number of discarded items of a kind that may return.
    fn discarded_count(&self, kind: ItemKind) -> i64 {
        self.discarded.get(&kind).filter(|(_, tick)| self.now() <= tick + RETURN_TIME).map_or(0, |(count, _)| *count)
    }

    /// The number of items of each kind, without discarded ones that have returned since the last action: those are
    /// thrown away before the next one.
    pub fn kept(&self) -> FxHashMap<ItemKind, i64> {
        let mut kept = self.kinds();
        for (kind, count) in &mut kept {
            let surplus = *count - self.expected.get(kind).copied().unwrap_or(0);
            *count -= surplus.min(self.discarded_count(*kind)).max(0);
        }
        kept.retain(|_, count| *count > 0);
        kept
    }

    /// The rubble for building walls that was picked up last.
    pub fn wall(&mut self) -> Option<Item> {
        let surplus = self.surplus();
        let left = |item: Item| surplus.iter().any(|(kind, _)| item_of(*kind) == Some(item));
        while let Some(last) = self.got.last().copied() {
            if left(last) {
                return Some(last);
            }
            self.got.pop();
        }
        surplus.iter().filter_map(|(kind, _)| item_of(*kind)).find(|item| item.walls_off())
    }

    /// Begins an action: all items carried now are expected.
    pub fn start(&mut self) {
        self.expected = self.kept();
        self.got.clear();
        self.missing_chunks.clear();
        self.count_deaths();
    }

    /// Counts the deaths so far as known.
    pub(crate) fn count_deaths(&mut self) {
        self.deaths = self.link.state(|state| state.deaths);
    }

    /// The cause of a death since the action began, or since the last one ended.
    pub(crate) fn death_cause(&self) -> Option<String> {
        self.link.state(|state| (state.deaths > self.deaths).then(|| state.death.clone()).flatten())
    }

    /// Checks that the action may continue.
    ///
    /// # Errors
    /// The player died, the connection is lost, the action was cancelled, or its time is up.
    pub(crate) fn may_go_on(&self) -> Result<(), Failure> {
        if let Some(death) = self.death_cause() {
            return Err(Failure::died(&death));
        }
        self.link.connected()?;
        if self.interrupt.requested() {
            return Err(Failure::new(Code::Interrupted, "The action was cancelled."));
        }
        if self.now() > self.deadline {
            return Err(Failure::new(Code::Timeout, "The action took longer than it may."));
        }
        Ok(())
    }

    /// Waits for ticks, as long as the action may continue.
    ///
    /// # Errors
    /// The action may not continue.
    pub async fn pass(&mut self, ticks: u64) -> Result<(), Failure> {
        let end = self.now().saturating_add(ticks);
        self.wait_for_body(u64::MAX, |player| (player.now() >= end).then_some(())).await?;
        self.may_go_on()
    }

    /// Waits for the server until `check` returns a value, as long as the action may continue; `None` after this
    /// [limit](WaitLimit).
    ///
    /// # Errors
    /// The action may not continue.
    pub async fn wait_for<T>(
        &mut self,
        ticks: u64,
        check: impl FnMut(&mut Self) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let link = self.link.clone();
        link.wait(ticks, true, self, check, Self::may_go_on).await
    }

    /// As [`Self::wait_for`], for the body's own motion: it changes only once per tick, so updates stay rare.
    ///
    /// # Errors
    /// The action may not continue.
    pub(crate) async fn wait_for_body<T>(
        &mut self,
        ticks: u64,
        check: impl FnMut(&mut Self) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let link = self.link.clone();
        link.wait(ticks, false, self, check, Self::may_go_on).await
    }

    /// Updates the land with the latest changes.
    pub fn refresh(&mut self) -> &mut ClientLand {
        self.land.refresh();
        &mut self.land
    }
}

/// The cell of a position in the land that a body knows.
pub(super) fn cell(player: &mut Player, pos: BlockPos) -> ltlcrit_minecraft::land::Cell {
    use ltlcrit_minecraft::land::Land as _;
    player.land().cell(pos)
}
