//! Damage, death and respawning.

use std::time::Instant;

use azalea_core::position::Vec3;
use azalea_protocol::packets::game::c_game_event::EventType;
use azalea_protocol::packets::game::{ClientboundGameEvent, ClientboundPlayerCombatKill};
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::{DamageSource, Player as Body};

use super::blocks::Blocks;
use super::entities::Entities;
use super::player::Hunger;
use super::windows::{self, Answer};
use super::{drops, movement, packets};

/// Runs one tick of every player's body.
pub(super) fn one_tick(entities: &mut Entities, blocks: &mut Blocks) {
    let (mut hurt, mut dead) = (Vec::new(), Vec::new());
    for player in entities.players.values_mut() {
        if player.is_alive() {
            let (feet, head) = (blocks.ground.block(player.body.feet), blocks.ground.block(player.head()));
            player.body.one_tick(feet, head, blocks.ground.tick);
        }
        let health = player.body.health;
        if player.sent_health != Some(health) || player.hunger.sent != player.hunger.food {
            player.hunger.sent = player.hunger.food;
            if player.sent_health.is_some_and(|sent| health < sent) {
                hurt.push((player.id, player.body.hurt_by.take().unwrap_or(DamageSource::Operator)));
            }
            player.sent_health = Some(health);
            player.send(packets::health(&player.body, player.hunger.food));
            if !player.is_alive() {
                dead.push(player.id);
            }
        }
    }
    for (player, source) in hurt {
        entities.send_watchers(player, packets::damage(player, source));
    }
    for player in dead {
        die(entities, blocks, player);
    }
}

/// Drops the items of a dead player and announces the death in chat.
fn die(entities: &mut Entities, blocks: &Blocks, id: i32) {
    let Some(player) = entities.players.get_mut(&id) else { return };
    let message = format!("{} {}", player.name, player.body.death.unwrap_or(DamageSource::Operator).death());
    let at = player.at;
    player.dig = None;
    let Answer { messages, thrown, .. } = player.screen.give_up(&blocks.furnaces);
    player.send(ClientboundPlayerCombatKill { player_id: id.into(), message: message.as_str().into() });
    windows::send(player, messages);
    drops::spill(entities, blocks.ground.tick, at, thrown);
    entities.send_all(packets::notice(message));
}

/// Moves a dead player back to the spawn point. A living player stays where it is.
pub(super) fn respawn(
    entities: &mut Entities,
    blocks: &mut Blocks,
    id: i32,
    (spawn, spawn_point): (BlockPos, Vec3),
    now: Instant,
) {
    let Some(player) = entities.players.get_mut(&id).filter(|player| !player.is_alive()) else { return };
    player.body = Body::new(spawn);
    player.hunger = Hunger::default();
    player.sees.clear();
    player.view.clear();
    player.send(packets::respawn());
    movement::teleport(player, spawn_point, now);
    player.send(ClientboundGameEvent { event: EventType::WaitForLevelChunks, param: 0.0 });
    player.view.update(blocks, player.body.feet, player.distance, &player.outbox);
    player.sent_health = Some(player.body.health);
    player.send(packets::health(&player.body, player.hunger.food));
    player.sent_appearance = None;
    windows::send_all_slots(player, &blocks.furnaces);
}
