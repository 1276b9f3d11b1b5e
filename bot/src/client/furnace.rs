//! Smelting: one ore and its fuel in, one ingot out, and the furnace left as it was found but for its fire.

use azalea::registry::builtin::MenuKind;
use ltlcrit_worlds::minecraft::fuel::{SMELT_TICKS, burn_ticks};
use ltlcrit_worlds::minecraft::items::Item;
use ltlcrit_worlds::minecraft::observation::BlockPos;
use ltlcrit_worlds::minecraft::primitives::{Code, Failure};

use super::classify::{item_of, kind_of};
use super::ledger::INVENTORY_SLOTS;
use super::player::{Fire, Player};
use super::windows::{self, Desk};

/// Slots of a furnace's window.
const SLOTS: usize = 3 + INVENTORY_SLOTS;
const INPUT: usize = 0;
const FUEL: usize = 1;
const OUTPUT: usize = 2;
/// The property that says how long the fire burns on, in ticks.
const FIRE: usize = 0;
/// How much longer than it should smelting may take before it counts as failed, in ticks.
const SLACK: u64 = 100;
/// How many ticks pass between two times that a server tells the time, and how many times as slow as ours its time may be.
const BETWEEN_TIMES: u64 = 20;
const SLOWEST: u64 = 5;

impl Player {
    /// Smelts one ore.
    pub async fn smelt_once(&mut self, furnace: BlockPos, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
        self.may_go_on()?;
        self.ready().await?;
        if !self.open(furnace, MenuKind::Furnace, SLOTS).await? {
            return Err(Failure::new(Code::NoFurnace, "The furnace cannot be opened."));
        }
        let before = self.count(Item::IronIngot);
        self.smelting = Some(furnace);
        let smelted = self.fire_and_take(ore, fuels).await;
        if smelted.is_err() && self.link.lost().is_none() && self.death_cause().is_none() {
            // What was put in is taken out again.
            let _ = self.take_out().await;
        }
        if self.link.lost().is_none() {
            self.smelting = None;
        }
        self.note_fire(furnace);
        windows::close(&self.link);
        smelted?;
        let there = |player: &mut Self| (player.count(Item::IronIngot) > before).then_some(());
        if self.watch(windows::ANSWER, there).await?.is_none() {
            return Err(Failure::new(Code::NothingCrafted, "The ingot did not come."));
        }
        self.enter(ore, -1);
        for fuel in fuels {
            self.enter(*fuel, -1);
        }
        self.enter(Item::IronIngot, 1);
        Ok(())
    }

    async fn fire_and_take(&mut self, ore: Item, fuels: &[Item]) -> Result<(), Failure> {
        let taken = |what: &str| Failure::new(Code::NoFurnace, format!("Someone else's {what} is in the furnace."));
        let link = self.link.clone();
        let mut desk = Desk::at(&link, &[]);
        let holds =
            |desk: &Desk<'_>, slot: usize| desk.sheet.slots.get(slot).filter(|stack| stack.is_present()).cloned();
        if let Some(other) = holds(&desk, INPUT).or_else(|| holds(&desk, OUTPUT)) {
            return Err(taken(super::classify::item_name(other.kind())));
        }
        if let Some(other) = holds(&desk, FUEL).filter(|_| !fuels.is_empty()) {
            return Err(taken(super::classify::item_name(other.kind())));
        }
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

    /// Waits until an ingot lies in the open furnace; `false` if none does within so many ticks. They are the server's: if
    /// its time passes more slowly than ours, as far as it says, it gets what it needs.
    async fn ingot_comes(&mut self, ticks: u64) -> Result<bool, Failure> {
        let (began, age) = (self.now(), self.link.state(|state| state.world_age));
        let done = |player: &mut Self| {
            let passed = player.now() - began;
            player.link.state(|state| {
                let Some(window) = state.ledger.window.as_ref() else { return Some(false) };
                let out = window.slots.get(OUTPUT).and_then(|stack| item_of(stack.kind()));
                let theirs = state.world_age.saturating_sub(age);
                // It tells the time once in a while only; one that never does is taken to be in time.
                let late = passed > ticks && (theirs == 0 || theirs + BETWEEN_TIMES > ticks);
                match out {
                    Some(Item::IronIngot) => Some(true),
                    _ => late.then_some(false),
                }
            })
        };
        Ok(self.watch(SLOWEST * ticks, done).await? == Some(true))
    }

    /// Takes everything out of the open furnace.
    async fn take_out(&mut self) -> Result<(), Failure> {
        let mut desk = Desk::at(&self.link, &[]);
        if desk.sheet.slots.len() != SLOTS {
            return Ok(());
        }
        desk.put_back(None);
        for slot in [INPUT, FUEL, OUTPUT] {
            if desk.sheet.slots[slot].is_present() && desk.sheet.cursor.is_empty() {
                desk.left(slot);
                desk.put_back(None);
            }
        }
        desk.agreed().await?;
        Ok(())
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
