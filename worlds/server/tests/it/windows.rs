//! Windows over the protocol: crafting, smelting, every kind of click, and stations that are removed while open.

use azalea_core::direction::Direction;
use azalea_core::position::{BlockPos as WireBlockPos, Vec3};
use azalea_core::registry_holder::RegistryHolder;
use azalea_inventory::ItemStack;
use azalea_inventory::components::Damage;
use azalea_inventory::operations::ClickType;
use azalea_protocol::packets::game::s_container_click::HashedStack;
use azalea_protocol::packets::game::s_interact::InteractionHand;
use azalea_protocol::packets::game::s_player_action::Action;
use azalea_protocol::packets::game::s_use_item_on::BlockHit;
use azalea_protocol::packets::game::*;
use azalea_registry::builtin::{ItemKind, MenuKind};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_server::{Server, ServerOptions};

use crate::wire::{Client, compact, in_time, join};

const OUTSIDE: i16 = -999;
/// A state number that no server uses, as mineflayer sends it.
const NO_STATE: u32 = u32::MAX;

/// The content of a slot: kind and count.
type Stack = (ItemKind, i32);

/// A client that stores its windows as the server sends them.
struct Player {
    client: Client,
    /// The open window; 0 for its own.
    window: i32,
    kind: Option<MenuKind>,
    own: Vec<ItemStack>,
    other: Vec<ItemStack>,
    cursor: ItemStack,
    state: u32,
    /// The furnace properties received, in order.
    numbers: Vec<(u16, u16)>,
    /// The number of packets received that set slots.
    slots_told: usize,
    contents_told: usize,
}

impl Player {
    async fn join(server: &Server, name: &str) -> Self {
        let mut player = Self {
            client: join(server, name).await,
            window: 0,
            kind: None,
            own: vec![ItemStack::Empty; 46],
            other: Vec::new(),
            cursor: ItemStack::Empty,
            state: 0,
            numbers: Vec::new(),
            slots_told: 0,
            contents_told: 0,
        };
        player.settle().await;
        player
    }

    fn slots(&mut self) -> &mut Vec<ItemStack> {
        if self.window == 0 { &mut self.own } else { &mut self.other }
    }

    fn close_here(&mut self) {
        if self.window != 0 {
            let carried = self.other.split_off(self.other.len() - 36);
            self.own[9..45].clone_from_slice(&carried);
            self.window = 0;
            self.kind = None;
        }
    }

    fn hear(&mut self, packet: ClientboundGamePacket) {
        use ClientboundGamePacket as Heard;
        match packet {
            Heard::OpenScreen(open) => {
                self.close_here();
                let slots = if open.menu_type == MenuKind::Furnace { 39 } else { 46 };
                (self.window, self.kind) = (open.container_id, Some(open.menu_type));
                self.other = vec![ItemStack::Empty; slots];
                self.numbers.clear();
            }
            Heard::ContainerClose(_) => self.close_here(),
            Heard::ContainerSetContent(content) => {
                assert_eq!(content.container_id, self.window);
                assert_eq!(content.items.len(), self.slots().len());
                self.state = content.state_id;
                self.contents_told += 1;
                *self.slots() = content.items;
            }
            Heard::ContainerSetSlot(slot) if slot.container_id == -1 => self.cursor = slot.item_stack,
            Heard::ContainerSetSlot(slot) => {
                assert_eq!(slot.container_id, self.window);
                self.state = slot.state_id;
                self.slots_told += 1;
                self.slots()[usize::from(slot.slot)] = slot.item_stack;
            }
            Heard::ContainerSetData(data) => {
                assert_eq!(data.container_id, self.window);
                self.numbers.push((data.id, data.value));
            }
            _ => {}
        }
    }

    /// Reads the server's packets until it has handled every request.
    async fn settle(&mut self) {
        self.client.settled().await;
        for packet in std::mem::take(&mut self.client.heard) {
            self.hear(packet);
        }
    }

