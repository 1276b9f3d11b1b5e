//! Players and dropped items, and sending packets to the players who see them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::ClientboundGamePacket;
use ltlcrit_minecraft::observation::BlockPos;

use super::dropped_item::DroppedItem;
use super::outbox;
use super::player::Player;

/// The players and dropped items of a game, by entity id.
#[derive(Debug)]
pub(super) struct Entities {
    pub(super) players: BTreeMap<i32, Player>,
    pub(super) drops: BTreeMap<i32, DroppedItem>,
    last_id: i32,
    /// A number that no other game has used, for the UUIDs of dropped items.
    pub(super) game_id: u64,
}

impl Default for Entities {
    fn default() -> Self {
        let game_id = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        Self { players: BTreeMap::new(), drops: BTreeMap::new(), last_id: 0, game_id }
    }
}

impl Entities {
    /// A new entity id; later entities have larger ids.
    pub(super) fn next_id(&mut self) -> i32 {
        self.last_id += 1;
        self.last_id
    }

    /// A player, if it is connected and alive.
    pub(super) fn living(&mut self, id: i32) -> Option<&mut Player> {
        self.players.get_mut(&id).filter(|player| player.is_alive())
    }

    /// Sends a packet to one player.
    pub(super) fn send(&self, id: i32, packet: impl Packet<ClientboundGamePacket>) {
        if let Some(player) = self.players.get(&id) {
            player.send(packet);
        }
    }

    /// Sends a packet to every player.
    pub(super) fn send_all(&self, packet: impl Packet<ClientboundGamePacket>) {
        self.send_where(packet, |_| true);
    }

    /// Sends a packet to every player whose client displays an entity, and to the entity itself if it is a player.
    pub(super) fn send_watchers(&self, entity: i32, packet: impl Packet<ClientboundGamePacket>) {
        self.send_where(packet, |player| player.id == entity || player.sees.contains(&entity));
    }

    /// Sends a packet to every other player whose client displays a player.
    pub(super) fn send_others(&self, entity: i32, packet: impl Packet<ClientboundGamePacket>) {
        self.send_where(packet, |player| player.sees.contains(&entity));
    }

    /// Sends a packet to every player who has received the chunk of a block, except one.
    pub(super) fn send_viewers(&self, pos: BlockPos, except: Option<i32>, packet: impl Packet<ClientboundGamePacket>) {
        self.send_where(packet, |player| Some(player.id) != except && player.view.shows(pos));
    }

    fn send_where(&self, packet: impl Packet<ClientboundGamePacket>, wanted: impl Fn(&Player) -> bool) {
        let mut receivers = self.players.values().filter(|player| wanted(player)).peekable();
        if receivers.peek().is_none() {
            return;
        }
        let Some(frame): Option<Arc<[u8]>> = outbox::encoded(packet) else { return };
        receivers.for_each(|player| player.outbox.send_frame(&frame));
    }
}
