//! A connected player: identity, body, and the data sent to its client.

mod appearance;
mod dig;
mod hunger;
mod keep_alive;
mod movement_state;

pub(super) use appearance::Appearance;
use azalea_core::position::Vec3;
use azalea_entity::LookDirection;
use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::ClientboundGamePacket;
pub(super) use dig::Dig;
pub(super) use hunger::{FULL, Hunger};
pub(super) use keep_alive::KeepAlive;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::ground::Ground;
use ltlcrit_minecraft::ground::SOURCE;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::{Player as Body, REACH};
pub(super) use movement_state::MovementState;
use rustc_hash::FxHashSet;
use uuid::Uuid;

use super::blocks::Blocks;
use super::hull::{EYES, Hull};
use super::names::cell;
use super::outbox::Outbox;
use super::view::View;
use super::windows::Screen;

/// The tolerance added to a player's reach, in blocks: the body may have moved before its packet arrives.
pub(super) const REACH_TOLERANCE: f64 = 1.0;

/// One player and its client.
#[derive(Debug)]
pub(super) struct Player {
    /// Its entity id.
    pub(super) id: i32,
    pub(super) name: String,
    pub(super) uuid: Uuid,
    pub(super) outbox: Outbox,
    /// The view distance, in chunks.
    pub(super) distance: u32,
    pub(super) view: View,
    /// Health, air and fire. Its position is [`Self::at`], rounded to the block.
    pub(super) body: Body,
    /// The middle of the feet.
    pub(super) at: Vec3,
    pub(super) look: LookDirection,
    pub(super) movement: MovementState,
    pub(super) keep_alive: KeepAlive,
    /// Its inventory and open window.
    pub(super) screen: Screen,
    /// The block it is digging.
    pub(super) dig: Option<Dig>,
    pub(super) hunger: Hunger,
    pub(super) is_crouching: bool,
    pub(super) is_sprinting: bool,
    /// The health its client was last sent.
    pub(super) sent_health: Option<u32>,
    /// The appearance that other clients were last sent.
    pub(super) sent_appearance: Option<Appearance>,
    /// The entities that its client displays.
    pub(super) sees: FxHashSet<i32>,
}

impl Player {
    /// Sends a packet to its client.
    pub(super) fn send(&self, packet: impl Packet<ClientboundGamePacket>) {
        self.outbox.send(packet);
    }

    /// Sets the body's position without telling the client.
    pub(super) fn stand_at(&mut self, at: Vec3) {
        self.at = at;
        // A position just under a block's top counts as on it.
        self.body.feet = cell(Vec3 { y: at.y + 1e-3, ..at });
    }

    /// The position of the eyes.
    pub(super) fn eyes(&self) -> Vec3 {
        Vec3 { y: self.at.y + EYES, ..self.at }
    }

    /// The block that contains the eyes.
    pub(super) fn head(&self) -> BlockPos {
        cell(self.eyes())
    }

    /// Returns whether it is alive.
    pub(super) fn is_alive(&self) -> bool {
        self.body.death.is_none()
    }

    /// Returns whether it can touch a block, with a tolerance in blocks.
    pub(super) fn reaches(&self, pos: BlockPos, tolerance: f64) -> bool {
        Hull::block(pos).distance(self.eyes()) <= REACH + tolerance
    }

    /// The ticks to break a block with the item in its hand; `None` if the block cannot be broken.
    pub(super) fn break_ticks(&self, blocks: &mut Blocks, pos: BlockPos) -> Option<u32> {
        let tool = self.screen.inventory().hand().map(|stack| stack.item);
        let under_water = self.is_under_water(&mut blocks.ground);
        blocks.ground.block(pos).break_ticks(tool, under_water)
    }

    /// Returns whether its eyes are under water. Flowing water fills its block only if there is water above it.
    fn is_under_water(&self, ground: &mut Ground) -> bool {
        let head = self.head();
        if ground.block(head) != Block::Water {
            return false;
        }
        let surface = f64::from(ground.level(head)) / (f64::from(SOURCE) + 1.0);
        ground.block(head.up()) == Block::Water || self.eyes().y < f64::from(head.y) + surface
    }

    /// Its current appearance.
    pub(super) fn appearance(&self) -> Appearance {
        let flags = [(self.body.fire > 0, 0x01), (self.is_crouching, 0x02), (self.is_sprinting, 0x08)];
        Appearance {
            at: self.at,
            look: self.look,
            flags: flags.into_iter().map(|(on, bit)| if on { bit } else { 0 }).sum(),
            air: self.body.air,
            hand: self.screen.inventory().hand(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use azalea_protocol::packets::game::ServerboundKeepAlive;

    use super::keep_alive::INTERVAL;
    use crate::ServerOptions;
    use crate::test_harness::TestHarness;

    #[test]
    fn a_client_that_does_not_answer_is_disconnected() {
        let mut harness = TestHarness::new();
        let [lively, wrong, dead] = ["lively", "wrong", "dead"].map(|name| harness.join(name));
        let ticks = |time: Duration| (time.as_millis() / TestHarness::TICK.as_millis()) as u32;
        let timeout = ServerOptions::default().patience;
        let sent_at = ticks(INTERVAL);
        let mut answered = 0;
        for tick in 1..=4 * ticks(timeout) {
            harness.ticks(1);
            let in_time = tick < sent_at + ticks(timeout);
            let players = &harness.game.entities.players;
            assert_eq!(players.contains_key(&dead), in_time, "after {tick} ticks");
            assert_eq!(players.contains_key(&wrong), in_time, "after {tick} ticks");
            let keep_alive = &players[&lively].keep_alive;
            // Slightly before the time limit.
            let due = keep_alive.sent + timeout - 2 * TestHarness::TICK;
            if !keep_alive.answered && harness.game.now >= due {
                answered = keep_alive.id;
                harness.send(lively, ServerboundKeepAlive { id: answered });
            }
            harness.send(wrong, ServerboundKeepAlive { id: 0 });
        }
        assert_eq!(answered, 3);
    }
}
