//! Smelts one ore in a furnace, and leaves only the fire behind.

use azalea::inventory::ItemStack;
use azalea::registry::builtin::MenuKind;
use ltlcrit_minecraft::failure::{Code, Failure};
use ltlcrit_minecraft::fuel::{SMELT_TICKS, burn_ticks};
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::progress::Smelting;

use super::classify::{item_of, kind_of};
use super::link::Clocks;
use super::player::{FurnaceFire, Player};
use super::synced_windows::{INVENTORY_SLOTS, Window};
use super::windows::{self, ActiveWindow};

/// Slots of a furnace's window.
const SLOTS: usize = 3 + INVENTORY_SLOTS;
const INPUT: usize = 0;
const FUEL: usize = 1;
const OUTPUT: usize = 2;
/// The window property of the fire left, in ticks.
const FIRE: usize = 0;
/// The window property of the smelting progress, in ticks.
const PROGRESS: usize = 2;
/// The progress above which the client checks for the ingot as often as it can, in ticks.
const NEARLY: u16 = SMELT_TICKS as u16 - 4;
/// The delay after which smelting counts as failed, in ticks.
const SLACK: u64 = 100;

impl Player {
    /// Smelts one ore.
    pub(crate) async fn smelt_once(&mut self, furnace: BlockPos, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
        self.may_go_on()?;
        self.ready().await?;
        if !self.open(furnace, MenuKind::Furnace, SLOTS).await? {
            return Err(Failure::new(Code::NoFurnace, "The furnace cannot be opened."));
        }
        if let Err(failure) = self.make_room(furnace, !fuels.is_empty()).await {
            windows::close(&self.link);
            return Err(failure);
        }
        let before = self.count(Item::IronIngot);
        // This is stored before any item is put in, so that the items are recognised as ours after a crash.
        self.smelting = Some(Smelting {
            furnace,
            ore: ore.name().to_owned(),
            fuels: fuels.iter().map(|fuel| fuel.name().to_owned()).collect(),
            result: Item::IronIngot.name().to_owned(),
        });
        if let Err(failure) = self.save_progress() {
            self.smelting = None;
            windows::close(&self.link);
            return Err(failure);
        }
        let smelted = self.fire_and_take(ore, fuels).await;
        let mut burnt = fuels.to_vec();
        if self.link.lost().is_none() && self.death_cause().is_none() {
            // After a failure, all items are taken out again, and so is fuel that an unknown fire made unnecessary.
            let spared = match self.lies_in(FUEL) {
                Some(fuel) => item_of(fuel.kind()).filter(|fuel| burnt.contains(fuel)),
                None => None,
            };
            let empty = if smelted.is_err() || spared.is_some() { self.take_out().await } else { Ok(true) };
            if matches!(empty, Ok(true)) {
                burnt.retain(|fuel| Some(*fuel) != spared);
                self.smelting = None;
            }
        }
        tracing::debug!(?ore, ?fuels, ?burnt, ?smelted, left = ?self.smelting, gauges = ?self.gauges(), "smelted");
        self.note_fire(furnace);
        windows::close(&self.link);
        smelted?;
        let there = |player: &mut Self| (player.count(Item::IronIngot) > before).then_some(());
        if self.wait_for(windows::ANSWER, there).await?.is_none() {
            return Err(Failure::new(Code::NothingCrafted, "The ingot did not come."));
        }
        self.expect_more(ore, -1);
        for fuel in burnt {
            self.expect_more(fuel, -1);
        }
        self.expect_more(Item::IronIngot, 1);
        Ok(())
    }

    /// Makes the open furnace usable: takes out the remains of an earlier smelting. Fails if the slots hold other
    /// players' items.
    async fn make_room(&mut self, furnace: BlockPos, for_fuel: bool) -> Result<(), Failure> {
        let slots = || [Some(INPUT), Some(OUTPUT), for_fuel.then_some(FUEL)].into_iter().flatten();
        let foreign = slots().filter_map(|slot| self.lies_in(slot)).find(|stack| !self.is_ours(furnace, stack));
        if let Some(other) = foreign {
            let what = super::classify::item_name(other.kind());
            return Err(Failure::new(Code::NoFurnace, format!("Someone else's {what} is in the furnace.")));
        }
        if slots().any(|slot| self.lies_in(slot).is_some()) {
            let before = self.kinds();
            let empty = self.take_out().await?;
            for (kind, count) in self.kinds() {
                let more = count - before.get(&kind).copied().unwrap_or(0);
                item_of(kind).into_iter().for_each(|item| self.expect_more(item, more));
            }
            if !empty {
                return Err(Failure::new(Code::NoFurnace, "What lies in the furnace cannot be taken out."));
            }
        }
        Ok(())
    }

