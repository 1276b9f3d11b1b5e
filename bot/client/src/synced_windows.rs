//! The player's inventory, cursor and open window, as the server last sent them.
//!
//! azalea keeps an inventory of its own. It predicts the effect of clicks in it and ignores several of the packets that
//! would correct the prediction. This module does not predict: a slot holds the content that the server sent last.

use azalea::inventory::ItemStack;
use azalea::protocol::packets::game::ClientboundGamePacket;
use azalea::registry::builtin::MenuKind;

/// Slots of the player's own window: crafting result and grid, armour, inventory, off hand.
pub(super) const PLAYER_SLOTS: usize = 46;
/// The number of the player's own window.
pub(super) const OWN_WINDOW: i32 = 0;
/// The first of the 36 inventory slots in the player's own window: 27 of the main inventory, then the hotbar.
pub(super) const INVENTORY_START: usize = 9;
/// The number of slots of the inventory.
pub(super) const INVENTORY_SLOTS: usize = 36;
/// The first hotbar slot in the player's own window.
pub(super) const HOTBAR_START: usize = 36;
/// The number of window properties that are stored; a furnace has four.
const PROPERTIES: usize = 4;

/// An open window of a block.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Its number in the protocol.
    pub id: i32,
    /// Its kind.
    pub kind: MenuKind,
    /// Its slots, the player's 36 last; empty until the server has sent them.
    pub slots: Vec<ItemStack>,
    /// Its properties. For a furnace: fire left, burn time of the fuel, progress, and the progress that is needed.
    pub properties: [u16; PROPERTIES],
}

/// The items that the player can move, as the server last sent them.
#[derive(Clone, Debug)]
pub(super) struct SyncedWindows {
    /// The slots of the player's own window; empty until the server has sent them.
    pub own: Vec<ItemStack>,
    /// The stack on the cursor.
    pub cursor: ItemStack,
    /// The open window of a block.
    pub open: Option<Window>,
    /// The number and slot count of the window that the client closed last. Until the server has received the close, it
    /// sends changes of the inventory only as slots of that window.
    closed: Option<(i32, usize)>,
    /// The number of packets applied. A change shows that the server has sent an update.
    pub updates: u64,
}

impl Default for SyncedWindows {
    fn default() -> Self {
        Self { own: Vec::new(), cursor: ItemStack::Empty, open: None, closed: None, updates: 0 }
    }
}

impl SyncedWindows {
    /// Returns whether the server has sent the player's inventory.
    pub fn is_known(&self) -> bool {
        self.own.len() == PLAYER_SLOTS
    }

    /// The number of the window that receives clicks: the open one, or the player's own.
    pub(crate) fn active_id(&self) -> i32 {
        self.open.as_ref().map_or(OWN_WINDOW, |window| window.id)
    }

    /// The slots of the window that receives clicks.
    pub(crate) fn active_slots(&self) -> &[ItemStack] {
        self.open.as_ref().map_or(&self.own, |window| &window.slots)
    }

    /// The 36 slots of the inventory, main part first, for any open window.
    pub fn inventory(&self) -> &[ItemStack] {
        self.own.get(INVENTORY_START..INVENTORY_START + INVENTORY_SLOTS).unwrap_or_default()
    }

    /// Clears all contents. The number of updates still grows, so that caches notice it.
    pub fn forget(&mut self) {
        *self = Self { updates: self.updates + 1, ..Self::default() };
    }

    /// Records that the client has closed the window.
    pub fn close(&mut self) {
        self.closed = self.open.take().map(|window| (window.id, window.slots.len()));
    }

    /// Applies a packet. Returns `false` if it is not about items.
    pub fn apply(&mut self, packet: &ClientboundGamePacket) -> bool {
        match packet {
            ClientboundGamePacket::OpenScreen(p) => {
                self.closed = None;
                self.open = Some(Window {
                    id: p.container_id,
                    kind: p.menu_type,
                    slots: Vec::new(),
                    properties: [0; PROPERTIES],
                });
            }
            ClientboundGamePacket::ContainerClose(_) => self.open = None,
            ClientboundGamePacket::ContainerSetContent(p) => {
                if p.container_id == 0 {
                    self.own = p.items.clone();
                    self.own.resize(PLAYER_SLOTS, ItemStack::Empty);
                } else if let Some(window) = self.open.as_mut().filter(|window| window.id == p.container_id) {
                    window.slots = p.items.clone();
                    self.share_inventory();
                } else if self.closed.is_some_and(|(id, _)| id == p.container_id) {
                    for (slot, item) in p.items.iter().enumerate() {
                        self.set_closed(slot, p.items.len(), item);
                    }
                } else {
                    return false;
                }
                self.cursor = p.carried_item.clone();
            }
            ClientboundGamePacket::ContainerSetSlot(p) => {
                self.set(p.container_id, usize::from(p.slot), &p.item_stack);
            }
            ClientboundGamePacket::ContainerSetData(p) => {
                let window = self.open.as_mut().filter(|window| window.id == p.container_id);
                if let Some(property) = window.and_then(|window| window.properties.get_mut(usize::from(p.id))) {
                    *property = p.value;
                }
            }
            ClientboundGamePacket::SetCursorItem(p) => self.cursor = p.contents.clone(),
            ClientboundGamePacket::SetPlayerInventory(p) => self.set_raw(p.slot as usize, &p.contents),
            _ => return false,
        }
        self.updates += 1;
        true
    }

