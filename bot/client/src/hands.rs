//! Selects hotbar slots, and moves items into the hotbar.

use azalea::ecs::world::World as Ecs;
use azalea::entity::inventory::Inventory as AzaleaInventory;
use azalea::inventory::{ItemStack, LastSentSelectedHotbarSlot};
use azalea::packet::game::SendGamePacketEvent;
use azalea::protocol::packets::game::ServerboundSetCarriedItem;
use ltlcrit_minecraft::body::Tool;
use ltlcrit_minecraft::failure::{Code, Failure};
use ltlcrit_minecraft::items::Item;

use super::classify::{kind_of, stack_of};
use super::link::ConnectionLost;
use super::player::Player;
use super::windows::{self, ActiveWindow};

/// The crafting grid of the player's own window.
pub(super) const OWN_GRID: std::ops::RangeInclusive<usize> = 1..=4;
/// The result slot of a crafting grid.
pub(super) const RESULT: usize = 0;

impl Player {
    /// Selects a hotbar slot, and sends this to the server at once.
    pub fn hold(&self, slot: usize) {
        let slot = slot.min(8) as u8;
        if self.link.state(|state| state.held == Some(slot)) {
            return;
        }
        let _ = self.link.ecs(|ecs: &mut Ecs, entity| {
            let Some(mut inventory) = ecs.get_mut::<AzaleaInventory>(entity) else { return };
            if inventory.selected_hotbar_slot == slot {
                return;
            }
            inventory.selected_hotbar_slot = slot;
            self.link.state(|state| state.held = Some(slot));
            if let Ok(mut player) = ecs.get_entity_mut(entity) {
                player.insert(LastSentSelectedHotbarSlot { slot });
            }
            ecs.trigger(SendGamePacketEvent::new(entity, ServerboundSetCarriedItem { slot: u16::from(slot) }));
        });
    }

    /// The selected hotbar slot.
    pub fn holds(&self) -> usize {
        let selected = |ecs: &mut Ecs, entity| ecs.get::<AzaleaInventory>(entity).map(|i| i.selected_hotbar_slot);
        let held = self.link.state(|state| state.held).or_else(|| self.link.ecs(selected).ok().flatten());
        held.map_or(0, usize::from)
    }

    /// Equips an item. Of several tools, it takes the least worn.
    pub(crate) async fn take_in_hand(&mut self, item: Item) -> Result<(), Failure> {
        let slots = self.view().slots();
        let best = slots.iter().enumerate().filter_map(|(slot, stack)| Some((stack.as_ref()?, slot)));
        let best = best.filter(|(stack, _)| stack.item == item).map(|(stack, slot)| (stack.wear, slot)).min();
        let missing = || Failure::new(Code::MissingIngredients, format!("No {} is carried.", item.name()));
        let (_, slot) = best.ok_or_else(missing)?;
        if slot < 9 {
            self.equipped = slot;
        } else {
            self.swap(slot, self.equipped).await?;
        }
        self.hold(self.equipped);
        let kind = kind_of(item);
        let there = |player: &mut Self| {
            let stack = player.view().hand()?;
            (stack.item == item && kind.is_some()).then_some(())
        };
        // The server receives the selection before any later packet.
        self.wait_for(windows::ANSWER, there).await?.ok_or_else(missing)
    }

    /// Swaps an inventory slot with a hotbar slot, by three clicks.
    pub async fn swap(&mut self, slot: usize, hotbar: usize) -> Result<(), Failure> {
        self.ready().await?;
        let mut window = ActiveWindow::new(&self.link, &[RESULT]);
        let (from, to) = (windows::own_slot(slot), windows::own_slot(hotbar));
        window.left_click(from);
        window.left_click(to);
        window.left_click(from);
        if window.confirmed().await? {
            return Ok(());
        }
        // A picked-up item may have changed a stack by now; only the final slots matter.
        windows::clear(&self.link, OWN_GRID, RESULT).await?;
        let wanted = window.expected.slots.get(to).map(ItemStack::kind);
        if wanted == self.link.state(|state| state.windows.own.get(to).map(ItemStack::kind)) {
            return Ok(());
        }
        Err(Failure::new(Code::Refused, "The server did not let the inventory be rearranged."))
    }

