//! A player on the server: who it is, its body, and what its client was told.

use std::time::Instant;

use azalea_core::position::Vec3;
use azalea_entity::LookDirection;
use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::{ClientboundGamePacket, ClientboundKeepAlive};
use rustc_hash::FxHashSet;
use uuid::Uuid;

use super::digging::Dig;
use super::movement::Movement;
use super::names::cell;
use super::outbox::Outbox;
use super::physics::EYES;
use super::talking::Voice;
use super::view::View;
use super::watching::Looks;
use super::windows::Screen;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::Player as Body;

/// One player and its client.
#[derive(Debug)]
pub(super) struct Player {
    /// Its number among everything that moves.
    pub(super) id: i32,
    pub(super) name: String,
    pub(super) uuid: Uuid,
    pub(super) outbox: Outbox,
    /// How far it is shown the land, in chunks.
    pub(super) distance: u32,
    pub(super) view: View,
    /// Health, breath and fire. Where it stands is [`Self::at`] to the block.
    pub(super) body: Body,
    /// The middle of the feet.
    pub(super) at: Vec3,
    pub(super) look: LookDirection,
    pub(super) movement: Movement,
    pub(super) pulse: Pulse,
    /// What it carries and has open.
    pub(super) screen: Screen,
    /// What it is digging at.
    pub(super) dig: Option<Dig>,
    pub(super) crouches: bool,
    pub(super) runs: bool,
    pub(super) voice: Voice,
    /// Health as last told.
    pub(super) told_health: Option<u32>,
    /// Its looks as the others were told last.
    pub(super) looks: Option<Looks>,
    /// What its client is shown of what moves, by number.
    pub(super) sees: FxHashSet<i32>,
}

/// Whether the client is still there.
#[derive(Debug)]
pub(super) struct Pulse {
    /// When it was last asked, and whether it has answered.
    asked: Instant,
    answered: bool,
    question: u64,
}

/// How long after one question the next is asked.
const QUESTIONS_APART: std::time::Duration = std::time::Duration::from_secs(5);

impl Pulse {
    pub(super) fn new(now: Instant) -> Self {
        Self { asked: now, answered: true, question: 0 }
    }

    /// Takes an answer.
    pub(super) fn answer(&mut self, question: u64) {
        self.answered |= question == self.question;
    }

    /// Asks when it is time to; `false` if no answer came for too long.
    pub(super) fn check(&mut self, now: Instant, patience: std::time::Duration, outbox: &Outbox) -> bool {
        let since = now.saturating_duration_since(self.asked);
        if self.answered && since >= QUESTIONS_APART.min(patience / 2) {
            self.question += 1;
            self.asked = now;
            self.answered = false;
            outbox.send(ClientboundKeepAlive { id: self.question });
        }
        self.answered || since < patience
    }
}

impl Player {
    /// Sends its client a packet.
    pub(super) fn tell(&self, packet: impl Packet<ClientboundGamePacket>) {
        self.outbox.send(packet);
    }

    /// Puts the body somewhere, and nothing else.
    pub(super) fn stand_at(&mut self, at: Vec3) {
        self.at = at;
        // Just under a block's top is on it.
        self.body.feet = cell(Vec3 { y: at.y + 1e-3, ..at });
    }

    /// Where the eyes are.
    pub(super) fn eyes(&self) -> Vec3 {
        Vec3 { y: self.at.y + EYES, ..self.at }
    }

    /// The block the eyes are in.
    pub(super) fn head(&self) -> BlockPos {
        cell(self.eyes())
    }

    /// Whether it lives.
    pub(super) fn is_alive(&self) -> bool {
        self.body.death.is_none()
    }
}

#[cfg(test)]
mod tests {
    use azalea_protocol::packets::game::ServerboundKeepAlive;

    use crate::ServerOptions;
    use crate::rehearsal::Rehearsal;

    #[test]
    fn who_does_not_answer_is_let_go() {
        let mut rehearsal = Rehearsal::new();
        let [lively, wrong, dead] = ["lively", "wrong", "dead"].map(|name| rehearsal.join(name));
        let ticks = |time: std::time::Duration| (time.as_millis() / Rehearsal::TICK.as_millis()) as u32;
        let patience = ServerOptions::default().patience;
        let asked_at = ticks(super::QUESTIONS_APART);
        let mut questions = 0;
        for tick in 1..=4 * ticks(patience) {
            rehearsal.ticks(1);
            let in_time = tick < asked_at + ticks(patience);
            assert_eq!(rehearsal.realm.players.contains_key(&dead), in_time, "after {tick} ticks");
            assert_eq!(rehearsal.realm.players.contains_key(&wrong), in_time, "after {tick} ticks");
            let pulse = &rehearsal.realm.players[&lively].pulse;
            // Almost too late.
            let waits = pulse.asked + patience - 2 * Rehearsal::TICK;
            if !pulse.answered && rehearsal.realm.now >= waits {
                questions = pulse.question;
                rehearsal.say(lively, ServerboundKeepAlive { id: questions });
            }
            rehearsal.say(wrong, ServerboundKeepAlive { id: 0 });
        }
        assert_eq!(questions, 3);
    }
}