    fn set(&mut self, container: i32, slot: usize, item: &ItemStack) {
        match container {
            -1 => self.cursor = item.clone(),
            -2 => self.set_raw(slot, item),
            0 => {
                if let Some(kept) = self.own.get_mut(slot) {
                    *kept = item.clone();
                }
            }
            _ => {
                let Some(window) = self.open.as_mut().filter(|window| window.id == container) else {
                    if let Some((_, slots)) = self.closed.filter(|(id, _)| *id == container) {
                        self.set_closed(slot, slots, item);
                    }
                    return;
                };
                if let Some(kept) = window.slots.get_mut(slot) {
                    *kept = item.clone();
                }
                self.share_inventory();
            }
        }
    }

    /// Sets a slot of a closed window that had `slots` slots, if the slot belongs to the inventory (the last 36).
    fn set_closed(&mut self, slot: usize, slots: usize, item: &ItemStack) {
        let slot = slots.checked_sub(INVENTORY_SLOTS).and_then(|start| slot.checked_sub(start));
        if let Some(kept) =
            slot.filter(|slot| *slot < INVENTORY_SLOTS).and_then(|slot| self.own.get_mut(INVENTORY_START + slot))
        {
            *kept = item.clone();
        }
    }

    /// Sets a slot by its number in the inventory itself: hotbar, main part, boots to helmet, off hand.
    fn set_raw(&mut self, slot: usize, item: &ItemStack) {
        let slot = match slot {
            0..9 => slot + HOTBAR_START,
            9..36 => slot,
            36..40 => 44 - slot,
            40 => PLAYER_SLOTS - 1,
            _ => return,
        };
        if let Some(kept) = self.own.get_mut(slot) {
            *kept = item.clone();
        }
    }

