//! Lockstep, for tests: engines and servers that advance together. Each tick begins when every packet of the last one
//! has been answered.
//!
//! Time passes as fast as the processor allows and never while a packet is under way, so a run does not depend on the
//! machine's load. In one round, the players' packets reach the servers and the answers come back, until the players
//! have nothing more to send. Then every server ticks, the players read its packets, and every engine ticks.
//!
//! A packet has arrived when a `PingRequest` sent after it has been answered: connections keep the order. While a
//! connection is being made, which takes real time, no tick passes.

use std::io;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use azalea::connection::read_packets;
use azalea::ecs::message::Messages;
use azalea::ecs::prelude::Entity;
use azalea::ecs::world::World as Ecs;
use azalea::packet::game::{ReceiveGamePacketEvent, SendGamePacketEvent};
use azalea::protocol::packets::game::{ClientboundGamePacket, ServerboundPingRequest};
use tokio::sync::watch;

use super::connection::{self, Connection};
use super::engine::Engine;
use super::engine_core::{EngineCore, lock};
use super::sent_packets::SentPackets;
use super::state::{SharedState, Stage};

/// The maximum number of packet exchanges between two ticks. Later packets wait for the next tick.
const MAX_EXCHANGES: usize = 64;
/// The pause between two checks of a connection that is being made.
const PAUSE: Duration = Duration::from_millis(1);

/// A function that lets one tick pass on a server. Returns `false` when the server is gone.
type Tick = Box<dyn FnMut() -> bool + Send>;

/// Engines and servers that advance together.
#[derive(Clone, Default)]
pub struct Lockstep {
    members: Arc<Mutex<Members>>,
    /// Ticks that have passed.
    ticks: watch::Sender<u64>,
}

#[derive(Default)]
struct Members {
    engines: Vec<Weak<Engine>>,
    servers: Vec<Tick>,
    /// The number of the last ping.
    pings: u64,
}

impl Lockstep {
    /// An engine that is advanced with the others. Its players' servers must be [added](Self::add_server).
    ///
    /// # Errors
    /// The engine cannot be built.
    pub fn engine(&self) -> io::Result<Arc<Engine>> {
        let engine = Arc::new(Engine::stepped()?);
        lock(&self.members).engines.push(Arc::downgrade(&engine));
        Ok(engine)
    }

    /// Adds a server that is advanced with the others. `tick` lets one of its ticks pass, and returns whether it still
    /// runs.
    pub fn add_server(&self, tick: impl FnMut() -> bool + Send + 'static) {
        lock(&self.members).servers.push(Box::new(tick));
    }

    /// Waits until ticks have passed.
    pub async fn ticks(&self, count: u64) {
        let mut ticks = self.ticks.subscribe();
        let end = *ticks.borrow() + count;
        // This cannot fail: `self` has a sender.
        let _ = ticks.wait_for(|now| *now >= end).await;
    }

    /// Advances its members while it is polled. It must run on the single-threaded runtime of the members' users: each
    /// round begins when all other tasks there wait.
    pub async fn run(self) {
        loop {
            self.round().await;
        }
    }

    async fn round(&self) {
        for _ in 0..MAX_EXCHANGES {
            if !self.exchange().await {
                break;
            }
            self.update(false);
            self.let_others_act(false).await;
            if self.cores().iter().all(|core| !has_sent(core)) {
                break;
            }
        }
        if self.cores().iter().any(|core| core.is_clock_held() || is_connecting(core)) {
            self.update(false);
            self.let_others_act(false).await;
            return tokio::time::sleep(PAUSE).await;
        }
        lock(&self.members).servers.retain_mut(|tick| tick());
        self.exchange().await;
        self.update(true);
        self.let_others_act(true).await;
    }

    fn update(&self, tick: bool) {
        for core in self.cores() {
            // A panic stops the engine, and its players receive the error.
            let _ = core.update(tick);
        }
    }

