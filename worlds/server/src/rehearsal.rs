//! A realm without a network, for tests: they are its clients, and its clock goes when they say so.

use std::sync::Arc;
use std::time::{Duration, Instant};

use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::ServerboundGamePacket;
use tokio::sync::{Semaphore, oneshot, watch};

use super::options::ServerOptions;
use super::outbox::{self, Outgoing};
use super::realm::{Event, Joining, Realm};
use super::status::Roster;

/// A realm, its clock and what its clients have not read.
pub(super) struct Rehearsal {
    pub(super) realm: Realm,
    now: Instant,
    unread: Vec<Outgoing>,
}

impl Rehearsal {
    /// A realm with nobody in it, in a small world.
    pub(super) fn new() -> Self {
        let options = ServerOptions { view_distance: 2, ..ServerOptions::compact() };
        let (roster, _) = watch::channel(Roster::default());
        Self { realm: Realm::new(Arc::new(options), roster), now: Instant::now(), unread: Vec::new() }
    }

    /// Somebody joins; the player's number.
    pub(super) fn join(&mut self, name: &str) -> i32 {
        let (outbox, outgoing) = outbox::queue();
        let (joined, mut number) = oneshot::channel();
        let uuid = uuid::Uuid::from_u128(self.unread.len() as u128);
        self.realm.handle(Event::Join(Joining { name: name.to_owned(), uuid, distance: 2, outbox, joined }), self.now);
        self.unread.push(outgoing);
        number.try_recv().unwrap()
    }

    /// A player's client says something.
    pub(super) fn say(&mut self, player: i32, packet: impl Packet<ServerboundGamePacket>) {
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned().unwrap();
        self.realm.handle(Event::Packet(player, Box::new(packet.into_variant()), permit), self.now);
    }

    /// So many ticks pass, each on time.
    pub(super) fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.now += Self::TICK;
            self.realm.tick(self.now);
        }
    }

    /// As much time passes as so many ticks take, in which the realm does not get to run.
    pub(super) fn hang(&mut self, ticks: u32) {
        self.now += Self::TICK * ticks;
    }

    /// How long a tick takes.
    pub(super) const TICK: Duration = Duration::from_millis(50);
}
