//! The state of one player: written by the engine as packets arrive, read by the player's actions.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use azalea::core::position::{BlockPos, ChunkPos};
use azalea::ecs::component::Component;

use super::engine_core::lock;
use super::stance::Stance;
use super::synced_windows::SyncedWindows;

/// The maximum number of changed blocks, and of changed chunks, to list. Beyond it, everything counts as changed.
const MAX_CHANGES: usize = 4096;

/// The stage of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Not connected yet.
    #[default]
    Connecting,
    /// Connected, but the server has not let the player into the world yet.
    Joining,
    /// In the world.
    Playing,
    /// The connection has ended.
    Lost(DisconnectReason),
}

/// The reason that a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DisconnectReason {
    /// The server disconnected the player for this reason.
    Kicked(String),
    /// The client ended it because of this behaviour of the server.
    Misbehaved(String),
    /// The account could not be authenticated.
    NotAuthenticated(String),
    /// The connection broke without a reason.
    Closed,
}

impl DisconnectReason {
    /// Returns whether the server ended it because another client logged in under the same name. The protocol has no
    /// code for it, so this compares with the game server's text, the name of its message, and our own server's text.
    pub(crate) fn is_second_login(&self) -> bool {
        let Self::Kicked(why) = self else { return false };
        let why = why.to_lowercase().replace('_', " ");
        ["logged in from another", "duplicate login"].iter().any(|words| why.contains(words))
    }
}

impl fmt::Display for DisconnectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kicked(why) => write!(f, "the server closed the connection: {why}"),
            Self::Misbehaved(what) => write!(f, "the server misbehaves: {what}"),
            Self::NotAuthenticated(why) => write!(f, "the account could not be authenticated: {why}"),
            Self::Closed => write!(f, "the connection broke off"),
        }
    }
}

/// Blocks that may have changed since they were last read.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// True if all blocks may have changed.
    pub all: bool,
    /// Single blocks.
    pub blocks: Vec<BlockPos>,
    /// Chunks that were loaded or unloaded.
    pub chunks: Vec<ChunkPos>,
}

impl Changes {
    fn add(&mut self, more: Self) {
        self.all |= more.all;
        for chunk in more.chunks {
            self.push_chunk(chunk);
        }
        for pos in more.blocks {
            self.push(pos);
        }
    }

    fn push(&mut self, pos: BlockPos) {
        if self.blocks.len() < MAX_CHANGES { self.blocks.push(pos) } else { self.all = true }
    }

    fn push_chunk(&mut self, pos: ChunkPos) {
        if self.chunks.len() < MAX_CHANGES { self.chunks.push(pos) } else { self.all = true }
    }

    /// Returns whether any block may have changed.
    pub fn any(&self) -> bool {
        self.all || !self.blocks.is_empty() || !self.chunks.is_empty()
    }
}

/// The server's time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// The age of its world, in ticks.
    pub age: u64,
    /// The number of times that the server has sent it since the player joined.
    pub told: u64,
}

/// Full air, in ticks.
pub(super) const FULL_AIR: i32 = 300;
/// The age of the server's last air value, in ticks, after which the client counts the air itself. Most servers send
/// every change at once.
const AIR_STALE_AFTER: u32 = 40;