    /// Waits until a condition on the received state holds.
    async fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let waiting = async {
            while !is_so(self) {
                for packet in std::mem::take(&mut self.client.heard) {
                    self.hear(packet);
                }
                if !is_so(self) {
                    let packet = self.client.next().await.expect("closed");
                    self.hear(packet);
                }
            }
        };
        if tokio::time::timeout(crate::wire::DEADLINE, waiting).await.is_err() {
            panic!("no {what} in time");
        }
    }

    async fn send(&mut self, kind: ClickType, button: u8, slot: i16, changed: &[(u16, ItemStack)], cursor: &ItemStack) {
        let registries = RegistryHolder::default();
        let hash = |stack: &ItemStack| HashedStack::from_item_stack(stack, &registries);
        let click = ServerboundContainerClick {
            container_id: self.window,
            state_id: self.state,
            slot_num: slot,
            button_num: button,
            click_type: kind,
            changed_slots: changed.iter().map(|(slot, stack)| (*slot, hash(stack))).collect(),
            carried_item: hash(cursor),
        };
        self.client.say(click).await;
    }

    /// A click that predicts nothing; the server has answered when this returns.
    async fn click(&mut self, kind: ClickType, button: u8, slot: i16) {
        let cursor = self.cursor.clone();
        self.send(kind, button, slot, &[], &cursor).await;
        self.settle().await;
    }

    async fn left(&mut self, slot: i16) {
        self.click(ClickType::Pickup, 0, slot).await;
    }

    async fn right(&mut self, slot: i16) {
        self.click(ClickType::Pickup, 1, slot).await;
    }

    /// Moves a whole stack.
    async fn carry(&mut self, from: i16, to: i16) {
        self.left(from).await;
        self.left(to).await;
    }

    /// Puts one item of the cursor's stack into each slot.
    async fn lay(&mut self, slots: &[i16]) {
        for slot in slots {
            self.right(*slot).await;
        }
    }

    async fn use_block(&mut self, pos: BlockPos) {
        let block_pos = WireBlockPos::new(pos.x, pos.y, pos.z);
        let location = Vec3 { x: f64::from(pos.x) + 0.5, y: f64::from(pos.y) + 1.0, z: f64::from(pos.z) + 0.5 };
        let block_hit = BlockHit { block_pos, direction: Direction::Up, location, inside: false, world_border: false };
        self.client.say(ServerboundUseItemOn { hand: InteractionHand::MainHand, block_hit, seq: 1 }).await;
    }

    /// Opens a station.
    async fn open(&mut self, pos: BlockPos) {
        self.use_block(pos).await;
        self.until("window", |player| player.window != 0).await;
        self.settle().await;
    }

    /// Closes the open window. As in every client, packets that the server sent about it earlier are ignored.
    async fn close(&mut self) {
        let closed = self.window;
        self.client.say(ServerboundContainerClose { container_id: closed }).await;
        self.close_here();
        self.client.settled().await;
        for packet in std::mem::take(&mut self.client.heard) {
            if closed == 0 || window_of(&packet) != Some(closed) {
                self.hear(packet);
            }
        }
    }

    /// The contents of the open window, without empty slots.
    fn filled(&mut self) -> Vec<(usize, ItemKind, i32)> {
        let slots = self.slots().iter().enumerate();
        slots.filter(|(_, stack)| stack.is_present()).map(|(slot, stack)| (slot, stack.kind(), stack.count())).collect()
    }

    fn at(&mut self, slot: usize) -> Option<Stack> {
        let stack = &self.slots()[slot];
        stack.is_present().then(|| (stack.kind(), stack.count()))
    }

    fn held(&self) -> Option<Stack> {
        self.cursor.is_present().then(|| (self.cursor.kind(), self.cursor.count()))
    }

    /// Gives it items, and waits until it has received them.
    async fn given(&mut self, server: &Server, items: &[(Item, u32)]) {
        for (item, count) in items {
            assert_eq!(server.give(&self.client.name, *item, *count).unwrap(), 0);
        }
        let truth = server.inventory(&self.client.name).unwrap();
        self.until("what was given", |player| {
            let from = player.slots().len() - if player.window == 0 { 37 } else { 36 };
            (0..36).all(|slot| {
                let shown = from + if slot < 9 { slot + 27 } else { slot - 9 };
                player.slots()[shown].count() == truth[slot].map_or(0, |stack| stack.count as i32)
            })
        })
        .await;
    }

    /// A position beside it where a block can be placed.
    fn beside(&self) -> BlockPos {
        let feet = self.client.feet();
        BlockPos::new(feet.x + 1, feet.y, feet.z)
    }
}

