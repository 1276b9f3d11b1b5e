//! Builds packets that several systems send.

use std::io;
use std::sync::Arc;

use azalea_auth::game_profile::GameProfile;
use azalea_core::game_type::{GameMode, OptionalGameType};
use azalea_core::position::{ChunkPos, GlobalPos, Vec3};
use azalea_entity::LookDirection;
use azalea_protocol::common::movements::{PositionMoveRotation, RelativeMovements};
use azalea_protocol::packets::Packet;
use azalea_protocol::packets::common::CommonPlayerSpawnInfo;
use azalea_protocol::packets::game::c_damage_event::OptionalEntityId;
use azalea_protocol::packets::game::c_player_abilities::PlayerAbilitiesFlags;
use azalea_protocol::packets::game::c_player_info_update::{ActionEnumSet, PlayerInfoEntry};
use azalea_protocol::packets::game::c_set_time::ClockState;
use azalea_protocol::packets::game::*;
use azalea_registry::DataRegistry;
use azalea_registry::data::{DimensionKind, WorldClock};
use azalea_registry::identifier::Identifier;
use indexmap::IndexMap;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::{DamageSource, Player as Body};
use ltlcrit_minecraft::terrain::SEA_LEVEL;
use uuid::Uuid;

use super::frame;
use super::names::wire;
use super::options::ServerOptions;
use super::registries::{OVERWORLD, damage_number};

fn overworld() -> Identifier {
    Identifier::new(OVERWORLD)
}

fn spawn_info() -> CommonPlayerSpawnInfo {
    CommonPlayerSpawnInfo {
        dimension_type: DimensionKind::new_raw(0),
        dimension: overworld(),
        // Clients use a hash of the seed only to draw the edges of biomes.
        seed: 0,
        game_type: GameMode::Survival,
        previous_game_type: OptionalGameType(None),
        is_debug: false,
        is_flat: false,
        last_death_location: None,
        portal_cooldown: 0,
        sea_level: SEA_LEVEL + 1,
    }
}

/// The first packet of the game.
pub(super) fn login(player: i32, view_distance: u32, options: &ServerOptions) -> ClientboundLogin {
    ClientboundLogin {
        player_id: player.into(),
        hardcore: false,
        levels: vec![overworld()],
        max_players: i32::try_from(options.max_players).unwrap_or(i32::MAX),
        chunk_radius: view_distance,
        simulation_distance: view_distance,
        reduced_debug_info: false,
        show_death_screen: true,
        do_limited_crafting: false,
        common: spawn_info(),
        enforces_secure_chat: false,
    }
}

/// The packet with which a client's player respawns.
pub(super) fn respawn() -> ClientboundRespawn {
    ClientboundRespawn { common: spawn_info(), data_to_keep: 0 }
}

/// The abilities of a survival player.
pub(super) fn abilities() -> ClientboundPlayerAbilities {
    let flags = PlayerAbilitiesFlags { invulnerable: false, flying: false, can_fly: false, instant_break: false };
    ClientboundPlayerAbilities { flags, flying_speed: 0.05, walking_speed: 0.1 }
}

/// The position that compasses point to.
pub(super) fn default_spawn(spawn: BlockPos) -> ClientboundSetDefaultSpawnPosition {
    let global_pos = GlobalPos { dimension: overworld(), pos: wire(spawn) };
    ClientboundSetDefaultSpawnPosition { global_pos, yaw: 0.0, pitch: 0.0 }
}

/// The time of day. Only the first clock is sent, because some clients know no other.
pub(super) fn time(tick: u64) -> ClientboundSetTime {
    let clock = ClockState { total_ticks: tick, partial_tick: 0.0, rate: 1.0 };
    ClientboundSetTime { game_time: tick, clock_updates: IndexMap::from([(WorldClock::new_raw(0), clock)]) }
}

/// Moves a client's player. The position is always absolute, because azalea writes relative ones incorrectly.
pub(super) fn player_position(id: u32, at: Vec3, look_direction: LookDirection) -> ClientboundPlayerPosition {
    ClientboundPlayerPosition {
        id,
        change: PositionMoveRotation { pos: at, delta: Vec3::ZERO, look_direction },
        relative: RelativeMovements::all_absolute(),
    }
}

/// A client's own health.
pub(super) fn health(body: &Body, food: u32) -> ClientboundSetHealth {
    ClientboundSetHealth { health: body.health as f32, food, saturation: 5.0 }
}

/// Entries of the player list.
pub(super) fn listed<'a>(players: impl Iterator<Item = (&'a str, Uuid)>) -> ClientboundPlayerInfoUpdate {
    ClientboundPlayerInfoUpdate {
        // Order and hat stay off, because azalea writes them incorrectly.
        actions: ActionEnumSet {
            add_player: true,
            initialize_chat: false,
            update_game_mode: true,
            update_listed: true,
            update_latency: true,
            update_display_name: false,
            update_list_order: false,
            update_hat: false,
        },
        entries: players
            .map(|(name, uuid)| PlayerInfoEntry {
                profile: GameProfile::new(uuid, name.to_owned()),
                game_mode: GameMode::Survival,
                listed: true,
                ..PlayerInfoEntry::default()
            })
            .collect(),
    }
}

/// Unloads a chunk from a client. Encoded here, because azalea writes positions west of the origin incorrectly.
pub(super) fn forget_chunk(x: i32, z: i32) -> io::Result<Arc<[u8]>> {
    let kind = ClientboundForgetLevelChunk { pos: ChunkPos::new(0, 0) }.into_variant();
    frame::with_contents(&kind, &[z.to_be_bytes(), x.to_be_bytes()].concat())
}

/// Damage to a player, with its kind.
pub(super) fn damage(player: i32, source: DamageSource) -> ClientboundDamageEvent {
    ClientboundDamageEvent {
        entity_id: player.into(),
        source_type_id: damage_number(source),
        source_cause_id: OptionalEntityId(None),
        source_direct_id: OptionalEntityId(None),
        source_position: None,
    }
}

/// A chat line from the server.
pub(super) fn notice(text: impl Into<String>) -> ClientboundSystemChat {
    ClientboundSystemChat { content: text.into().into(), overlay: false }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use azalea_protocol::read::deserialize_packet;

    use super::*;

    #[test]
    fn chunks_are_forgotten_wherever_they_are() {
        for (x, z) in [(0, 0), (3, -4), (-3, 4), (-1_000_000, -1), (i32::MIN, i32::MAX)] {
            let frame = forget_chunk(x, z).unwrap();
            let read = deserialize_packet::<ClientboundGamePacket>(&mut Cursor::new(&frame[1..])).unwrap();
            let ClientboundGamePacket::ForgetLevelChunk(forget) = read else { panic!("{read:?}") };
            assert_eq!((forget.pos.x, forget.pos.z), (x, z));
        }
    }
}
