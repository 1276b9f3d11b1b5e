//! Windows: opening them, clicking in them, and never leaving anything on the cursor or in a grid.
//!
//! Nothing is predicted to the server, and every click carries a number of a state that cannot be: so the server answers
//! each one with the whole content, which is the only thing believed.

use std::collections::BTreeSet;

use azalea::core::position::Vec3;
use azalea::entity::inventory::Inventory;
use azalea::inventory::ItemStack;
use azalea::inventory::operations::ClickType;
use azalea::packet::game::SendGamePacketEvent;
use azalea::protocol::packets::game::s_container_click::HashedStack;
use azalea::protocol::packets::game::s_interact::InteractionHand;
use azalea::protocol::packets::game::s_use_item_on::BlockHit;
use azalea::protocol::packets::game::{ServerboundContainerClick, ServerboundContainerClose, ServerboundUseItemOn};
use azalea::registry::builtin::MenuKind;
use ltlcrit_minecraft::observation::BlockPos;

use super::ledger::{HOTBAR_START, INVENTORY_SLOTS, INVENTORY_START, Ledger, OWN_WINDOW};
use super::link::{Link, Waited};
use super::reach;
use super::sheet::Sheet;

/// How long the server may take to answer, in ticks.
pub(super) const ANSWER: u64 = 60;
/// A number no state has.
const NO_STATE: u32 = u32::MAX;

/// A window that is being worked in.
pub(super) struct Desk<'a> {
    link: &'a Link,
    id: i32,
    /// How it should be.
    pub sheet: Sheet,
    /// Slots whose content follows from the others.
    derived: Vec<usize>,
    /// Slots that were clicked. The others may change meanwhile: something is picked up, a furnace works.
    touched: BTreeSet<usize>,
}

impl<'a> Desk<'a> {
    /// The window that is open, or the player's own; `derived` are its slots that follow from others.
    pub fn at(link: &'a Link, derived: &[usize]) -> Self {
        let (id, sheet) = link.state(|state| {
            let ledger = &state.ledger;
            (ledger.id(), Sheet { slots: ledger.slots().to_vec(), cursor: ledger.cursor.clone() })
        });
        Self { link, id, sheet, derived: derived.to_vec(), touched: BTreeSet::new() }
    }

    /// Where the 36 slots of the inventory begin: they are the window's last, but in the player's own, where the off hand
    /// comes after them. It has as many slots as a crafting table's.
    fn inventory_start(&self) -> usize {
        if self.id == OWN_WINDOW { INVENTORY_START } else { self.sheet.slots.len().saturating_sub(INVENTORY_SLOTS) }
    }

    /// The window's slots of the inventory, hotbar first, as picking things up fills them.
    pub fn inventory(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let start = self.inventory_start();
        (start + 27..start + 36).chain(start..start + 27)
    }

    /// The window's slot of a hotbar slot.
    pub fn hotbar(&self, slot: usize) -> usize {
        self.inventory_start() + 27 + slot
    }

    /// The slots that hold one of these, those with least first.
    pub fn holding(&self, is: impl Fn(&ItemStack) -> bool) -> Vec<usize> {
        let mut slots: Vec<_> = self.inventory().filter(|slot| self.sheet.slots.get(*slot).is_some_and(&is)).collect();
        slots.sort_by_key(|slot| self.sheet.slots[*slot].count());
        slots
    }

    pub fn left(&mut self, slot: usize) {
        self.touched.insert(slot);
        self.sheet.left(slot);
        self.click(slot, 0, ClickType::Pickup);
    }

    pub fn right(&mut self, slot: usize) {
        self.touched.insert(slot);
        self.sheet.right(slot);
        self.click(slot, 1, ClickType::Pickup);
    }

    /// Takes the result of a grid.
    pub fn take_result(&mut self, result: usize, grid: std::ops::RangeInclusive<usize>) {
        self.touched.extend(grid.clone());
        self.sheet.take_result(result, grid);
        self.click(result, 0, ClickType::Pickup);
    }

    /// Throws away one of a slot, or all of it.
    pub fn throw(&mut self, slot: usize, all: bool) {
        self.touched.insert(slot);
        self.sheet.throw(slot, all);
        self.click(slot, u8::from(all), ClickType::Throw);
    }

    /// Puts what the cursor holds into the inventory: back to where it came from, or wherever there is room.
    pub fn put_back(&mut self, from: Option<usize>) {
        let fits = from.filter(|slot| self.sheet.slots.get(*slot).is_some_and(ItemStack::is_empty));
        // Onto a stack with room for all of it if there is one; otherwise piece by piece.
        while self.sheet.cursor.is_present() {
            let before = self.sheet.cursor.count();
            let target = fits
                .filter(|slot| self.sheet.slots[*slot].is_empty())
                .or_else(|| self.sheet.room_for(&self.sheet.cursor, self.inventory()))
                .or_else(|| self.holding(|stack| super::sheet::alike(stack, &self.sheet.cursor)).first().copied());
            let Some(target) = target else { return };
            self.left(target);
            if self.sheet.cursor.count() >= before {
                return;
            }
        }
    }