/// The window that a packet changes.
fn window_of(packet: &ClientboundGamePacket) -> Option<i32> {
    match packet {
        ClientboundGamePacket::ContainerSetContent(content) => Some(content.container_id),
        ClientboundGamePacket::ContainerSetSlot(slot) => Some(slot.container_id),
        ClientboundGamePacket::ContainerSetData(data) => Some(data.container_id),
        _ => None,
    }
}

/// A player with a station beside it.
async fn before(server: &Server, block: Block) -> (Player, BlockPos) {
    let player = Player::join(server, "crafter").await;
    let pos = player.beside();
    server.set_block(pos, block).unwrap();
    (player, pos)
}

fn stack(kind: ItemKind, count: i32) -> ItemStack {
    ItemStack::new(kind, count)
}

#[tokio::test]
async fn planks_are_made_with_right_predictions_and_few_answers() {
    let server = compact();
    let mut player = Player::join(&server, "crafter").await;
    player.given(&server, &[(Item::OakLog, 3)]).await;
    let (contents, empty) = (player.contents_told, ItemStack::Empty);
    let (log, planks) = (|count| stack(ItemKind::OakLog, count), stack(ItemKind::OakPlanks, 4));
    // The predictions are right, as with mineflayer, so it receives only the grid.
    player.slots_told = 0;
    player.send(ClickType::Pickup, 0, 36, &[(36, empty.clone())], &log(3)).await;
    player.settle().await;
    assert_eq!(player.slots_told, 0);
    player.own[36] = empty.clone();
    player.send(ClickType::Pickup, 1, 1, &[(1, log(1))], &log(2)).await;
    player.settle().await;
    assert_eq!((player.slots_told, player.at(0)), (1, Some((ItemKind::OakPlanks, 4))));
    player.send(ClickType::Pickup, 0, 9, &[(9, log(2))], &empty).await;
    player.send(ClickType::Pickup, 0, 0, &[(0, empty.clone())], &planks).await;
    player.settle().await;
    assert_eq!((player.slots_told, player.at(0), player.at(1)), (3, None, None));
    player.send(ClickType::Pickup, 0, 10, &[(10, planks)], &empty).await;
    player.settle().await;
    assert_eq!((player.slots_told, player.contents_told), (3, contents));
    // The end of a drag that never began, with an invalid state number, requests the whole content.
    player.state = NO_STATE;
    player.send(ClickType::QuickCraft, 2, OUTSIDE, &[], &empty).await;
    player.settle().await;
    assert_eq!(player.contents_told, contents + 1);
    assert_eq!(player.filled(), [(9, ItemKind::OakLog, 2), (10, ItemKind::OakPlanks, 4)]);
    assert_ne!(player.state, NO_STATE);
}

#[tokio::test]
async fn a_pickaxe_is_made_at_a_table() {
    let server = compact();
    let (mut player, table) = before(&server, Block::CraftingTable).await;
    player.given(&server, &[(Item::OakPlanks, 2), (Item::BirchPlanks, 5), (Item::Stick, 3)]).await;
    player.open(table).await;
    assert_eq!(player.kind, Some(MenuKind::Crafting));
    assert_eq!(player.filled().len(), 3);
    player.left(39).await;
    player.right(5).await;
    player.right(8).await;
    player.left(39).await;
    player.left(37).await;
    player.lay(&[1, 2]).await;
    player.left(38).await;
    player.right(3).await;
    assert_eq!(player.at(0), Some((ItemKind::WoodenPickaxe, 1)));
    player.left(38).await;
    player.carry(0, 45).await;
    assert_eq!(player.at(0), None);
    let mut kinds = player.filled();
    kinds.sort_by_key(|(_, kind, _)| kind.to_string());
    let counts: Vec<_> = kinds.into_iter().map(|(_, kind, count)| (kind, count)).collect();
    assert_eq!(counts, [(ItemKind::BirchPlanks, 4), (ItemKind::Stick, 1), (ItemKind::WoodenPickaxe, 1)]);
    player.close().await;
    assert_eq!(player.window, 0);
    assert_eq!(player.at(44), Some((ItemKind::WoodenPickaxe, 1)));
    let carried = server.inventory("crafter").unwrap();
    assert_eq!(carried[8].map(|stack| stack.item), Some(Item::WoodenPickaxe));
}

