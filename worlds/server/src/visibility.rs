//! Sends each client the entities that it can see, and their movements.

use azalea_core::position::Vec3;
use azalea_entity::{EntityDataItem, EntityDataValue, EntityMetadataItems, LookDirection};
use azalea_protocol::common::movements::PositionMoveRotation;
use azalea_protocol::packets::game::*;
use azalea_registry::builtin::EntityKind;
use ltlcrit_minecraft::observation::BlockPos;
use rustc_hash::FxHashSet;
use uuid::Uuid;

use super::dropped_item::DroppedItem;
use super::entities::Entities;
use super::names::cell;
use super::windows::item_stack;

/// The metadata index of a dropped item's stack.
const STACK: u8 = 8;

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

/// The packet that describes a dropped item's stack.
pub(super) fn contents(id: i32, drop: &DroppedItem) -> ClientboundSetEntityData {
    let item = EntityDataItem { index: STACK, value: EntityDataValue::ItemStack(item_stack(Some(drop.stack))) };
    ClientboundSetEntityData { id: id.into(), packed_items: EntityMetadataItems(vec![item]) }
}

/// Sends every client the entities that have appeared, disappeared or moved since the last tick.
pub(super) fn one_tick(entities: &mut Entities) {
    update_visible(entities);
    for (id, drop) in &entities.drops {
        if drop.at != drop.sent_at {
            entities.send_watchers(*id, moved(*id, drop.at, drop.speed, LookDirection::default()));
        }
    }
    entities.drops.values_mut().for_each(|drop| drop.sent_at = drop.at);
    let mut changed = Vec::new();
    for player in entities.players.values().filter(|player| player.is_alive()) {
        let (id, now, before) = (player.id, player.appearance(), player.sent_appearance.as_ref());
        if before.is_none_or(|before| (before.at, before.look) != (now.at, now.look)) {
            // The packet is not sent to the player itself, whose client knows its own movement.
            entities.send_others(id, moved(id, now.at, Vec3::ZERO, now.look));
            let y_head_rot = turn(now.look.y_rot());
            entities.send_others(id, ClientboundRotateHead { entity_id: id.into(), y_head_rot });
        }
        if before.is_none_or(|before| (before.flags, before.air) != (now.flags, now.air)) {
            entities.send_watchers(id, now.metadata(id));
        }
        if before.is_none_or(|before| before.hand != now.hand) {
            entities.send_watchers(id, now.equipment(id));
        }
        changed.push((id, now));
    }
    for (id, appearance) in changed {
        if let Some(player) = entities.players.get_mut(&id) {
            player.sent_appearance = Some(appearance);
        }
    }
}

/// Recomputes the entities that every client displays, and sends the differences.
fn update_visible(entities: &mut Entities) {
    let living = entities.players.values().filter(|player| player.is_alive()).map(|player| (player.id, player.at));
    let positions: Vec<(i32, BlockPos)> =
        living.chain(entities.drops.iter().map(|(id, drop)| (*id, drop.at))).map(|(id, at)| (id, cell(at))).collect();
    let mut appeared: Vec<(i32, i32)> = Vec::new();
    for player in entities.players.values_mut() {
        let shown = |(id, at): &&(i32, BlockPos)| *id != player.id && player.view.shows(*at);
        let visible: FxHashSet<i32> = positions.iter().filter(shown).map(|(id, _)| *id).collect();
        let gone: Vec<_> = player.sees.difference(&visible).map(|id| (*id).into()).collect();
        if !gone.is_empty() {
            player.send(ClientboundRemoveEntities { entity_ids: gone });
        }
        appeared.extend(visible.difference(&player.sees).map(|id| (player.id, *id)));
        player.sees = visible;
    }
    // The entities are sent in the order of their creation.
    appeared.sort_unstable();
    for (viewer, id) in appeared {
        let Some(viewer) = entities.players.get(&viewer) else { continue };
        if let Some(other) = entities.players.get(&id) {
            let appearance = other.appearance();
            viewer.send(appear(id, other.uuid, EntityKind::Player, other.at, Vec3::ZERO, other.look));
            viewer.send(appearance.metadata(id));
            viewer.send(appearance.equipment(id));
        } else if let Some(drop) = entities.drops.get(&id) {
            let uuid = Uuid::from_u64_pair(entities.game_id, id.unsigned_abs().into());
            viewer.send(appear(id, uuid, EntityKind::Item, drop.at, drop.speed, LookDirection::default()));
            viewer.send(contents(id, drop));
        }
    }
}
