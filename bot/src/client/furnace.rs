//! Smelting: one ore and its fuel in, one ingot out, and the furnace left as it was found but for its fire.

use azalea::inventory::ItemStack;
use azalea::registry::builtin::MenuKind;
use ltlcrit_worlds::minecraft::fuel::{SMELT_TICKS, burn_ticks};
use ltlcrit_worlds::minecraft::items::Item;
use ltlcrit_worlds::minecraft::observation::BlockPos;
use ltlcrit_worlds::minecraft::primitives::{Code, Failure};

use super::classify::{item_of, kind_of};
use super::ledger::{INVENTORY_SLOTS, Window};
use super::link::Clocks;
use super::player::{Fire, Player};
use super::windows::{self, Desk};

/// Slots of a furnace's window.
const SLOTS: usize = 3 + INVENTORY_SLOTS;
const INPUT: usize = 0;
const FUEL: usize = 1;
const OUTPUT: usize = 2;
/// The property that says how long the fire burns on, in ticks.
const FIRE: usize = 0;
/// The property that says how far the item is, in ticks, and where it is so far that the ingot is looked out for.
const PROGRESS: usize = 2;
const NEARLY: u16 = SMELT_TICKS as u16 - 4;
/// How much longer than it should smelting may take before it counts as failed, in ticks.
const SLACK: u64 = 100;