#[tokio::test]
async fn iron_is_smelted_and_the_window_tells_how_far() {
    let server = crate::wire::server(ServerOptions { ticks_per_second: 400, ..ServerOptions::compact() });
    let (mut player, furnace) = before(&server, Block::Furnace).await;
    player.given(&server, &[(Item::RawIron, 2), (Item::Coal, 1), (Item::Dirt, 1)]).await;
    player.open(furnace).await;
    assert_eq!(player.kind, Some(MenuKind::Furnace));
    player.until("numbers", |player| player.numbers.len() >= 8).await;
    let cold = [(1, 0), (3, 200), (0, 0), (2, 0)];
    assert_eq!(player.numbers, [cold, cold].concat());
    player.numbers.clear();
    // Dirt is not a fuel.
    player.left(32).await;
    player.left(1).await;
    assert_eq!((player.at(1), player.held()), (None, Some((ItemKind::Dirt, 1))));
    player.left(32).await;
    player.carry(30, 0).await;
    assert_eq!(player.at(0), Some((ItemKind::RawIron, 2)));
    player.carry(31, 1).await;
    let done = [None, None, Some((ItemKind::IronIngot, 2))];
    player.until("two ingots", |player| [0, 1, 2].map(|slot| player.at(slot)) == done).await;
    // The burn time of the fuel is sent before the fire left.
    assert_eq!(player.numbers[..2], [(1, 1600), (0, 1600)]);
    let progress: Vec<u16> = player.numbers.iter().filter(|(id, _)| *id == 2).map(|(_, value)| *value).collect();
    assert_eq!(progress.iter().max(), Some(&199));
    // Half of the result with the right button, all of the rest with the left one.
    player.right(2).await;
    assert_eq!((player.at(2), player.held()), (Some((ItemKind::IronIngot, 1)), Some((ItemKind::IronIngot, 1))));
    player.left(3).await;
    player.carry(2, 3).await;
    assert_eq!((player.at(2), player.at(3)), (None, Some((ItemKind::IronIngot, 2))));
    player.close().await;
    assert_eq!(player.at(9), Some((ItemKind::IronIngot, 2)));
}

#[tokio::test]
async fn every_kind_of_click_does_over_the_wire_what_it_does() {
    let server = compact();
    let mut player = Player::join(&server, "crafter").await;
    player.given(&server, &[(Item::Dirt, 64), (Item::Dirt, 6), (Item::Sand, 3)]).await;
    player.carry(36, 9).await;
    assert_eq!(player.at(9), Some((ItemKind::Dirt, 64)));
    player.left(9).await;
    player.lay(&[12, 13]).await;
    player.click(ClickType::PickupAll, 0, 20).await;
    assert_eq!((player.at(12), player.held()), (Some((ItemKind::Dirt, 1)), Some((ItemKind::Dirt, 62))));
    player.left(14).await;
    for (kind, button) in [(ClickType::Swap, 0), (ClickType::QuickMove, 0), (ClickType::Clone, 2)] {
        player.click(kind, button, 14).await;
        assert_eq!((player.at(14), player.held()), (Some((ItemKind::Dirt, 62)), None), "{kind:?}");
    }
    player.click(ClickType::Throw, 0, 38).await;
    assert_eq!(player.at(38), Some((ItemKind::Sand, 2)));
    player.click(ClickType::Throw, 1, 38).await;
    assert_eq!(player.at(38), None);
    let left: u32 = server.inventory("crafter").unwrap().into_iter().flatten().map(|stack| stack.count).sum();
    assert_eq!(left, 70, "all the dirt is there, and the sand is thrown");
}

#[tokio::test]
async fn a_table_broken_under_a_player_gives_everything_back() {
    let server = compact();
    let (mut player, table) = before(&server, Block::CraftingTable).await;
    player.given(&server, &[(Item::OakPlanks, 5), (Item::Stick, 2)]).await;
    player.open(table).await;
    player.left(37).await;
    player.lay(&[1, 2, 3]).await;
    player.left(38).await;
    assert_eq!(player.held(), Some((ItemKind::Stick, 2)));
    server.set_block(table, Block::Air).unwrap();
    player.until("the window to close", |player| player.window == 0).await;
    player.settle().await;
    let mut filled: Vec<_> = player.filled().into_iter().map(|(_, kind, count)| (kind, count)).collect();
    filled.sort_by_key(|(kind, _)| kind.to_string());
    assert_eq!(filled, [(ItemKind::OakPlanks, 5), (ItemKind::Stick, 2)]);
    assert_eq!(player.held(), None);
    // The player can use its own window at once, and there is no table to open any more.
    player.use_block(table).await;
    player.settle().await;
    assert_eq!(player.window, 0);
    let planks = player.filled().iter().find(|(_, kind, _)| *kind == ItemKind::OakPlanks).unwrap().0;
    player.left(planks as i16).await;
    player.lay(&[1, 2, 3, 4]).await;
    assert_eq!(player.at(0), Some((ItemKind::CraftingTable, 1)));
}

