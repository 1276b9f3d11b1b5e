//! Players' windows in the realm: what clients ask for gets to their screens, what screens say gets to their clients, and
//! stations close when they are gone.

use azalea_protocol::packets::game::ServerboundContainerClick;

use super::message::Answer;
use super::packets::{packets, request};
use super::screen::Station;
use crate::digging::reaches;
use crate::realm::Realm;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::observation::BlockPos;

/// How much farther than it can touch a player may be from a station whose window is open.
const LEEWAY: f64 = 4.0;

/// The station a block is.
pub(crate) fn station(block: Block) -> Option<Station> {
    match block {
        Block::CraftingTable => Some(Station::Table),
        Block::Furnace => Some(Station::Furnace),
        _ => None,
    }
}

impl Realm {
    /// A click in a window.
    pub(crate) fn click(&mut self, player: i32, click: &ServerboundContainerClick) {
        let Some(clicker) = self.players.get_mut(&player).filter(|player| player.is_alive()) else { return };
        let answer = clicker.screen.click(&request(click), &mut self.furnaces);
        self.answer(player, answer);
    }

    /// A client has closed a window.
    pub(crate) fn close_window(&mut self, player: i32, window: i32) {
        let Some(closer) = self.players.get_mut(&player) else { return };
        let answer = closer.screen.close(window, &self.furnaces);
        self.answer(player, answer);
    }

    /// A client wants to hold another hotbar slot.
    pub(crate) fn select_slot(&mut self, player: i32, slot: usize) {
        let Some(holder) = self.players.get_mut(&player) else { return };
        let answer = holder.screen.select(slot);
        self.answer(player, answer);
    }

    /// Opens the window of the block at a place, if it has one; returns whether it has. That it is within reach is checked
    /// before.
    pub(crate) fn open_station(&mut self, player: i32, pos: BlockPos) -> bool {
        let Some(station) = station(self.ground.block(pos)) else { return false };
        let Some(opener) = self.players.get_mut(&player) else { return false };
        let answer = opener.screen.open(station, pos, &self.furnaces);
        self.answer(player, answer);
        true
    }

    /// Tells a client what has come of what it asked for, and lets go of what it has thrown.
    pub(crate) fn answer(&mut self, id: i32, answer: Answer) {
        let Answer { messages, thrown, refused } = answer;
        let Some(player) = self.players.get(&id) else { return };
        if let Some(reason) = refused {
            tracing::debug!("{}: {reason}", player.name);
        }
        for packet in messages.into_iter().flat_map(packets) {
            player.tell(packet);
        }
        self.throw(id, thrown);
    }

    /// Once a tick: fires burn, windows close whose station is gone or too far away, and clients are told what they do
    /// not know yet.
    pub(crate) fn show_windows(&mut self) {
        for pos in self.furnaces.tick() {
            self.show_block(pos);
        }
        let players: Vec<i32> = self.players.keys().copied().collect();
        for id in players {
            let Some(player) = self.players.get_mut(&id) else { continue };
            let mut answer = Answer::default();
            if let Some((open, pos)) = player.screen.station()
                && (station(self.ground.block(pos)) != Some(open) || !reaches(player, pos, LEEWAY))
            {
                answer = player.screen.close_by_server(&self.furnaces);
            }
            answer.messages.extend(player.screen.tick(&self.furnaces));
            self.answer(id, answer);
        }
    }

    /// What lay in a furnace lies where it stood, if none stands there any more.
    pub(crate) fn empty_furnace(&mut self, pos: BlockPos) {
        if self.furnaces.get(pos).is_some() && self.ground.block(pos) != Block::Furnace {
            for stack in self.furnaces.remove(pos) {
                self.drop_at(pos, stack);
            }
        }
    }
}