/// The state of one player.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// The stage of the connection.
    pub stage: Stage,
    /// The engine's time when the connection ended.
    pub ended: Option<Duration>,
    /// The number of packets received.
    pub packets: u64,
    /// The server's brand.
    pub brand: Option<String>,
    /// True if the server asked an offline account to authenticate.
    pub asked_for_proof: bool,
    /// True if the server waits for the player to accept its code of conduct.
    pub conduct: bool,
    /// True if the server has sent the player's position since it joined or respawned.
    pub placed: bool,
    /// The number of times that the server corrected the player's position.
    pub corrections: u64,
    /// Health in half hearts; `None` until the server has sent it.
    pub health: Option<f32>,
    /// Hunger in half drumsticks.
    pub food: u32,
    /// Ticks of air left: the server's value, or the client's own count.
    pub air: i32,
    /// Ticks since the server's last air value.
    pub air_age: u32,
    /// The kind of the last damage, as a number of the server's registry, until an outcome tells it.
    pub hurt: Option<u32>,
    /// The cause of the last death.
    pub death: Option<String>,
    /// The number of deaths.
    pub deaths: u64,
    /// Inventory, cursor and open window.
    pub windows: SyncedWindows,
    /// Blocks that may have changed.
    pub changes: Changes,
    /// Blocks that azalea changes later in this update.
    pub pending_changes: Changes,
    /// The newest block request that the server has acknowledged.
    pub acknowledged: u32,
    /// The number of the newest ping sent.
    #[cfg(feature = "test-support")]
    pub asked: u64,
    /// The server's time, once it has been sent.
    pub time: Option<Time>,
    /// The position and motion of the body after the last update, so that they can be read while the engine works.
    /// `None` if only the ECS has them.
    pub stance: Option<Stance>,
    /// The selected hotbar slot after the last update, for the same purpose.
    pub held: Option<u8>,
    /// True if the body may have controls that must be released.
    pub busy: bool,
}

/// The state of a player, shared with its actions.
#[derive(Clone, Component, Default)]
pub(super) struct SharedState(Arc<Mutex<State>>);

impl SharedState {
    pub fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }
}

impl State {
    /// Records a changed block.
    pub fn changed(&mut self, pos: BlockPos) {
        self.pending_changes.push(pos);
    }

    /// Records a chunk that was loaded or unloaded.
    pub(crate) fn changed_chunk(&mut self, pos: ChunkPos) {
        self.pending_changes.push_chunk(pos);
    }

    /// Makes pending changes visible to readers.
    pub fn publish_changes(&mut self) {
        if self.pending_changes.any() {
            let pending = std::mem::take(&mut self.pending_changes);
            self.changes.add(pending);
        }
    }

    /// Counts the air for one tick; `under_water` is true if the head is under water.
    pub fn breathe(&mut self, under_water: bool) {
        self.air_age = self.air_age.saturating_add(1);
        if self.air_age > AIR_STALE_AFTER {
            self.air = if under_water { (self.air - 1).max(0) } else { (self.air + 4).min(FULL_AIR) };
        }
    }

    /// Returns whether the player can act: it is in the world and alive, and its position and inventory are known.
    pub(crate) fn can_act(&self) -> bool {
        self.stage == Stage::Playing
            && self.placed
            && self.windows.is_known()
            && self.health.is_some_and(|health| health > 0.0)
    }

    /// Resets the state for a new connection. Deaths remain.
    pub fn begin(&mut self) {
        let deaths = self.deaths;
        let mut windows = std::mem::take(&mut self.windows);
        windows.forget();
        *self = Self { deaths, windows, air: FULL_AIR, food: 20, busy: true, ..Self::default() };
        self.changes.all = true;
    }

    /// Records the end of a connection. Only the first reason and its time are kept.
    pub fn lost(&mut self, reason: DisconnectReason, now: Duration) {
        if !matches!(self.stage, Stage::Lost(_)) {
            self.stage = Stage::Lost(reason);
            self.ended = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_a_second_login() {
        let told = |why: &str| DisconnectReason::Kicked(why.to_owned()).is_second_login();
        assert!(told("You logged in from another place.") && told("You logged in from another location"));
        assert!(told("multiplayer.disconnect.duplicate_login") && !told("You are not white-listed."));
        assert!(!DisconnectReason::Closed.is_second_login());
    }

    /// Some servers never send the air; most send every change.
    #[test]
    fn counts_breath_that_is_not_told() {
        let mut silent = State { air: FULL_AIR, ..State::default() };
        (0..AIR_STALE_AFTER + 100).for_each(|_| silent.breathe(true));
        assert_eq!(silent.air, FULL_AIR - 100);
        (0..20).for_each(|_| silent.breathe(false));
        assert_eq!(silent.air, FULL_AIR - 20);
        (0..20).for_each(|_| silent.breathe(false));
        assert_eq!(silent.air, FULL_AIR);
        let mut told = State { air: FULL_AIR, ..State::default() };
        for air in (100..FULL_AIR).rev() {
            (told.air, told.air_age) = (air, 0);
            told.breathe(true);
            assert_eq!(told.air, air);
        }
    }
}
