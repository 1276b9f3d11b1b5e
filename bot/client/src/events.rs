//! ECS systems that record incoming packets and events in the [`State`](super::state::State) of their player.

use azalea::app::{App, Last, Plugin, PreUpdate, Update};
use azalea::block::fluid_state::FluidKind;
use azalea::buf::AzBuf;
use azalea::client_information::send_client_information;
use azalea::connection::read_packets;
use azalea::core::entity_id::MinecraftEntityId;
use azalea::core::position::{BlockPos, ChunkPos, Vec3};
use azalea::core::tick::GameTick;
use azalea::disconnect::DisconnectEvent;
use azalea::ecs::prelude::*;
use azalea::entity::inventory::Inventory;
use azalea::entity::{EntityDataValue, FluidOnEyes, LocalEntity, Physics, Position};
use azalea::local_player::WorldHolder;
use azalea::packet::config::ReceiveConfigPacketEvent;
use azalea::packet::game::{ReceiveGamePacketEvent, SendGamePacketEvent};
use azalea::packet::login::ReceiveLoginPacketEvent;
use azalea::protocol::common::client_information::ClientInformation;
use azalea::protocol::packets::config::ClientboundConfigPacket;
use azalea::protocol::packets::game::s_client_command::Action;
use azalea::protocol::packets::game::{ClientboundGamePacket, ServerboundClientCommand, ServerboundClientInformation};

use super::connection::Connection;
use super::engine_core::{AfterUpdate, Now};
use super::stance::{EYE_HEIGHT, Stance};
use super::state::{DisconnectReason, FULL_AIR, SharedState, Stage, Time};
use super::synced_windows::PLAYER_SLOTS;
use super::text::{plain, told, words_of_key};

/// The player's view distance, in chunks.
#[derive(Clone, Copy, Component)]
pub(super) struct ViewDistance(pub u8);

/// Adds the systems of this module.
pub(super) struct EventsPlugin;

impl Plugin for EventsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PreUpdate, (login, configuration, game, mirror_inventory).chain().after(read_packets))
            .add_systems(Update, view_distance.before(send_client_information))
            .add_systems(GameTick, breath.after(azalea::entity::update_fluid_on_eyes))
            .add_systems(Last, (disconnections, changes))
            .add_systems(AfterUpdate, bodies)
            .init_resource::<Now>();
    }
}

fn login(mut packets: MessageReader<ReceiveLoginPacketEvent>, players: Query<&SharedState>) {
    for event in packets.read() {
        if let Ok(shared) = players.get(event.entity) {
            let mut state = shared.lock();
            state.packets += 1;
            if state.stage == Stage::Connecting {
                state.stage = Stage::Joining;
            }
        }
    }
}

fn configuration(mut packets: MessageReader<ReceiveConfigPacketEvent>, players: Query<&SharedState>) {
    for event in packets.read() {
        let Ok(shared) = players.get(event.entity) else { continue };
        let mut state = shared.lock();
        state.packets += 1;
        match event.packet.as_ref() {
            ClientboundConfigPacket::CustomPayload(payload) if payload.identifier.to_string() == "minecraft:brand" => {
                let brand = String::azalea_read(&mut std::io::Cursor::new(&payload.data));
                state.brand = brand.ok().map(|brand| plain(&brand));
            }
            ClientboundConfigPacket::CodeOfConduct(_) => state.conduct = true,
            _ => {}
        }
    }
}