    /// Returns whether a stack in a furnace was put there by this player, or results from it.
    fn is_ours(&self, furnace: BlockPos, stack: &ItemStack) -> bool {
        let (name, count) =
            (super::classify::item_name(stack.kind()), u32::try_from(stack.count()).unwrap_or(u32::MAX));
        let ours = self.smelting.as_ref().filter(|smelting| smelting.furnace == furnace);
        ours.is_some_and(|smelting| smelting.accounts_for(name, count))
    }

    /// The stack in a slot of the open furnace.
    fn lies_in(&self, slot: usize) -> Option<ItemStack> {
        let stack = |window: &Window| window.slots.get(slot).filter(|stack| stack.is_present()).cloned();
        self.link.state(|state| state.windows.open.as_ref().and_then(stack))
    }

    async fn fire_and_take(&mut self, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
        let link = self.link.clone();
        let mut window = ActiveWindow::new(&link, &[]);
        move_one(&mut window, ore, INPUT)?;
        let mut fuels = fuels.iter().copied();
        let mut burning = 0;
        if let Some(fuel) = fuels.next() {
            move_one(&mut window, fuel, FUEL)?;
            burning = burn_ticks(fuel);
        }
        self.burn_and_take(burning, fuels).await
    }

    /// Waits for the ingot and takes it. The fire burns for `burning` ticks; after that, each of `fuels` is added in
    /// turn.
    async fn burn_and_take(&mut self, mut burning: u32, fuels: impl Iterator<Item = Item>) -> Result<(), Failure> {
        let link = self.link.clone();
        let mut patience = u64::from(SMELT_TICKS) + SLACK;
        for fuel in fuels {
            // The fuel slot holds one kind at a time.
            if self.ingot_comes(u64::from(burning)).await? {
                break;
            }
            patience = patience.saturating_sub(u64::from(burning)).max(SLACK);
            burning = burn_ticks(fuel);
            let mut window = ActiveWindow::new(&link, &[]);
            move_one(&mut window, fuel, FUEL)?;
        }
        self.take_ingot(patience).await
    }

    /// Continues a smelting that was interrupted by a lost connection or the end of a process. Waits for the ingot if
    /// it has begun, and takes out all items of this player.
    pub(crate) async fn finish_smelting(&mut self) {
        let Some(smelting) = self.smelting.clone() else { return };
        let furnace = smelting.furnace;
        let finished: Result<(), Failure> = async {
            self.ready().await?;
            if !self.open(furnace, MenuKind::Furnace, SLOTS).await? {
                return Ok(());
            }
            let ours = |player: &Self, slot| player.lies_in(slot).is_some_and(|stack| player.is_ours(furnace, &stack));
            if ours(self, INPUT) || ours(self, OUTPUT) {
                // Fuel that is missing from the inventory was put in.
                let fuels = smelting.fuels.iter().filter_map(|fuel| Item::from_name(fuel));
                let unburnt: Vec<_> = fuels.filter(|fuel| self.gain(&[*fuel]) >= 0).collect();
                let lit = self.gauges().map_or(0, |gauges| u32::from(gauges[FIRE]));
                let laid = self.lies_in(FUEL).and_then(|fuel| item_of(fuel.kind())).map_or(0, burn_ticks);
                let made = self.burn_and_take(lit + laid, unburnt.into_iter()).await;
                tracing::debug!(?smelting, ?made, "went on with a smelting that was cut off");
            }
            let foreign = [INPUT, FUEL, OUTPUT].into_iter().filter_map(|slot| self.lies_in(slot));
            if foreign.into_iter().any(|stack| !self.is_ours(furnace, &stack)) || self.take_out().await? {
                self.smelting = None;
            }
            self.note_fire(furnace);
            Ok(())
        }
        .await;
        windows::close(&self.link);
        if let Err(failure) = finished {
            tracing::debug!(?failure, "a smelting that was cut off is not finished");
        }
    }