#[tokio::test]
async fn a_player_moved_away_loses_the_window_and_keeps_the_items() {
    let server = compact();
    let (mut player, table) = before(&server, Block::CraftingTable).await;
    player.given(&server, &[(Item::Dirt, 5)]).await;
    player.open(table).await;
    player.carry(37, 1).await;
    assert_eq!(player.at(1), Some((ItemKind::Dirt, 5)));
    let [x, y, z] = server.position("crafter").unwrap();
    server.teleport("crafter", [x + 40.0, y + 20.0, z]).unwrap();
    player.until("the window to close", |player| player.window == 0).await;
    player.settle().await;
    assert_eq!(player.filled(), [(36, ItemKind::Dirt, 5)]);
    // The window does not open from a distance.
    player.use_block(table).await;
    player.settle().await;
    assert_eq!(player.window, 0);
}

#[tokio::test]
async fn two_players_share_a_furnace_and_no_item_is_had_twice() {
    let server = compact();
    let (mut one, furnace) = before(&server, Block::Furnace).await;
    let mut two = Player::join(&server, "other").await;
    one.given(&server, &[(Item::Dirt, 9)]).await;
    one.open(furnace).await;
    two.open(furnace).await;
    one.left(30).await;
    one.left(0).await;
    two.until("the dirt", |two| two.at(0) == Some((ItemKind::Dirt, 9))).await;
    // Both players take it; the first click wins.
    let claimed = stack(ItemKind::Dirt, 9);
    one.send(ClickType::Pickup, 0, 0, &[(0, ItemStack::Empty)], &claimed).await;
    two.send(ClickType::Pickup, 0, 0, &[(0, ItemStack::Empty)], &claimed).await;
    one.settle().await;
    two.settle().await;
    one.close().await;
    two.close().await;
    let dirt = |name| server.inventory(name).unwrap().into_iter().flatten().map(|stack| stack.count).sum::<u32>();
    assert_eq!(dirt("crafter") + dirt("other"), 9);
}

#[tokio::test]
async fn nonsense_is_put_right_and_the_game_goes_on() {
    let server = compact();
    let (mut player, table) = before(&server, Block::CraftingTable).await;
    player.given(&server, &[(Item::Dirt, 9), (Item::OakLog, 9)]).await;
    player.open(table).await;
    let before = player.filled();
    let window = player.window;
    for (kind, button, slot) in [
        (ClickType::Pickup, 0, 46),
        (ClickType::Pickup, 7, 10),
        (ClickType::QuickMove, 0, i16::MAX),
        (ClickType::Swap, 99, 10),
        (ClickType::Throw, 0, i16::MIN),
        (ClickType::QuickCraft, 200, 3),
        (ClickType::PickupAll, 0, -5),
    ] {
        let told = player.contents_told;
        // The prediction claims items that the player does not have.
        let riches = [(37, stack(ItemKind::Diamond, 64)), (9999, stack(ItemKind::Elytra, 1))];
        player.send(kind, button, slot, &riches, &stack(ItemKind::Diamond, 1)).await;
        player.cursor = stack(ItemKind::Diamond, 1);
        player.settle().await;
        assert_eq!(player.contents_told, told + 1, "{kind:?} {button} {slot}");
        assert_eq!((player.filled(), player.held()), (before.clone(), None));
    }
    // A click in a window that is not open has no effect.
    player.window = window + 5;
    player.send(ClickType::Throw, 1, 37, &[], &ItemStack::Empty).await;
    player.window = window;
    player.settle().await;
    assert_eq!(player.filled(), before);
    // There is no tenth hotbar slot.
    player.client.say(ServerboundSetCarriedItem { slot: 10 }).await;
    let slot = player.client.wait("its slot", |packet| match packet {
        ClientboundGamePacket::SetHeldSlot(held) => Some(held.slot),
        _ => None,
    });
    assert_eq!(in_time(slot).await, 0);
    player.close().await;
    assert_eq!(player.filled(), [(36, ItemKind::Dirt, 9), (37, ItemKind::OakLog, 9)]);
}

