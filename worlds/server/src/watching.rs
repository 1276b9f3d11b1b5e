//! What players see move: one another, and what lies about. A client is shown what is within the land it has.

use std::sync::Arc;

use azalea_core::position::Vec3;
use azalea_entity::{EntityDataItem, EntityDataValue, EntityMetadataItems, LookDirection};
use azalea_inventory::components::EquipmentSlot;
use azalea_protocol::common::movements::PositionMoveRotation;
use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::c_set_equipment::EquipmentSlots;
use azalea_protocol::packets::game::*;
use azalea_registry::builtin::EntityKind;
use uuid::Uuid;

use super::names::cell;
use super::outbox::encoded;
use super::player::Player;
use super::realm::Realm;
use super::windows::item_stack;
use super::windows::stack::Slot;
use ltlcrit_minecraft::observation::BlockPos;

/// Metadata every entity has: whether it burns, crouches, runs.
const FLAGS: u8 = 0;
/// Metadata every entity has: ticks of breath.
const AIR: u8 = 1;
/// Metadata of an item entity: the stack.
const STACK: u8 = 8;

/// What clients were told of a player's looks last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Looks {
    at: Vec3,
    look: LookDirection,
    flags: u8,
    air: u32,
    hand: Slot,
}

impl Looks {
    /// A player's looks now.
    pub(super) fn of(player: &Player) -> Self {
        let flags = [(player.body.fire > 0, 0x01), (player.crouches, 0x02), (player.runs, 0x08)];
        Self {
            at: player.at,
            look: player.look,
            flags: flags.into_iter().map(|(on, bit)| if on { bit } else { 0 }).sum(),
            air: player.body.air,
            hand: player.screen.inventory().hand(),
        }
    }

    fn metadata(&self, player: i32) -> ClientboundSetEntityData {
        let flags = EntityDataItem { index: FLAGS, value: EntityDataValue::Byte(self.flags) };
        let air = EntityDataItem { index: AIR, value: EntityDataValue::Int(self.air as i32) };
        ClientboundSetEntityData { id: player.into(), packed_items: EntityMetadataItems(vec![flags, air]) }
    }

    fn equipment(&self, player: i32) -> ClientboundSetEquipment {
        let slots = EquipmentSlots { slots: vec![(EquipmentSlot::Mainhand, item_stack(self.hand))] };
        ClientboundSetEquipment { entity_id: player.into(), slots }
    }
}

/// An angle as 256ths of a full turn.
fn turn(degrees: f32) -> i8 {
    (degrees * 256.0 / 360.0).rem_euclid(256.0) as u8 as i8
}

fn appear(id: i32, uuid: Uuid, kind: EntityKind, at: Vec3, speed: Vec3, look: LookDirection) -> ClientboundAddEntity {
    ClientboundAddEntity {
        id: id.into(),
        uuid,
        entity_type: kind,
        position: at,
        movement: azalea_core::delta::LpVec3::from_vec3(speed),
        x_rot: turn(look.x_rot()),
        y_rot: turn(look.y_rot()),
        y_head_rot: turn(look.y_rot()),
        data: 0,
    }
}

fn moved(id: i32, at: Vec3, delta: Vec3, look_direction: LookDirection) -> ClientboundEntityPositionSync {
    let values = PositionMoveRotation { pos: at, delta, look_direction };
    ClientboundEntityPositionSync { id: id.into(), values, on_ground: true }
}

impl Realm {
    /// Sends a packet to everybody who is shown something that moves, and to the player itself if it is one.
    pub(super) fn tell_watchers(&self, number: i32, packet: impl Packet<ClientboundGamePacket>) {
        let Some(frame) = encoded(packet) else { return };
        self.tell_watchers_frame(number, &frame);
    }

    fn tell_watchers_frame(&self, number: i32, frame: &Arc<[u8]>) {
        for player in self.players.values().filter(|player| player.id == number || player.sees.contains(&number)) {
            player.outbox.send_frame(frame);
        }
    }