    fn cores(&self) -> Vec<Arc<EngineCore>> {
        let mut members = lock(&self.members);
        members.engines.retain(|engine| engine.strong_count() > 0);
        members.engines.iter().filter_map(|engine| engine.upgrade()?.running()).collect()
    }

    /// Waits until all sent packets and their answers have arrived. Returns whether there were any.
    async fn exchange(&self) -> bool {
        let number = {
            let mut members = lock(&self.members);
            members.pings += 1;
            members.pings
        };
        let mut said = false;
        for core in self.cores() {
            said |= core.with(|ecs| ping(ecs, number)).unwrap_or(false);
        }
        loop {
            let arrived: Vec<_> =
                self.cores().iter().filter_map(|core| core.with(|ecs| read(ecs, number)).ok()).collect();
            if arrived.iter().all(|arrived| arrived.whole) {
                return said || arrived.iter().any(|arrived| arrived.news);
            }
            // Relays may be on this thread.
            tokio::task::yield_now().await;
            std::thread::yield_now();
        }
    }

    /// Announces an update or tick to the users, and lets them react.
    async fn let_others_act(&self, tick: bool) {
        for core in self.cores() {
            core.publish(tick);
        }
        if tick {
            self.ticks.send_modify(|ticks| *ticks += 1);
        }
        for _ in 0..2 {
            tokio::task::yield_now().await;
        }
    }
}

/// The packets that have arrived since the last update.
struct Arrived {
    /// True if every answer to the ping, and so every earlier packet, has arrived.
    whole: bool,
    /// True if packets other than answers to pings have arrived.
    news: bool,
}

/// Sends a ping after all packets of the players. Returns whether any player is outside the game: it has lost its
/// connection or has not joined yet.
fn ping(ecs: &mut Ecs, number: u64) -> bool {
    let mut others = false;
    let mut players = ecs.query::<(Entity, &SharedState)>();
    let asked = players.iter(ecs).filter_map(|(player, shared)| {
        let mut state = shared.lock();
        let plays = state.stage == Stage::Playing;
        others |= !plays;
        plays.then(|| {
            state.asked = number;
            player
        })
    });
    for player in asked.collect::<Vec<_>>() {
        ecs.trigger(SendGamePacketEvent::new(player, ServerboundPingRequest { time: number }));
    }
    ecs.resource_mut::<SentPackets>().0 = 0;
    others
}

/// Reads the packets that have arrived since the last update. The next update handles them.
fn read(ecs: &mut Ecs, number: u64) -> Arrived {
    // This has no reason to fail: the ECS has all parameters of the system.
    let _ = ecs.run_system_cached(connection::receive);
    read_packets(ecs);
    let mut answered = Vec::new();
    let mut news = false;
    for event in ecs.resource::<Messages<ReceiveGamePacketEvent>>().iter_current_update_messages() {
        match event.packet.as_ref() {
            ClientboundGamePacket::PongResponse(pong) if pong.time == number => answered.push(event.entity),
            ClientboundGamePacket::PongResponse(_) => {}
            _ => news = true,
        }
    }
    let mut whole = true;
    for (player, shared, connection) in ecs.query::<(Entity, &SharedState, &Connection)>().iter(ecs) {
        news |= !connection.is_open();
        whole &= shared.lock().asked < number || answered.contains(&player) || !connection.is_open();
    }
    Arrived { whole, news }
}

/// Returns whether a player of this core has sent a packet since the last ping.
fn has_sent(core: &EngineCore) -> bool {
    core.with(|ecs| ecs.resource::<SentPackets>().0 > 0).unwrap_or(false)
}

/// Returns whether a player's connection is being made.
fn is_connecting(core: &EngineCore) -> bool {
    let connecting = |shared: &SharedState| matches!(shared.lock().stage, Stage::Connecting | Stage::Joining);
    core.with(|ecs| ecs.query::<&SharedState>().iter(ecs).any(connecting)).unwrap_or(false)
}
