//! Using blocks: what a right click on one does.

use azalea_protocol::packets::game::{ClientboundBlockChangedAck, ServerboundUseItemOn};

use super::names::ours;
use super::realm::Realm;
use super::windows::is_near;

/// How much farther than a player reaches a block may be that it uses: client and server need not agree to the inch.
const LEEWAY: f64 = 1.0;

impl Realm {
    /// A client uses the block it points at.
    pub(super) fn use_on(&mut self, player: i32, said: &ServerboundUseItemOn) {
        let pos = ours(said.block_hit.block_pos);
        let Some(user) = self.players.get(&player) else { return };
        if user.is_alive() && is_near(user, pos, LEEWAY) {
            self.open_station(player, pos);
        }
        if let Some(user) = self.players.get(&player) {
            user.tell(ClientboundBlockChangedAck { seq: said.seq });
        }
    }
}