    fn click(&self, slot: usize, button: u8, kind: ClickType) {
        self.link.send(ServerboundContainerClick {
            container_id: self.id,
            state_id: NO_STATE,
            slot_num: i16::try_from(slot).unwrap_or(-999),
            button_num: button,
            click_type: kind,
            changed_slots: Default::default(),
            carried_item: HashedStack(None),
        });
    }

    /// Waits until the server says that what was clicked is as it should be; `false` if it does not within its time.
    pub async fn agreed(&self) -> Result<bool, Waited> {
        let agrees = |link: &Link| {
            link.state(|state| {
                let ledger = &state.ledger;
                let touched = self.touched.iter().copied().filter(|slot| !self.derived.contains(slot));
                (ledger.id() == self.id && self.sheet.agrees(ledger.slots(), &ledger.cursor, touched)).then_some(())
            })
        };
        let _rush = self.link.core().rush();
        match self.link.until(ANSWER, agrees).await {
            Ok(()) => Ok(true),
            Err(Waited::Late) => Ok(false),
            Err(lost) => Err(lost),
        }
    }

    /// Waits until the server says something of the window that this is true of; `false` if it does not.
    pub async fn shows(&self, mut is: impl FnMut(&Ledger) -> bool) -> Result<bool, Waited> {
        let found = |link: &Link| link.state(|state| is(&state.ledger).then_some(()));
        let _rush = self.link.core().rush();
        match self.link.until(ANSWER, found).await {
            Ok(()) => Ok(true),
            Err(Waited::Late) => Ok(false),
            Err(lost) => Err(lost),
        }
    }

    /// Takes the server's word for how the window is.
    pub fn believe(&mut self) {
        *self = Self::at(self.link, &self.derived);
    }
}

/// Touches a block's side with what is in the hand.
pub(super) fn touch(link: &Link, block: BlockPos, direction: azalea::core::direction::Direction, location: Vec3) {
    link.look_at(location);
    let seq = link.next_request();
    let block_hit = BlockHit { block_pos: reach::pos(block), direction, location, inside: false, world_border: false };
    link.send(ServerboundUseItemOn { hand: InteractionHand::MainHand, block_hit, seq });
    link.swing();
}

/// Opens a block's window; `false` when the server does not open it.
pub(super) async fn open(
    link: &Link,
    block: BlockPos,
    side: (azalea::core::direction::Direction, Vec3),
    kind: MenuKind,
    slots: usize,
) -> Result<bool, Waited> {
    close(link);
    touch(link, block, side.0, side.1);
    let opened = |link: &Link| {
        link.state(|state| {
            let window = state.ledger.window.as_ref()?;
            (!window.slots.is_empty()).then_some(window.kind == kind && window.slots.len() == slots)
        })
    };
    let _rush = link.core().rush();
    match link.until(ANSWER, opened).await {
        Ok(true) => Ok(true),
        Ok(false) => {
            close(link);
            Ok(false)
        }
        Err(Waited::Late) => {
            close(link);
            Ok(false)
        }
        Err(lost) => Err(lost),
    }
}

/// Closes the open window, if one is. The game gives back what lies in a grid or on the cursor.
pub(super) fn close(link: &Link) {
    let Some(id) = link.state(|state| state.ledger.window.as_ref().map(|window| window.id)) else { return };
    let _ = link.ecs(|ecs, entity| {
        // A connection that has ended took the inventory with it: azalea's own event would panic.
        let Some(mut inventory) = ecs.get_mut::<Inventory>(entity) else { return };
        inventory.id = OWN_WINDOW;
        inventory.container_menu = None;
        inventory.container_menu_title = None;
        // Written by hand and at once: azalea would send it after what is sent next.
        ecs.trigger(SendGamePacketEvent::new(entity, ServerboundContainerClose { container_id: id }));
        ecs.flush();
    });
    link.state(|state| state.ledger.close());
}

/// Puts what the cursor and a grid hold back into the inventory, in the window that is open; `false` if the server does
/// not agree that they are empty.
pub(super) async fn clear(link: &Link, grid: std::ops::RangeInclusive<usize>, result: usize) -> Result<bool, Waited> {
    for _ in 0..3 {
        let mut desk = Desk::at(link, &[result]);
        let lies =
            |desk: &Desk<'_>| grid.clone().find(|slot| desk.sheet.slots.get(*slot).is_some_and(ItemStack::is_present));
        if desk.sheet.cursor.is_empty() && lies(&desk).is_none() {
            return Ok(true);
        }
        desk.put_back(None);
        for slot in grid.clone() {
            if desk.sheet.cursor.is_empty() && desk.sheet.slots.get(slot).is_some_and(ItemStack::is_present) {
                desk.left(slot);
                desk.put_back(None);
            }
        }
        if desk.agreed().await? && desk.sheet.cursor.is_empty() && lies(&desk).is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The hotbar slot that an inventory slot of ours is, in the player's own window.
pub(super) fn own_slot(slot: usize) -> usize {
    if slot < 9 { HOTBAR_START + slot } else { slot }
}
