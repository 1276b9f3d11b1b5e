//! Players' windows in the game: handles clients' requests and sends the changes.

use azalea_protocol::packets::game::ServerboundContainerClick;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::observation::BlockPos;

use super::furnace::{self, Furnaces};
use super::message::{Answer, Message};
use super::packets::{packets, request};
use super::screen::Station;
use crate::blocks::Blocks;
use crate::drops;
use crate::entities::Entities;
use crate::player::Player;

/// The distance beyond its reach at which a player's station window closes, in blocks.
const TOLERANCE: f64 = 4.0;

/// The station of a block, if it is one.
fn station(block: Block) -> Option<Station> {
    match block {
        Block::CraftingTable => Some(Station::Table),
        Block::Furnace => Some(Station::Furnace),
        _ => None,
    }
}

/// Handles a click in a window.
pub(crate) fn click(entities: &mut Entities, blocks: &mut Blocks, id: i32, click: &ServerboundContainerClick) {
    let Some(player) = entities.living(id) else { return };
    let answer = player.screen.click(&request(click), &mut blocks.furnaces);
    deliver(entities, blocks.ground.tick, id, answer);
}

/// Handles the closing of a window by its client.
pub(crate) fn close(entities: &mut Entities, blocks: &Blocks, id: i32, window: i32) {
    let Some(player) = entities.players.get_mut(&id) else { return };
    let answer = player.screen.close(window, &blocks.furnaces);
    deliver(entities, blocks.ground.tick, id, answer);
}

/// Handles the selection of a hotbar slot.
pub(crate) fn select(entities: &mut Entities, tick: u64, id: i32, slot: usize) {
    let Some(player) = entities.players.get_mut(&id) else { return };
    let answer = player.screen.select(slot);
    deliver(entities, tick, id, answer);
}

/// Opens the window of the block at a position. Returns whether it has one. The caller has checked the reach.
pub(crate) fn open(entities: &mut Entities, blocks: &mut Blocks, id: i32, pos: BlockPos) -> bool {
    let Some(station) = station(blocks.ground.block(pos)) else { return false };
    let Some(player) = entities.players.get_mut(&id) else { return false };
    let answer = player.screen.open(station, pos, &blocks.furnaces);
    deliver(entities, blocks.ground.tick, id, answer);
    true
}

/// Sends an answer to its client and throws the stacks that leave the player.
fn deliver(entities: &mut Entities, tick: u64, id: i32, answer: Answer) {
    let Answer { messages, thrown, refused } = answer;
    let Some(player) = entities.players.get(&id) else { return };
    if let Some(reason) = refused {
        tracing::debug!("{}: {reason}", player.name);
    }
    send(player, messages);
    drops::throw(entities, tick, id, thrown);
}

/// Sends messages to a client.
pub(crate) fn send(player: &Player, messages: Vec<Message>) {
    for packet in messages.into_iter().flat_map(packets) {
        player.send(packet);
    }
}

/// Sends the full contents of the open window to a client, even if unchanged.
pub(crate) fn send_all_slots(player: &mut Player, furnaces: &Furnaces) {
    let messages = player.screen.tell_all(furnaces);
    send(player, messages);
}

/// Runs one tick: furnaces burn, windows of stations that are gone or too far away close, and clients are sent the
/// changes.
pub(crate) fn one_tick(entities: &mut Entities, blocks: &mut Blocks) {
    for pos in furnace::one_tick(&mut blocks.furnaces) {
        entities.send_viewers(pos, None, blocks.update(pos));
    }
    let players: Vec<i32> = entities.players.keys().copied().collect();
    for id in players {
        let Some(player) = entities.players.get_mut(&id) else { continue };
        let mut answer = Answer::default();
        if let Some((open, pos)) = player.screen.station()
            && (station(blocks.ground.block(pos)) != Some(open) || !player.reaches(pos, TOLERANCE))
        {
            answer = player.screen.close_by_server(&blocks.furnaces);
        }
        answer.messages.extend(player.screen.tick(&blocks.furnaces));
        deliver(entities, blocks.ground.tick, id, answer);
    }
}