    /// Tells of how many there are of something that lies about.
    pub(super) fn show_contents(&self, number: i32) {
        if let Some(packet) = self.contents(number) {
            self.tell_watchers(number, packet);
        }
    }

    fn contents(&self, number: i32) -> Option<ClientboundSetEntityData> {
        let stack = item_stack(Some(self.drops.get(&number)?.stack));
        let item = EntityDataItem { index: STACK, value: EntityDataValue::ItemStack(stack) };
        Some(ClientboundSetEntityData { id: number.into(), packed_items: EntityMetadataItems(vec![item]) })
    }

    /// Shows everybody what has come, gone and moved since the last tick.
    pub(super) fn show_movers(&mut self) {
        self.show_comings_and_goings();
        for (number, drop) in &self.drops {
            if drop.at != drop.shown_at {
                self.tell_watchers(*number, moved(*number, drop.at, drop.speed, LookDirection::default()));
            }
        }
        self.drops.values_mut().for_each(|drop| drop.shown_at = drop.at);
        let mut changed: Vec<(i32, Looks)> = Vec::new();
        for player in self.players.values().filter(|player| player.is_alive()) {
            let now = Looks::of(player);
            let before = player.looks.as_ref();
            if before == Some(&now) {
                continue;
            }
            let id = player.id;
            if before.is_none_or(|before| (before.at, before.look) != (now.at, now.look)) {
                let head = ClientboundRotateHead { entity_id: id.into(), y_head_rot: turn(now.look.y_rot()) };
                // Not to the player itself: its client knows where it goes.
                for packet in [encoded(moved(id, now.at, Vec3::ZERO, now.look)), encoded(head)].into_iter().flatten() {
                    for other in self.players.values().filter(|other| other.sees.contains(&id)) {
                        other.outbox.send_frame(&packet);
                    }
                }
            }
            if before.is_none_or(|before| (before.flags, before.air) != (now.flags, now.air)) {
                self.tell_watchers(id, now.metadata(id));
            }
            if before.is_none_or(|before| before.hand != now.hand) {
                self.tell_watchers(id, now.equipment(id));
            }
            changed.push((id, now));
        }
        for (id, looks) in changed {
            if let Some(player) = self.players.get_mut(&id) {
                player.looks = Some(looks);
            }
        }
    }

    fn show_comings_and_goings(&mut self) {
        let bodies = self.players.values().filter(|player| player.is_alive()).map(|player| (player.id, player.at));
        let movers: Vec<(i32, BlockPos)> = bodies
            .chain(self.drops.iter().map(|(number, drop)| (*number, drop.at)))
            .map(|(number, at)| (number, cell(at)))
            .collect();
        let mut came: Vec<(i32, i32)> = Vec::new();
        for player in self.players.values_mut() {
            let mut visible = rustc_hash::FxHashSet::default();
            visible.extend(
                movers
                    .iter()
                    .filter(|(number, at)| *number != player.id && player.view.shows(*at))
                    .map(|(number, _)| *number),
            );
            let gone: Vec<_> = player.sees.difference(&visible).map(|number| (*number).into()).collect();
            if !gone.is_empty() {
                player.tell(ClientboundRemoveEntities { entity_ids: gone });
            }
            came.extend(visible.difference(&player.sees).map(|number| (player.id, *number)));
            player.sees = visible;
        }
        // In the order in which things came to be.
        came.sort_unstable();
        for (viewer, number) in came {
            let Some(viewer) = self.players.get(&viewer) else { continue };
            if let Some(other) = self.players.get(&number) {
                let looks = Looks::of(other);
                viewer.tell(appear(number, other.uuid, EntityKind::Player, other.at, Vec3::ZERO, other.look));
                viewer.tell(looks.metadata(number));
                viewer.tell(looks.equipment(number));
            } else if let Some(drop) = self.drops.get(&number) {
                let uuid = Uuid::from_u64_pair(self.born, number.unsigned_abs().into());
                let look = LookDirection::default();
                viewer.tell(appear(number, uuid, EntityKind::Item, drop.at, drop.speed, look));
                if let Some(contents) = self.contents(number) {
                    viewer.tell(contents);
                }
            }
        }
    }
}