#[tokio::test]
async fn a_broken_furnace_spills_what_is_in_it() {
    let server = crate::wire::server(ServerOptions { ticks_per_second: 200, ..ServerOptions::compact() });
    let (mut player, furnace) = before(&server, Block::Furnace).await;
    player.given(&server, &[(Item::Dirt, 7), (Item::Coal, 2)]).await;
    player.open(furnace).await;
    // Dirt in the input cannot be smelted, so the fuel stays too.
    player.left(30).await;
    player.left(0).await;
    player.carry(31, 1).await;
    assert_eq!(player.filled(), [(0, ItemKind::Dirt, 7), (1, ItemKind::Coal, 2)]);
    server.set_block(furnace, Block::Air).unwrap();
    player.until("the window to close", |player| player.window == 0).await;
    player
        .until("all of it picked up", |player| {
            player
                .filled()
                .iter()
                .map(|(_, kind, count)| (*kind, *count))
                .eq([(ItemKind::Dirt, 7), (ItemKind::Coal, 2)])
        })
        .await;
}

#[tokio::test]
async fn a_worn_tool_is_known_by_its_hash() {
    let server = crate::wire::server(ServerOptions { ticks_per_second: 200, ..ServerOptions::compact() });
    let (mut player, stone) = before(&server, Block::Stone).await;
    player.given(&server, &[(Item::WoodenPickaxe, 1)]).await;
    let pos = crate::wire::wire(stone);
    player.client.act(Action::StartDestroyBlock, pos, 1).await;
    crate::wire::ticks(&server, &mut player.client, 23).await;
    player.client.act(Action::StopDestroyBlock, pos, 2).await;
    player
        .until("a worn tool", |player| player.own[36].get_component::<Damage>().is_some_and(|worn| worn.amount == 1))
        .await;
    player.settle().await;
    let tool = player.own[36].clone();
    player.slots_told = 0;
    let empty = ItemStack::Empty;
    player.send(ClickType::Pickup, 0, 36, &[(36, empty.clone())], &tool).await;
    player.send(ClickType::Pickup, 0, 20, &[(20, tool)], &empty).await;
    player.settle().await;
    let told = player.slots_told;
    // The stone may have been picked up meanwhile; the tool needed no update.
    assert!(told <= 1, "{told}");
    assert_eq!(player.own[20].count(), 0);
    let moved = server.inventory("crafter").unwrap()[20].unwrap();
    assert_eq!((moved.item, moved.wear), (Item::WoodenPickaxe, 1));
    // A client that predicts a new tool is corrected.
    let new = stack(ItemKind::WoodenPickaxe, 1);
    player.send(ClickType::Pickup, 0, 20, &[(20, empty.clone())], &new).await;
    player
        .until("the truth", |player| player.cursor.get_component::<Damage>().is_some_and(|worn| worn.amount == 1))
        .await;
}

#[tokio::test]
async fn death_at_a_table_drops_all_and_leaving_keeps_all() {
    let server = compact();
    let (mut player, table) = before(&server, Block::CraftingTable).await;
    player.given(&server, &[(Item::OakPlanks, 5), (Item::Dirt, 3)]).await;
    player.open(table).await;
    player.carry(37, 1).await;
    player.left(38).await;
    drop(player);
    let name = "crafter";
    in_time(async {
        while !server.players().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let mut player = Player::join(&server, name).await;
    let kinds: Vec<_> = player.filled().into_iter().map(|(_, kind, count)| (kind, count)).collect();
    assert_eq!(kinds, [(ItemKind::Dirt, 3), (ItemKind::OakPlanks, 5)], "what hung on the cursor comes first");
    player.open(table).await;
    player.carry(37, 1).await;
    player.carry(38, 2).await;
    server.set_health(name, 0).unwrap();
    player.until("the window to close", |player| player.window == 0).await;
    player.settle().await;
    assert_eq!(player.filled(), []);
    assert!(server.inventory(name).unwrap().iter().all(Option::is_none));
}
