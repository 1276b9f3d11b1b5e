//! Opens windows, clicks in them, and clears the cursor and the crafting grid.
//!
//! Clicks carry no prediction and an invalid state number. The server therefore answers each click with the whole
//! content of the window, and the client relies only on this content.

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

use super::expected_window::ExpectedWindow;
use super::link::{ConnectionLost, Link};
use super::reach;
use super::synced_windows::{HOTBAR_START, INVENTORY_SLOTS, INVENTORY_START, OWN_WINDOW, SyncedWindows};

/// The time limit for an answer of the server, in ticks.
pub(super) const ANSWER: u64 = 60;
/// A state number that the server never uses.
const NO_STATE: u32 = u32::MAX;

/// The window that receives clicks, with its expected content after them.
pub(super) struct ActiveWindow<'a> {
    link: &'a Link,
    id: i32,
    /// The content after all clicks so far.
    pub expected: ExpectedWindow,
    /// Slots whose content the server derives from other slots, such as a crafting result.
    derived: Vec<usize>,
    /// Slots that were clicked. The others may change by themselves: items are picked up, a furnace burns.
    touched: BTreeSet<usize>,
}

impl<'a> ActiveWindow<'a> {
    /// The open window, or the player's own if none is open. `derived` are the slots derived from other slots.
    pub fn new(link: &'a Link, derived: &[usize]) -> Self {
        let (id, expected) = link.state(|state| {
            let windows = &state.windows;
            (
                windows.active_id(),
                ExpectedWindow { slots: windows.active_slots().to_vec(), cursor: windows.cursor.clone() },
            )
        });
        Self { link, id, expected, derived: derived.to_vec(), touched: BTreeSet::new() }
    }

    /// The first of the 36 inventory slots. They are the last slots of a block's window; in the player's own window,
    /// the off hand follows them. The number of slots does not distinguish the two: a crafting table's window has as
    /// many.
    fn inventory_start(&self) -> usize {
        if self.id == OWN_WINDOW { INVENTORY_START } else { self.expected.slots.len().saturating_sub(INVENTORY_SLOTS) }
    }

    /// The window's inventory slots, hotbar first: the order in which picked-up items fill them.
    pub fn inventory(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        let start = self.inventory_start();
        (start + 27..start + 36).chain(start..start + 27)
    }

    /// The slot of this window that shows a hotbar slot.
    pub fn hotbar(&self, slot: usize) -> usize {
        self.inventory_start() + 27 + slot
    }

    /// The inventory slots whose stack matches, smallest stacks first.
    pub fn holding(&self, is: impl Fn(&ItemStack) -> bool) -> Vec<usize> {
        let mut slots: Vec<_> =
            self.inventory().filter(|slot| self.expected.slots.get(*slot).is_some_and(&is)).collect();
        slots.sort_by_key(|slot| self.expected.slots[*slot].count());
        slots
    }

    pub(crate) fn left_click(&mut self, slot: usize) {
        self.touched.insert(slot);
        self.expected.left_click(slot);
        self.click(slot, 0, ClickType::Pickup);
    }

    pub(crate) fn right_click(&mut self, slot: usize) {
        self.touched.insert(slot);
        self.expected.right_click(slot);
        self.click(slot, 1, ClickType::Pickup);
    }

    /// Takes the result of a crafting grid.
    pub(crate) fn take_result(&mut self, result: usize, grid: std::ops::RangeInclusive<usize>) {
        self.touched.extend(grid.clone());
        self.expected.take_result(result, grid);
        self.click(result, 0, ClickType::Pickup);
    }

    /// Throws away one item of a slot, or all of them.
    pub fn throw(&mut self, slot: usize, all: bool) {
        self.touched.insert(slot);
        self.expected.throw(slot, all);
        self.click(slot, u8::from(all), ClickType::Throw);
    }