    /// Closes any window, and empties the cursor and the grid.
    pub async fn ready(&mut self) -> Result<(), Failure> {
        windows::close(&self.link);
        if windows::clear(&self.link, OWN_GRID, RESULT).await? {
            return Ok(());
        }
        Err(Failure::new(Code::NoRoom, "The inventory has no room for what is on the cursor."))
    }

    /// Selects the tool for digging, and returns the item.
    pub(crate) async fn hold_tool(&mut self, tool: Tool) -> Result<Option<Item>, Failure> {
        let slots = *self.view().slots();
        let wears = |slot: usize| slots.get(slot).copied().flatten().is_some_and(|stack| stack.item.durability() > 0);
        let slot = match tool {
            Tool::Slot(slot) => self.move_to_hotbar(slot).await?,
            Tool::Bare if !wears(self.holds()) => self.holds(),
            Tool::Bare => (0..9).find(|slot| !wears(*slot)).unwrap_or_else(|| self.holds()),
        };
        self.hold(slot);
        Ok(self.view().slots().get(slot).copied().flatten().map(|stack| stack.item))
    }

    /// Moves an item into the hotbar and selects it, for placing. The equipped item stays in its slot.
    pub(crate) async fn hold_item(&mut self, item: Item) -> Result<(), Failure> {
        let slots = *self.view().slots();
        let missing = || Failure::new(Code::MissingIngredients, format!("No {} is carried.", item.name()));
        let found = slots.iter().position(|stack| stack.is_some_and(|stack| stack.item == item));
        let slot = found.ok_or_else(missing)?;
        let place = self.move_to_hotbar(slot).await?;
        self.hold(place);
        Ok(())
    }

    /// Moves a stack into the hotbar, if it is not there, and returns its slot. The equipped item stays in its own; an
    /// empty slot is preferred to one with blocks, and that to one with a tool.
    pub(crate) async fn move_to_hotbar(&mut self, slot: usize) -> Result<usize, Failure> {
        if slot < 9 {
            return Ok(slot);
        }
        let slots = *self.view().slots();
        let worth = |place: &usize| slots[*place].map(|stack| stack.item.durability());
        let place = (0..9).filter(|place| *place != self.equipped).min_by_key(worth).unwrap_or(0);
        self.swap(slot, place).await?;
        Ok(place)
    }

    /// Tidies up after an action: closes windows, throws rubble away, and selects the equipped slot.
    pub(crate) async fn put_in_order(&mut self) {
        self.link.release_controls();
        if self.ready().await.is_ok() {
            let _ = self.throw_rubble().await;
        }
        self.hold(self.equipped);
    }

    /// Throws away the last action's rubble that has returned, before the next action begins.
    pub(crate) async fn sweep(&mut self) {
        self.start();
        if !self.surplus().is_empty() {
            self.put_in_order().await;
        }
    }

    async fn throw_rubble(&mut self) -> Result<(), ConnectionLost> {
        let surplus = self.surplus();
        if surplus.is_empty() {
            return Ok(());
        }
        if let Some(stance) = self.link.stance() {
            let away = self.open_side(&stance);
            self.link.look_at(away);
        }
        for (kind, more) in &surplus {
            self.note_thrown(*kind, *more);
        }
        let mut window = ActiveWindow::new(&self.link, &[RESULT]);
        for (kind, mut more) in surplus {
            for slot in
                window.holding(|stack: &ItemStack| stack.kind() == kind && stack_of(stack).is_none_or(|s| s.wear == 0))
            {
                let count = i64::from(window.expected.slots[slot].count());
                if count <= more {
                    window.throw(slot, true);
                    more -= count;
                } else {
                    for _ in 0..more {
                        window.throw(slot, false);
                    }
                    more = 0;
                }
            }
        }
        window.confirmed().await.map(|_| ())
    }
}
