//! A game without a network and with a manual clock, for tests.

use std::sync::Arc;
use std::time::{Duration, Instant};

use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::ServerboundGamePacket;
use tokio::sync::{Semaphore, oneshot, watch};

use super::events::{Event, Joining};
use super::game_loop;
use super::options::ServerOptions;
use super::outbox::{self, Outgoing};
use super::state::GameState;
use super::status::Roster;

/// A game, its clock, and the packets its clients have not read.
pub(super) struct TestHarness {
    pub(super) game: GameState,
    now: Instant,
    unread: Vec<Outgoing>,
}

impl TestHarness {
    /// The duration of a tick.
    pub(super) const TICK: Duration = Duration::from_millis(50);

    /// A game without players in a small world.
    pub(super) fn new() -> Self {
        let options = ServerOptions { view_distance: 2, ..ServerOptions::compact() };
        let (roster, _) = watch::channel(Roster::default());
        Self { game: GameState::new(Arc::new(options), roster), now: Instant::now(), unread: Vec::new() }
    }

    /// Lets a player join and returns its id.
    pub(super) fn join(&mut self, name: &str) -> i32 {
        let (outbox, outgoing) = outbox::queue();
        let (joined, mut id) = oneshot::channel();
        let uuid = uuid::Uuid::from_u128(self.unread.len() as u128);
        let joining = Joining { name: name.to_owned(), uuid, distance: 2, outbox, joined };
        game_loop::handle(&mut self.game, Event::Join(joining), self.now);
        self.unread.push(outgoing);
        id.try_recv().unwrap()
    }

    /// Receives a packet from a player's client.
    pub(super) fn send(&mut self, player: i32, packet: impl Packet<ServerboundGamePacket>) {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        game_loop::handle(&mut self.game, Event::Packet(player, Box::new(packet.into_variant()), permit), self.now);
    }

    /// Runs this many ticks, each on time.
    pub(super) fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.now += Self::TICK;
            game_loop::tick(&mut self.game, self.now);
        }
    }

    /// Advances the clock by this many ticks without running the game.
    pub(super) fn hang(&mut self, ticks: u32) {
        self.now += Self::TICK * ticks;
    }
}