    /// Puts the stack on the cursor into the inventory: back into its slot `from`, or into any slot with room.
    pub fn put_back(&mut self, from: Option<usize>) {
        let fits = from.filter(|slot| self.expected.slots.get(*slot).is_some_and(ItemStack::is_empty));
        // Prefers a slot with room for the whole stack; otherwise fills several.
        while self.expected.cursor.is_present() {
            let before = self.expected.cursor.count();
            let target = fits
                .filter(|slot| self.expected.slots[*slot].is_empty())
                .or_else(|| self.expected.room_for(&self.expected.cursor, self.inventory()))
                .or_else(|| {
                    self.holding(|stack| super::expected_window::alike(stack, &self.expected.cursor)).first().copied()
                });
            let Some(target) = target else { return };
            self.left_click(target);
            if self.expected.cursor.count() >= before {
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

    /// Waits until the server shows the clicked slots as expected. Returns `false` if it does not within [`ANSWER`]
    /// ticks.
    pub async fn confirmed(&self) -> Result<bool, ConnectionLost> {
        let agrees = |link: &Link| {
            link.state(|state| {
                let windows = &state.windows;
                let touched = self.touched.iter().copied().filter(|slot| !self.derived.contains(slot));
                (windows.active_id() == self.id
                    && self.expected.agrees(windows.active_slots(), &windows.cursor, touched))
                .then_some(())
            })
        };
        Ok(self.link.answer(ANSWER, agrees).await?.is_some())
    }

    /// Waits until `is` holds for the server's windows. Returns `false` if it does not within [`ANSWER`] ticks.
    pub async fn shows(&self, mut is: impl FnMut(&SyncedWindows) -> bool) -> Result<bool, ConnectionLost> {
        let found = |link: &Link| link.state(|state| is(&state.windows).then_some(()));
        Ok(self.link.answer(ANSWER, found).await?.is_some())
    }

    /// Replaces the expected content by the server's.
    pub(crate) fn resync(&mut self) {
        *self = Self::new(self.link, &self.derived);
    }
}

/// Uses the item in the hand on a side of a block.
pub(super) fn touch(link: &Link, block: BlockPos, direction: azalea::core::direction::Direction, location: Vec3) {
    link.look_at(location);
    let seq = link.next_request();
    let block_hit = BlockHit { block_pos: reach::pos(block), direction, location, inside: false, world_border: false };
    link.send(ServerboundUseItemOn { hand: InteractionHand::MainHand, block_hit, seq });
    link.swing();
}

/// Opens a block's window. Returns `false` if the server does not open it.
pub(super) async fn open(
    link: &Link,
    block: BlockPos,
    side: (azalea::core::direction::Direction, Vec3),
    kind: MenuKind,
    slots: usize,
) -> Result<bool, ConnectionLost> {
    close(link);
    touch(link, block, side.0, side.1);
    let opened = |link: &Link| {
        link.state(|state| {
            let window = state.windows.open.as_ref()?;
            (!window.slots.is_empty()).then_some(window.kind == kind && window.slots.len() == slots)
        })
    };
    let is_open = link.answer(ANSWER, opened).await? == Some(true);
    if !is_open {
        close(link);
    }
    Ok(is_open)
}

/// Closes the open window, if any. The server returns the items in the grid and on the cursor.
pub(super) fn close(link: &Link) {
    let Some(id) = link.state(|state| state.windows.open.as_ref().map(|window| window.id)) else { return };
    let _ = link.ecs(|ecs, entity| {
        // azalea removes the inventory when the connection ends; its own close event would then panic.
        let Some(mut inventory) = ecs.get_mut::<Inventory>(entity) else { return };
        inventory.id = OWN_WINDOW;
        inventory.container_menu = None;
        inventory.container_menu_title = None;
        // The packet is sent directly: azalea's close event would send it after those that follow here.
        ecs.trigger(SendGamePacketEvent::new(entity, ServerboundContainerClose { container_id: id }));
        ecs.flush();
    });
    link.state(|state| state.windows.close());
}

/// Moves the items on the cursor and in a grid of the open window into the inventory. Returns `false` if the server
/// does not show both as empty afterwards.
pub(super) async fn clear(
    link: &Link,
    grid: std::ops::RangeInclusive<usize>,
    result: usize,
) -> Result<bool, ConnectionLost> {
    for _ in 0..3 {
        let mut window = ActiveWindow::new(link, &[result]);
        let lies = |window: &ActiveWindow<'_>| {
            grid.clone().find(|slot| window.expected.slots.get(*slot).is_some_and(ItemStack::is_present))
        };
        if window.expected.cursor.is_empty() && lies(&window).is_none() {
            return Ok(true);
        }
        window.put_back(None);
        for slot in grid.clone() {
            if window.expected.cursor.is_empty() && window.expected.slots.get(slot).is_some_and(ItemStack::is_present) {
                window.left_click(slot);
                window.put_back(None);
            }
        }
        if window.confirmed().await? && window.expected.cursor.is_empty() && lies(&window).is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The slot of the player's own window for a slot of our inventory, where the hotbar comes first.
pub(super) fn own_slot(slot: usize) -> usize {
    if slot < 9 { HOTBAR_START + slot } else { slot }
}
