//! Converts window messages and requests to and from the protocol's packets.

use std::sync::LazyLock;

use azalea_core::registry_holder::RegistryHolder;
use azalea_inventory::ItemStack;
use azalea_inventory::components::Damage;
use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::s_container_click::HashedStack;
use azalea_protocol::packets::game::*;
use azalea_registry::builtin::{ItemKind, MenuKind};

use super::click::RawClick;
use super::layout::WindowKind;
use super::message::Message;
use super::remote_slots::{Prediction, RemoteSlot};
use super::screen::Request;
use super::stack::{Slot, Stack};
use crate::names::{item, item_kind};

/// The window id that stands for the cursor.
const CURSOR: i32 = -1;

/// A slot in the protocol's type. Wear is sent as damage, and only if it is positive.
pub(crate) fn item_stack(slot: Slot) -> ItemStack {
    let Some(Stack { item, count, wear }) = slot else { return ItemStack::Empty };
    let number = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let stack = ItemStack::new(item_kind(item), number(count));
    if wear == 0 { stack } else { stack.with_component(Damage { amount: number(wear) }) }
}

/// The packets of a message.
pub(crate) fn packets(message: Message) -> Vec<ClientboundGamePacket> {
    match message {
        Message::Open { window, kind } => {
            let (menu_type, title) = match kind {
                WindowKind::Furnace => (MenuKind::Furnace, "Furnace"),
                WindowKind::Table | WindowKind::Own => (MenuKind::Crafting, "Crafting"),
            };
            vec![ClientboundOpenScreen { container_id: window, menu_type, title: title.into() }.into_variant()]
        }
        Message::Close { window } => vec![ClientboundContainerClose { container_id: window }.into_variant()],
        Message::Content { window, state, slots, cursor } => {
            let items = slots.into_iter().map(item_stack).collect();
            let carried_item = item_stack(cursor);
            vec![
                ClientboundContainerSetContent { container_id: window, state_id: state, items, carried_item }
                    .into_variant(),
            ]
        }
        Message::Slot { window, state, slot, stack } => vec![set_slot(window, state, slot as u16, stack)],
        // Some clients listen to one of these packets, some to the other.
        Message::Cursor { state, stack } => vec![
            set_slot(CURSOR, state, u16::MAX, stack),
            ClientboundSetCursorItem { contents: item_stack(stack) }.into_variant(),
        ],
        Message::Property { window, property, value } => {
            let value = u16::try_from(value).unwrap_or(u16::MAX);
            vec![ClientboundContainerSetData { container_id: window, id: property as u16, value }.into_variant()]
        }
        Message::Held { slot } => vec![ClientboundSetHeldSlot { slot: slot as u32 }.into_variant()],
    }
}

fn set_slot(window: i32, state: u32, slot: u16, stack: Slot) -> ClientboundGamePacket {
    ClientboundContainerSetSlot { container_id: window, state_id: state, slot, item_stack: item_stack(stack) }
        .into_variant()
}

/// The request in a click packet.
pub(crate) fn request(click: &ServerboundContainerClick) -> Request {
    Request {
        window: click.container_id,
        state: click.state_id,
        numbers: RawClick { mode: click.click_type as u8, button: click.button_num, slot: click.slot_num },
        prediction: Prediction {
            slots: click.changed_slots.iter().map(|(slot, stack)| ((*slot).into(), remote_slot(stack))).collect(),
            cursor: remote_slot(&click.carried_item),
        },
    }
}

/// The content that a client displays in a slot. It sends only hashes of components, which are compared with those of
/// every possible wear.
fn remote_slot(hashed: &HashedStack) -> RemoteSlot {
    static NO_REGISTRIES: LazyLock<RegistryHolder> = LazyLock::new(RegistryHolder::default);
    let Some(stack) = &hashed.0 else { return RemoteSlot::Holds(None) };
    // Some clients write an empty slot as zero items of air.
    if stack.count <= 0 || stack.kind == ItemKind::Air {
        return RemoteSlot::Holds(None);
    }
    let (Some(item), Ok(count)) = (item(stack.kind), u32::try_from(stack.count)) else { return RemoteSlot::Unknown };
    (0..item.durability().max(1))
        .map(|wear| Some(Stack { item, count, wear }))
        .find(|slot| HashedStack::from_item_stack(&item_stack(*slot), &NO_REGISTRIES) == *hashed)
        .map_or(RemoteSlot::Unknown, RemoteSlot::Holds)
}

#[cfg(test)]
mod tests {
    use azalea_core::checksum::Checksum;
    use azalea_inventory::operations::ClickType;
    use azalea_protocol::packets::ProtocolPacket;
    use azalea_registry::builtin::DataComponentKind;
    use ltlcrit_minecraft::items::{ITEMS, Item};
    use proptest::prelude::*;

    use super::*;

    fn hashed(slot: Slot) -> HashedStack {
        HashedStack::from_item_stack(&item_stack(slot), &RegistryHolder::default())
    }