impl Player {
    /// Smelts one ore.
    pub async fn smelt_once(&mut self, furnace: BlockPos, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
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
        self.smelting = Some(furnace);
        let smelted = self.fire_and_take(ore, fuels).await;
        let mut burnt = fuels.to_vec();
        if self.link.lost().is_none() && self.death_cause().is_none() {
            // What was put in is taken out again; and fuel that was not needed, because there was fire nobody had told of.
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
        if self.watch(windows::ANSWER, there).await?.is_none() {
            return Err(Failure::new(Code::NothingCrafted, "The ingot did not come."));
        }
        self.enter(ore, -1);
        for fuel in burnt {
            self.enter(fuel, -1);
        }
        self.enter(Item::IronIngot, 1);
        Ok(())
    }

    /// Sees to it that the open furnace can be used: what someone else put into it stays there, what was left in it by an
    /// earlier smelting is taken out.
    async fn make_room(&mut self, furnace: BlockPos, for_fuel: bool) -> Result<(), Failure> {
        let in_the_way = |player: &Self| {
            let slots = [Some(INPUT), Some(OUTPUT), for_fuel.then_some(FUEL)];
            slots.into_iter().flatten().find_map(|slot| player.lies_in(slot))
        };
        if self.smelting == Some(furnace) && in_the_way(self).is_some() {
            let before = self.kinds();
            let empty = self.take_out().await?;
            for (kind, count) in self.kinds() {
                let more = count - before.get(&kind).copied().unwrap_or(0);
                item_of(kind).into_iter().for_each(|item| self.enter(item, more));
            }
            if !empty {
                return Err(Failure::new(Code::NoFurnace, "What lies in the furnace cannot be taken out."));
            }
        }
        match in_the_way(self) {
            Some(other) => {
                let what = super::classify::item_name(other.kind());
                Err(Failure::new(Code::NoFurnace, format!("Someone else's {what} is in the furnace.")))
            }
            None => Ok(()),
        }
    }

    /// What lies in a slot of the open furnace.
    fn lies_in(&self, slot: usize) -> Option<ItemStack> {
        let stack = |window: &Window| window.slots.get(slot).filter(|stack| stack.is_present()).cloned();
        self.link.state(|state| state.ledger.window.as_ref().and_then(stack))
    }

    async fn fire_and_take(&mut self, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
        let link = self.link.clone();
        let mut desk = Desk::at(&link, &[]);
        move_one(&mut desk, ore, INPUT)?;
        let mut fuels = fuels.iter().copied();
        let mut burning = 0;
        if let Some(fuel) = fuels.next() {
            move_one(&mut desk, fuel, FUEL)?;
            burning = burn_ticks(fuel);
        }
        // From here on the furnace is at work: what lies in it is the server's to tell.
        let mut patience = u64::from(SMELT_TICKS) + SLACK;
        for fuel in fuels {
            // One kind of fuel after the other.
            if self.ingot_comes(u64::from(burning)).await? {
                break;
            }
            patience = patience.saturating_sub(u64::from(burning)).max(SLACK);
            burning = burn_ticks(fuel);
            let mut desk = Desk::at(&link, &[]);
            move_one(&mut desk, fuel, FUEL)?;
        }
        self.take_ingot(patience).await
    }

    /// Takes the ingot that a lost connection left behind in a furnace; says whether there was one.
    pub async fn finish_smelting(&mut self) -> bool {
        let Some(furnace) = self.smelting.take() else { return false };
        let finished = async {
            self.ready().await?;
            if !self.open(furnace, MenuKind::Furnace, SLOTS).await? {
                return Ok(false);
            }
            let made = self.take_ingot(u64::from(SMELT_TICKS) + SLACK).await;
            let _ = self.take_out().await;
            self.note_fire(furnace);
            windows::close(&self.link);
            made.map(|()| true)
        };
        let finished: Result<bool, Failure> = finished.await;
        finished.unwrap_or(false)
    }

    /// Waits until an ingot lies in the open furnace, at most so many ticks, and takes it.
    async fn take_ingot(&mut self, patience: u64) -> Result<(), Failure> {
        let none = |player: &Self| match player.link.state(|state| state.ledger.window.is_some()) {
            true => Failure::new(Code::NoFuel, "The furnace did not burn long enough."),
            false => Failure::new(Code::NoFurnace, "The furnace was closed."),
        };
        // The server's time may pass more slowly than ours: for as long as something goes on in the furnace it is waited for.
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
        let mut desk = Desk::at(&self.link, &[INPUT, FUEL]);
        let made = desk.sheet.slots.get(OUTPUT).cloned().unwrap_or_default();
        let hand = desk.hotbar(self.equipped);
        let room = desk.sheet.room_for(&made, desk.inventory().filter(|slot| *slot != hand));
        let room = room.or_else(|| desk.sheet.room_for(&made, desk.inventory()));
        let room = room.ok_or_else(|| Failure::no_room(Item::IronIngot))?;
        desk.left(OUTPUT);
        desk.left(room);
        if desk.agreed().await? {
            return Ok(());
        }
        Err(Failure::new(Code::NothingCrafted, "The ingot could not be taken out."))
    }

    /// Waits until an ingot lies in the open furnace; `false` if none does within so many ticks, of the server's too.
    async fn ingot_comes(&mut self, ticks: u64) -> Result<bool, Failure> {
        let began = self.link.clocks(self.now());
        let done = |player: &mut Self| {
            let late = Clocks::have_passed(began, player.link.clocks(player.now()), ticks);
            let closed = player.link.state(|state| state.ledger.window.is_none());
            match player.lies_in(OUTPUT).and_then(|stack| item_of(stack.kind())) {
                Some(Item::IronIngot) => Some(true),
                _ => (late || closed).then_some(false),
            }
        };
        // The ingot is taken the moment it comes; until then there is no hurry.
        let mut soon = |player: &mut Self| {
            let progress = player.gauges().map(|gauges| gauges[PROGRESS]);
            done(player).map(Some).or(progress.is_none_or(|progress| progress >= NEARLY).then_some(None))
        };
        match self.watch_calmly(u64::MAX, &mut soon).await? {
            Some(Some(came)) => Ok(came),
            Some(None) => Ok(self.watch(u64::MAX, done).await? == Some(true)),
            None => Ok(false),
        }
    }

    /// Takes everything out of the open furnace; says whether it is empty then.
    async fn take_out(&mut self) -> Result<bool, Failure> {
        let mut desk = Desk::at(&self.link, &[]);
        if desk.sheet.slots.len() != SLOTS {
            return Ok(false);
        }
        desk.put_back(None);
        for slot in [INPUT, FUEL, OUTPUT] {
            if desk.sheet.slots[slot].is_present() && desk.sheet.cursor.is_empty() {
                desk.left(slot);
                desk.put_back(None);
            }
        }
        desk.agreed().await?;
        Ok([INPUT, FUEL, OUTPUT].into_iter().all(|slot| self.lies_in(slot).is_none()))
    }

    /// What the open furnace shows of its fire and its progress.
    fn gauges(&self) -> Option<[u16; 4]> {
        self.link.state(|state| state.ledger.window.as_ref().map(|window| window.properties))
    }

    /// Remembers the fire in the open furnace.
    fn note_fire(&mut self, furnace: BlockPos) {
        let left = self.link.state(|state| {
            let window = state.ledger.window.as_ref().filter(|window| window.kind == MenuKind::Furnace);
            window.map(|window| u32::from(window.properties[FIRE]))
        });
        if let Some(left) = left {
            self.fires.insert(furnace, Fire { tick: self.now(), left });
        }
    }
}

/// Moves one of an item into a slot.
fn move_one(desk: &mut Desk<'_>, item: Item, to: usize) -> Result<(), Failure> {
    let kind = kind_of(item);
    let from = desk.holding(|stack| kind == Some(stack.kind())).first().copied();
    let Some(from) = from else {
        return Err(Failure::new(Code::MissingIngredients, format!("The {} is gone.", item.name())));
    };
    desk.left(from);
    desk.right(to);
    desk.put_back(Some(from));
    Ok(())
}
