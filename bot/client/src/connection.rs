//! The players' connections in the ECS: hands incoming packets to azalea, within limits, and sends its outgoing ones.
//!
//! azalea's own connection stays empty; packets reach it as injected ones ([`RawConnection`]).

use azalea::account::Account as AzaleaAccount;
use azalea::app::{App, Plugin, PreUpdate};
use azalea::connection::{RawConnection, read_packets};
use azalea::disconnect::DisconnectEvent;
use azalea::ecs::prelude::*;
use azalea::entity::LocalEntity;
use azalea::entity::metadata::PlayerMetadataBundle;
use azalea::local_player::WorldHolder;
use azalea::login::IsAuthenticated;
use azalea::packet::config::SendConfigPacketEvent;
use azalea::packet::game::SendGamePacketEvent;
use azalea::packet::login::{InLoginState, SendLoginPacketEvent};
use azalea::protocol::packets::handshake::{ServerboundHandshakePacket, ServerboundIntention};
use azalea::protocol::packets::login::{ServerboundHello, ServerboundLoginPacket};
use azalea::protocol::packets::{ConnectionProtocol, Packet};
use azalea::{ClientInformation, InConfigState, InGameState, LocalPlayerBundle};

use super::link::TreadsWater;
use super::state::{DisconnectReason, SharedState, Stage};
use super::wire::{FromServer, Wire};

/// The maximum number of packets that azalea reads in one update; later ones wait.
const MAX_PACKETS: usize = 4096;
/// The total length of packets after which one update reads no more, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// A player's connection, from its first packet on.
#[derive(Component)]
pub(super) struct Connection {
    wire: Wire,
    /// The reason for its end, once all earlier packets have been handed on.
    ended: Option<DisconnectReason>,
}

impl Connection {
    /// Returns whether more packets may arrive.
    pub fn is_open(&self) -> bool {
        self.ended.is_none()
    }

    /// The reason for its end; [`DisconnectReason::Closed`] if the server did not end it.
    pub fn reason(&self) -> DisconnectReason {
        self.ended.clone().unwrap_or(DisconnectReason::Closed)
    }

    /// Ends it. Only the first reason is kept.
    fn end(&mut self, reason: DisconnectReason) {
        self.ended.get_or_insert(reason);
    }

    fn send<P: azalea::protocol::packets::ProtocolPacket + std::fmt::Debug>(&mut self, packet: &P) {
        if let Err(reason) = self.wire.send(packet) {
            self.end(reason);
        }
    }
}

/// Gives a player a new connection, and begins the login.
pub(super) fn open(
    ecs: &mut World,
    entity: Entity,
    account: &AzaleaAccount,
    wire: Wire,
    intention: ServerboundIntention,
) {
    let mut connection = Connection { wire, ended: None };
    let hello = ServerboundHello { name: account.username().to_owned(), profile_id: account.uuid() };
    connection.send::<ServerboundHandshakePacket>(&intention.into_variant());
    connection.send::<ServerboundLoginPacket>(&hello.into_variant());
    let Ok(mut player) = ecs.get_entity_mut(entity) else { return };
    // The components that azalea gives a joining player.
    player.insert((
        account.clone(),
        LocalEntity,
        ClientInformation::default(),
        LocalPlayerBundle {
            raw_connection: RawConnection::new_networkless(ConnectionProtocol::Login),
            world_holder: WorldHolder::new(entity, Default::default()),
            metadata: PlayerMetadataBundle::default(),
        },
        InLoginState,
        TreadsWater,
        connection,
    ));
}

/// Adds the systems of this module.
pub(super) struct ConnectionPlugin;

impl Plugin for ConnectionPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PreUpdate, (receive.before(read_packets), ended.after(read_packets)))
            .add_observer(send_login)
            .add_observer(send_configuration)
            .add_observer(send_game);
    }
}

/// Hands arrived packets to azalea, up to the limits of one update.
pub(super) fn receive(
    mut players: Query<(Entity, &mut Connection, &mut RawConnection, &SharedState)>,
    mut commands: Commands,
) {
    for (entity, mut connection, mut raw, shared) in &mut players {
        let mut length = 0;
        while connection.is_open() && length < MAX_BYTES && raw.injected_clientbound_packets.len() < MAX_PACKETS {
            let Some(received) = connection.wire.receive() else { break };
            match received {
                FromServer::Packet(packet, _place) => {
                    length += packet.len();
                    raw.injected_clientbound_packets.push(packet.into_boxed_slice());
                }
                FromServer::Encrypts { lacks_proof } => {
                    let mut state = shared.lock();
                    state.packets += 1;
                    state.stage = Stage::Joining;
                    state.asked_for_proof |= lacks_proof;
                }
                FromServer::Encrypted => {
                    commands.entity(entity).insert(IsAuthenticated);
                }
                FromServer::Ended(reason) => connection.end(reason),
            }
        }
    }
}

/// Announces connections that have ended. azalea then takes the player out of the game.
fn ended(players: Query<(Entity, &Connection)>, mut events: MessageWriter<DisconnectEvent>) {
    for (entity, connection) in &players {
        if !connection.is_open() {
            events.write(DisconnectEvent { entity, reason: None });
        }
    }
}

fn send_login(event: On<SendLoginPacketEvent>, mut players: Query<&mut Connection, With<InLoginState>>) {
    if let Ok(mut connection) = players.get_mut(event.sent_by) {
        connection.send(&event.packet);
    }
}

fn send_configuration(event: On<SendConfigPacketEvent>, mut players: Query<&mut Connection, With<InConfigState>>) {
    if let Ok(mut connection) = players.get_mut(event.sent_by) {
        connection.send(&event.packet);
    }
}

fn send_game(event: On<SendGamePacketEvent>, mut players: Query<&mut Connection, With<InGameState>>) {
    if let Ok(mut connection) = players.get_mut(event.sent_by) {
        connection.send(&event.packet);
    }
}
