//! Players joining and leaving.

use azalea_chat::FormattedText;
use azalea_core::difficulty::Difficulty;
use azalea_protocol::packets::game::c_game_event::EventType;
use azalea_protocol::packets::game::*;
use rustc_hash::FxHashSet;

use super::events::Joining;
use super::offline_players::OfflinePlayer;
use super::player::{KeepAlive, MovementState, Player};
use super::state::GameState;
use super::view::View;
use super::windows::{self, Screen};
use super::{drops, movement, packets};

/// Lets a client join, unless the server is full. A player of the same name is disconnected.
pub(super) fn join(game: &mut GameState, joining: Joining) {
    let Joining { name, uuid, distance, outbox, joined } = joining;
    let same = game.entities.players.values().find(|player| player.name == name).map(|player| player.id);
    if let Some(same) = same {
        kick(game, same, "You logged in from another place.");
    } else if game.entities.players.len() >= game.options.max_players {
        outbox.send(ClientboundDisconnect { reason: "The server is full.".into() });
        return;
    }
    let id = game.entities.next_id();
    if joined.send(id).is_err() {
        return;
    }
    let before = game.offline_players.take(&name).unwrap_or_else(|| OfflinePlayer::new(game.spawn_point(), game.spawn));
    let GameState { options, blocks, entities, now, .. } = game;
    let at = before.at;
    let mut player = Player {
        id,
        name,
        uuid,
        outbox,
        distance: distance.min(options.view_distance).max(2),
        view: View::default(),
        body: before.body,
        at,
        look: before.look,
        movement: MovementState::new(*now, options.ticks_per_second),
        keep_alive: KeepAlive::new(*now),
        screen: Screen::new(before.inventory),
        dig: None,
        hunger: Default::default(),
        is_crouching: false,
        is_sprinting: false,
        sent_health: None,
        sent_appearance: None,
        sees: FxHashSet::default(),
    };
    player.send(packets::login(id, player.distance, options));
    player.send(ClientboundChangeDifficulty { difficulty: Difficulty::Peaceful, locked: true });
    player.send(packets::abilities());
    player.send(ClientboundSetHeldSlot { slot: player.screen.inventory().held() as u32 });
    let others = entities.players.values().map(|other| (other.name.as_str(), other.uuid));
    player.send(packets::listed(others.chain([(player.name.as_str(), uuid)])));
    player.send(packets::default_spawn(game.spawn));
    player.send(packets::time(blocks.ground.tick));
    player.send(ClientboundGameEvent { event: EventType::WaitForLevelChunks, param: 0.0 });
    movement::teleport(&mut player, at, *now);
    player.view.update(blocks, player.body.feet, player.distance, &player.outbox);
    player.sent_health = Some(player.body.health);
    player.send(packets::health(&player.body, player.hunger.food));
    windows::send_all_slots(&mut player, &blocks.furnaces);
    entities.send_all(packets::listed([(player.name.as_str(), uuid)].into_iter()));
    entities.send_all(packets::notice(format!("{} joined the game", player.name)));
    tracing::info!("{} joined", player.name);
    entities.players.insert(id, player);
    publish_roster(game);
}

/// Disconnects a player with a reason that its client shows.
pub(super) fn kick(game: &mut GameState, player: i32, reason: &str) {
    game.entities.send(player, ClientboundDisconnect { reason: FormattedText::from(reason) });
    leave(game, player);
}

/// Removes a player, and remembers it if it is alive.
pub(super) fn leave(game: &mut GameState, id: i32) {
    let GameState { entities, offline_players, .. } = game;
    let tick = game.blocks.ground.tick;
    let Some(player) = entities.players.get_mut(&id) else { return };
    let thrown = player.screen.put_away();
    drops::throw(entities, tick, id, thrown);
    let Some(player) = entities.players.remove(&id) else { return };
    if player.is_alive() {
        offline_players.remember(player.name.clone(), OfflinePlayer::of(&player, tick));
    }
    entities.send_all(ClientboundPlayerInfoRemove { profile_ids: vec![player.uuid] });
    entities.send_all(packets::notice(format!("{} left the game", player.name)));
    tracing::info!("{} left", player.name);
    publish_roster(game);
}

fn publish_roster(game: &GameState) {
    let players = game.entities.players.values().map(|player| (player.name.clone(), player.uuid)).collect();
    game.roster.send_replace(players);
}