    /// Waits until an ingot is in the open furnace, for at most `patience` ticks, and takes it.
    async fn take_ingot(&mut self, patience: u64) -> Result<(), Failure> {
        let none = |player: &Self| match player.link.state(|state| state.windows.open.is_some()) {
            true => Failure::new(Code::NoFuel, "The furnace did not burn long enough."),
            false => Failure::new(Code::NoFurnace, "The furnace was closed."),
        };
        // The server may be slow: the wait continues while the furnace changes.
        let mut ticks = patience;
        loop {
            let before = self.gauges();
            if self.ingot_comes(ticks).await? {
                break;
            }
            if self.gauges().is_none_or(|now| Some(now) == before) {
                return Err(none(self));
            }
            ticks = SLACK;
        }
        let mut window = ActiveWindow::new(&self.link, &[INPUT, FUEL]);
        let made = window.expected.slots.get(OUTPUT).cloned().unwrap_or_default();
        let hand = window.hotbar(self.equipped);
        let room = window.expected.room_for(&made, window.inventory().filter(|slot| *slot != hand));
        let room = room.or_else(|| window.expected.room_for(&made, window.inventory()));
        let room = room.ok_or_else(|| Failure::no_room(Item::IronIngot))?;
        window.left_click(OUTPUT);
        window.left_click(room);
        if window.confirmed().await? {
            return Ok(());
        }
        Err(Failure::new(Code::NothingCrafted, "The ingot could not be taken out."))
    }

    /// Waits until an ingot is in the open furnace. Returns `false` if this many ticks pass by both clocks before.
    async fn ingot_comes(&mut self, ticks: u64) -> Result<bool, Failure> {
        let began = self.link.clocks(self.now());
        let done = |player: &mut Self| {
            let late = Clocks::have_passed(began, player.link.clocks(player.now()), ticks);
            let closed = player.link.state(|state| state.windows.open.is_none());
            match player.lies_in(OUTPUT).and_then(|stack| item_of(stack.kind())) {
                Some(Item::IronIngot) => Some(true),
                _ => (late || closed).then_some(false),
            }
        };
        // Rare updates suffice until the ingot is nearly done.
        let mut soon = |player: &mut Self| {
            let progress = player.gauges().map(|gauges| gauges[PROGRESS]);
            done(player).map(Some).or(progress.is_none_or(|progress| progress >= NEARLY).then_some(None))
        };
        match self.wait_for_body(u64::MAX, &mut soon).await? {
            Some(Some(came)) => Ok(came),
            Some(None) => Ok(self.wait_for(u64::MAX, done).await? == Some(true)),
            None => Ok(false),
        }
    }

    /// Takes all items out of the open furnace. Returns whether it is then empty.
    async fn take_out(&mut self) -> Result<bool, Failure> {
        let mut window = ActiveWindow::new(&self.link, &[]);
        if window.expected.slots.len() != SLOTS {
            return Ok(false);
        }
        window.put_back(None);
        for slot in [INPUT, FUEL, OUTPUT] {
            if window.expected.slots[slot].is_present() && window.expected.cursor.is_empty() {
                window.left_click(slot);
                window.put_back(None);
            }
        }
        window.confirmed().await?;
        Ok([INPUT, FUEL, OUTPUT].into_iter().all(|slot| self.lies_in(slot).is_none()))
    }

    /// The properties of the open furnace: fire and progress.
    fn gauges(&self) -> Option<[u16; 4]> {
        self.link.state(|state| state.windows.open.as_ref().map(|window| window.properties))
    }

    /// Stores the fire of the open furnace.
    fn note_fire(&mut self, furnace: BlockPos) {
        let left = self.link.state(|state| {
            let window = state.windows.open.as_ref().filter(|window| window.kind == MenuKind::Furnace);
            window.map(|window| u32::from(window.properties[FIRE]))
        });
        if let Some(left) = left {
            self.fires.insert(furnace, FurnaceFire { tick: self.now(), left });
        }
    }
}

/// Moves one item into a slot.
fn move_one(window: &mut ActiveWindow<'_>, item: Item, to: usize) -> Result<(), Failure> {
    let kind = kind_of(item);
    let from = window.holding(|stack| kind == Some(stack.kind())).first().copied();
    let Some(from) = from else {
        return Err(Failure::new(Code::MissingIngredients, format!("The {} is gone.", item.name())));
    };
    window.left_click(from);
    window.right_click(to);
    window.put_back(Some(from));
    Ok(())
}
