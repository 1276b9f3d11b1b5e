//! A player's appearance, as displayed by other clients.

use azalea_core::position::Vec3;
use azalea_entity::{EntityDataItem, EntityDataValue, EntityMetadataItems, LookDirection};
use azalea_inventory::components::EquipmentSlot;
use azalea_protocol::packets::game::c_set_equipment::EquipmentSlots;
use azalea_protocol::packets::game::{ClientboundSetEntityData, ClientboundSetEquipment};

use crate::windows::item_stack;
use crate::windows::stack::Slot;

/// The metadata index of an entity's flags: burning, crouching, sprinting.
const FLAGS: u8 = 0;
/// The metadata index of an entity's ticks of air.
const AIR: u8 = 1;

/// The properties of a player that other clients display.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Appearance {
    pub(crate) at: Vec3,
    pub(crate) look: LookDirection,
    pub(crate) flags: u8,
    pub(crate) air: u32,
    pub(crate) hand: Slot,
}

impl Appearance {
    pub(crate) fn metadata(&self, player: i32) -> ClientboundSetEntityData {
        let flags = EntityDataItem { index: FLAGS, value: EntityDataValue::Byte(self.flags) };
        let air = EntityDataItem { index: AIR, value: EntityDataValue::Int(self.air as i32) };
        ClientboundSetEntityData { id: player.into(), packed_items: EntityMetadataItems(vec![flags, air]) }
    }

    pub(crate) fn equipment(&self, player: i32) -> ClientboundSetEquipment {
        let slots = EquipmentSlots { slots: vec![(EquipmentSlot::Mainhand, item_stack(self.hand))] };
        ClientboundSetEquipment { entity_id: player.into(), slots }
    }
}