    #[test]
    fn stacks_survive_their_hashes() {
        for &item in ITEMS {
            for wear in
                [0, 1, item.durability().saturating_sub(1)].into_iter().filter(|wear| *wear < item.durability().max(1))
            {
                let slot = Some(Stack { item, count: 1, wear });
                assert_eq!(remote_slot(&hashed(slot)), RemoteSlot::Holds(slot));
            }
        }
        assert_eq!(remote_slot(&hashed(None)), RemoteSlot::Holds(None));
    }

    #[test]
    fn an_unknown_stack_is_parsed_as_unknown() {
        let mut air = hashed(Some(Stack { item: Item::Dirt, count: 1, wear: 0 }));
        let fields = air.0.as_mut().unwrap();
        (fields.kind, fields.count) = (ItemKind::Air, 0);
        assert_eq!(remote_slot(&air), RemoteSlot::Holds(None));
        let mut elytra = hashed(Some(Stack { item: Item::Dirt, count: 1, wear: 0 }));
        elytra.0.as_mut().unwrap().kind = ItemKind::Elytra;
        assert_eq!(remote_slot(&elytra), RemoteSlot::Unknown);
        let mut enchanted = hashed(Some(Stack { item: Item::IronPickaxe, count: 1, wear: 3 }));
        let components = &mut enchanted.0.as_mut().unwrap().components;
        components.added_components.push((DataComponentKind::Enchantments, Checksum(7)));
        assert_eq!(remote_slot(&enchanted), RemoteSlot::Unknown);
        let mut odd = hashed(Some(Stack { item: Item::IronPickaxe, count: 1, wear: 3 }));
        odd.0.as_mut().unwrap().components.added_components[0].1 = Checksum(7);
        assert_eq!(remote_slot(&odd), RemoteSlot::Unknown);
    }

    #[test]
    fn clicks_are_read_as_they_are_sent() {
        let slot = Some(Stack { item: Item::OakLog, count: 3, wear: 0 });
        let click = ServerboundContainerClick {
            container_id: 4,
            state_id: u32::MAX,
            slot_num: -999,
            button_num: 2,
            click_type: ClickType::QuickCraft,
            changed_slots: [(9, hashed(slot))].into_iter().collect(),
            carried_item: hashed(None),
        };
        let Request { window, state, numbers, prediction } = request(&click);
        assert_eq!((window, state, numbers), (4, u32::MAX, RawClick { mode: 5, button: 2, slot: -999 }));
        assert_eq!(
            prediction,
            Prediction { slots: vec![(9, RemoteSlot::Holds(slot))], cursor: RemoteSlot::Holds(None) }
        );
        // azalea reads the protocol's state -1 as the maximum number.
        let mut bytes = Vec::new();
        click.clone().into_variant().write(&mut bytes).unwrap();
        assert_eq!(bytes[1..6], [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
    }

    #[test]
    fn messages_become_the_packets_clients_listen_to() {
        let worn = Some(Stack { item: Item::StonePickaxe, count: 1, wear: 9 });
        let opened = packets(Message::Open { window: 1, kind: WindowKind::Table });
        let [ClientboundGamePacket::OpenScreen(screen)] = &opened[..] else { panic!("{opened:?}") };
        assert_eq!((screen.container_id, screen.menu_type), (1, MenuKind::Crafting));
        let told = packets(Message::Cursor { state: 1, stack: worn });
        let [ClientboundGamePacket::ContainerSetSlot(cursor), ClientboundGamePacket::SetCursorItem(same)] = &told[..]
        else {
            panic!("{told:?}")
        };
        assert_eq!(same.contents, cursor.item_stack);
        assert_eq!((cursor.container_id, cursor.state_id), (-1, 1));
        assert_eq!(cursor.item_stack.get_component::<Damage>().map(|damage| damage.amount), Some(9));
        let told = packets(Message::Property { window: 2, property: 3, value: 200 });
        let [ClientboundGamePacket::ContainerSetData(data)] = &told[..] else { panic!("{told:?}") };
        assert_eq!((data.container_id, data.id, data.value), (2, 3, 200));
    }

    proptest! {
        /// Any prediction is parsed, with the same count.
        #[test]
        fn any_claim_is_read(kind in 0u32..2000, count in any::<i32>(), damage in prop::option::of(any::<u32>())) {
            let mut stack = hashed(Some(Stack { item: Item::Dirt, count: 1, wear: 0 }));
            let fields = stack.0.as_mut().unwrap();
            fields.kind = ItemKind::try_from(kind).unwrap_or(ItemKind::Air);
            fields.count = count;
            if let Some(hash) = damage {
                fields.components.added_components.push((DataComponentKind::Damage, Checksum(hash)));
            }
            match remote_slot(&stack) {
                RemoteSlot::Holds(Some(read)) => prop_assert_eq!(read.count as i32, count),
                RemoteSlot::Holds(None) => prop_assert!(count <= 0 || stack.0.unwrap().kind == ItemKind::Air),
                RemoteSlot::Unknown => prop_assert!(count > 0),
            }
        }
    }
}