    /// Copies the inventory slots of the open window into the player's own window.
    fn share_inventory(&mut self) {
        let Some(window) = &self.open else { return };
        let Some(start) = window.slots.len().checked_sub(INVENTORY_SLOTS) else { return };
        if let Some(own) = self.own.get_mut(INVENTORY_START..INVENTORY_START + INVENTORY_SLOTS) {
            own.clone_from_slice(&window.slots[start..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use azalea::protocol::packets::game::{
        ClientboundContainerClose, ClientboundContainerSetContent, ClientboundContainerSetData,
        ClientboundContainerSetSlot, ClientboundOpenScreen, ClientboundSetCursorItem, ClientboundSetPlayerInventory,
    };
    use azalea::registry::builtin::ItemKind;

    use super::*;

    fn full() -> SyncedWindows {
        let mut windows = SyncedWindows::default();
        let items = vec![ItemStack::Empty; PLAYER_SLOTS];
        let content =
            ClientboundContainerSetContent { container_id: 0, state_id: 3, items, carried_item: ItemStack::Empty };
        assert!(!windows.is_known());
        assert!(windows.apply(&ClientboundGamePacket::ContainerSetContent(content)));
        assert!(windows.is_known());
        windows
    }

    fn dirt(count: i32) -> ItemStack {
        ItemStack::new(ItemKind::Dirt, count)
    }

    #[test]
    fn numbers_slots_in_three_ways() {
        let mut windows = full();
        let mut raw = |slot| {
            let packet = ClientboundSetPlayerInventory { slot, contents: dirt(1) };
            windows.apply(&ClientboundGamePacket::SetPlayerInventory(packet));
            let at = windows.own.iter().position(|item| item.is_present());
            windows.own.fill(ItemStack::Empty);
            at
        };
        // The order is hotbar, main part, boots, helmet, off hand; larger numbers are ignored.
        assert_eq!(
            [0, 8, 9, 35, 36, 39, 40, 41].map(&mut raw),
            [Some(36), Some(44), Some(9), Some(35), Some(8), Some(5), Some(45), None]
        );
    }

    #[test]
    fn shows_the_inventory_through_an_open_window() {
        let mut windows = full();
        windows.apply(&ClientboundGamePacket::OpenScreen(ClientboundOpenScreen {
            container_id: 7,
            menu_type: MenuKind::Furnace,
            title: "Furnace".into(),
        }));
        assert_eq!((windows.active_id(), windows.active_slots().len()), (7, 0));
        let mut items = vec![ItemStack::Empty; 3 + INVENTORY_SLOTS];
        items[3 + 27] = dirt(5);
        windows.apply(&ClientboundGamePacket::ContainerSetContent(ClientboundContainerSetContent {
            container_id: 7,
            state_id: 9,
            items,
            carried_item: dirt(2),
        }));
        assert_eq!(windows.cursor.count(), 2);
        assert_eq!(windows.inventory()[27].count(), 5);
        assert_eq!(windows.own[HOTBAR_START].count(), 5);
        let slot = |container_id, slot, count| {
            ClientboundGamePacket::ContainerSetSlot(ClientboundContainerSetSlot {
                container_id,
                state_id: 10,
                slot,
                item_stack: dirt(count),
            })
        };
        windows.apply(&slot(7, 3, 8));
        assert_eq!(windows.inventory()[0].count(), 8);
        windows.apply(&slot(6, 4, 8));
        assert_eq!(windows.inventory()[1].count(), 0, "another window's slot");
        windows.apply(&slot(-1, 0, 3));
        assert_eq!(windows.cursor.count(), 3);
        windows.apply(&ClientboundGamePacket::SetCursorItem(ClientboundSetCursorItem { contents: ItemStack::Empty }));
        assert!(windows.cursor.is_empty());
        let data = |id, value| {
            ClientboundGamePacket::ContainerSetData(ClientboundContainerSetData { container_id: 7, id, value })
        };
        windows.apply(&data(0, 1500));
        windows.apply(&data(9, 1));
        assert_eq!(windows.open.as_ref().unwrap().properties, [1500, 0, 0, 0]);
        windows.apply(&ClientboundGamePacket::ContainerClose(ClientboundContainerClose { container_id: 7 }));
        assert_eq!(windows.active_id(), 0);
        assert_eq!(windows.inventory()[0].count(), 8);
    }

    /// Until the server knows that a window is closed, its updates for that window still change the inventory.
    #[test]
    fn hears_of_the_inventory_through_a_window_just_closed() {
        let mut windows = full();
        let open = |container_id| {
            let (menu_type, title) = (MenuKind::Furnace, "Furnace".into());
            ClientboundGamePacket::OpenScreen(ClientboundOpenScreen { container_id, menu_type, title })
        };
        let slot = |slot, count| {
            let item_stack = dirt(count);
            let packet = ClientboundContainerSetSlot { container_id: 7, state_id: 1, slot, item_stack };
            ClientboundGamePacket::ContainerSetSlot(packet)
        };
        let items = vec![ItemStack::Empty; 3 + INVENTORY_SLOTS];
        let content =
            ClientboundContainerSetContent { container_id: 7, state_id: 1, items, carried_item: ItemStack::Empty };
        let content = ClientboundGamePacket::ContainerSetContent(content);
        windows.apply(&open(7));
        windows.apply(&content);
        windows.close();
        windows.apply(&slot(3, 5));
        windows.apply(&slot(1, 6));
        windows.apply(&slot(38, 7));
        windows.apply(&slot(39, 8));
        let counts = |windows: &SyncedWindows| -> Vec<i32> {
            windows.own.iter().filter(|item| item.is_present()).map(ItemStack::count).collect()
        };
        assert_eq!((windows.inventory()[0].count(), windows.inventory()[35].count()), (5, 7));
        assert_eq!(counts(&windows), [5, 7], "the furnace's own slots and none that there are not");
        windows.apply(&content);
        assert!(windows.inventory().iter().all(ItemStack::is_empty));
        // Another window is open, so the one before is over.
        windows.apply(&open(8));
        windows.apply(&slot(3, 5));
        assert!(windows.inventory()[0].is_empty());
    }

    /// Invalid numbers from a server cause no panic, and change nothing but slots.
    #[test]
    fn survives_any_numbers() {
        let mut windows = full();
        for container_id in [-3, -2, -1, 0, 1, i32::MAX] {
            for slot in [0, 45, 46, 1000, u16::MAX] {
                let packet = ClientboundContainerSetSlot { container_id, state_id: 0, slot, item_stack: dirt(1) };
                windows.apply(&ClientboundGamePacket::ContainerSetSlot(packet));
            }
            let items = vec![dirt(1); 5];
            let packet = ClientboundContainerSetContent { container_id, state_id: 0, items, carried_item: dirt(1) };
            windows.apply(&ClientboundGamePacket::ContainerSetContent(packet));
            assert_eq!(windows.own.len(), PLAYER_SLOTS);
        }
    }
}