fn game(
    mut packets: MessageReader<ReceiveGamePacketEvent>,
    players: Query<(&SharedState, Option<&MinecraftEntityId>, Option<&ClientInformation>)>,
    mut commands: Commands,
) {
    for event in packets.read() {
        let Ok((shared, id, information)) = players.get(event.entity) else { continue };
        let mut state = shared.lock();
        state.packets += 1;
        if state.windows.apply(&event.packet) {
            continue;
        }
        match event.packet.as_ref() {
            ClientboundGamePacket::Login(_) => {
                state.stage = Stage::Playing;
                state.placed = false;
                (state.stance, state.held) = (None, None);
                state.pending_changes.all = true;
                // azalea sends this during configuration, unless the server ends the configuration too soon.
                if let Some(information) = information.cloned() {
                    let packet = ServerboundClientInformation { client_information: information };
                    commands.trigger(SendGamePacketEvent::new(event.entity, packet));
                }
            }
            ClientboundGamePacket::Respawn(_) => {
                state.placed = false;
                (state.stance, state.held) = (None, None);
                state.air = FULL_AIR;
                state.pending_changes.all = true;
                state.windows.close();
            }
            ClientboundGamePacket::StartConfiguration(_) => {
                state.stage = Stage::Joining;
                state.placed = false;
                state.pending_changes.all = true;
            }
            ClientboundGamePacket::PlayerPosition(_) => {
                state.corrections += u64::from(state.placed);
                state.placed = true;
                state.stance = None;
            }
            ClientboundGamePacket::SetHeldSlot(_) => state.held = None,
            ClientboundGamePacket::SetHealth(p) => {
                tracing::debug!(health = p.health, food = p.food, air = state.air, "health");
                let died = p.health <= 0.0 && state.health.is_none_or(|health| health > 0.0);
                state.health = Some(p.health);
                state.food = p.food;
                if died {
                    state.deaths += 1;
                    state.death = Some("died".to_owned());
                    respawn(&mut commands, event.entity);
                }
            }
            ClientboundGamePacket::DamageEvent(p) if id == Some(&p.entity_id) => state.hurt = Some(p.source_type_id),
            ClientboundGamePacket::PlayerCombatKill(p) if id == Some(&p.player_id) => {
                // The message names the player first: "Steve tried to swim in lava".
                let message = plain(&p.message.to_string());
                let how = words_of_key(&message)
                    .unwrap_or_else(|| message.split_once(' ').map_or(message.as_str(), |(_, how)| how).to_owned());
                let first = state.health.is_none_or(|health| health > 0.0);
                state.death = Some(how);
                state.health = Some(0.0);
                if first {
                    state.deaths += 1;
                    respawn(&mut commands, event.entity);
                }
            }
            ClientboundGamePacket::SetEntityData(p) if id == Some(&p.id) => {
                // The metadata with index 1 is the air of any entity.
                let air = p.packed_items.iter().find(|item| item.index == 1);
                if let Some(EntityDataValue::Int(air)) = air.map(|item| &item.value) {
                    (state.air, state.air_age) = (*air, 0);
                }
            }
            ClientboundGamePacket::BlockUpdate(p) => state.changed(p.pos),
            ClientboundGamePacket::SectionBlocksUpdate(p) => {
                for change in &p.states {
                    state.changed(p.section_pos + change.pos);
                }
            }
            ClientboundGamePacket::LevelChunkWithLight(p) => state.changed_chunk(ChunkPos::new(p.x, p.z)),
            ClientboundGamePacket::ForgetLevelChunk(p) => state.changed_chunk(p.pos),
            ClientboundGamePacket::BlockChangedAck(p) => state.acknowledged = state.acknowledged.max(p.seq),
            ClientboundGamePacket::SetTime(p) => {
                let told = state.time.map_or(1, |time| time.told + 1);
                state.time = Some(Time { age: p.game_time, told });
            }
            _ => {}
        }
    }
}

/// Requests a respawn, once per death.
fn respawn(commands: &mut Commands, entity: Entity) {
    let packet = ServerboundClientCommand { action: Action::PerformRespawn };
    commands.trigger(SendGamePacketEvent::new(entity, packet));
}

/// Copies the inventory into azalea's own, from which azalea computes how fast a block breaks.
fn mirror_inventory(mut players: Query<(&SharedState, &mut Inventory, &mut Mirrored)>) {
    for (shared, mut inventory, mut mirrored) in &mut players {
        let state = shared.lock();
        if mirrored.0 == state.windows.updates {
            continue;
        }
        mirrored.0 = state.windows.updates;
        for (slot, item) in state.windows.own.iter().take(PLAYER_SLOTS).enumerate() {
            if let Some(kept) = inventory.inventory_menu.slot_mut(slot)
                && kept != item
            {
                *kept = item.clone();
            }
        }
    }
}

/// The number of inventory updates that azalea's inventory includes.
#[derive(Component, Default)]
pub(super) struct Mirrored(u64);

#[allow(clippy::type_complexity)]
fn view_distance(
    mut players: Query<(&mut ClientInformation, &ViewDistance), (With<LocalEntity>, Added<ClientInformation>)>,
) {
    for (mut information, distance) in &mut players {
        information.view_distance = distance.0;
        // Listing is allowed, so that another client of the same name sees this player before it joins.
        information.allows_listing = true;
    }
}

/// Counts the air, for servers that do not send it. Servers may compute the water's surface differently, so the eyes
/// count as under water if their block contains any water.
fn breath(players: Query<(&SharedState, &FluidOnEyes, &Position, &WorldHolder)>) {
    for (shared, eyes, position, world) in &players {
        let at = BlockPos::from(Vec3::new(position.x, position.y + EYE_HEIGHT, position.z));
        let fluid = || world.shared.read().get_fluid_state(at);
        let wet = **eyes == FluidKind::Water || fluid().is_some_and(|fluid| fluid.kind == FluidKind::Water);
        shared.lock().breathe(wet);
    }
}

/// Publishes changed blocks after azalea has changed them: an earlier reader would see the old blocks.
fn changes(players: Query<&SharedState>) {
    for shared in &players {
        shared.lock().publish_changes();
    }
}

/// Records every body's position, motion and selected slot.
#[allow(clippy::type_complexity)]
fn bodies(players: Query<(&SharedState, Option<(&Position, &Physics)>, Option<&Inventory>)>) {
    for (shared, body, inventory) in &players {
        let mut state = shared.lock();
        state.stance = body.map(|(position, physics)| Stance::of(position, physics));
        state.held = inventory.map(|inventory| inventory.selected_hotbar_slot);
    }
}

fn disconnections(
    mut disconnects: MessageReader<DisconnectEvent>,
    players: Query<(&SharedState, Option<&Connection>)>,
    now: Res<Now>,
    mut commands: Commands,
) {
    for event in disconnects.read() {
        let Ok((shared, connection)) = players.get(event.entity) else { continue };
        let reason = match (&event.reason, connection) {
            (Some(reason), _) => DisconnectReason::Kicked(told(&reason.to_string())),
            (None, Some(connection)) => connection.reason(),
            (None, None) => DisconnectReason::Closed,
        };
        shared.lock().lost(reason, now.0);
        commands.entity(event.entity).remove::<Connection>();
    }
}
