//! What is known of one player: written by the engine as packets come in, read by the player's verbs.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use azalea::core::position::{BlockPos, ChunkPos};

use super::chat::Line;
use super::stance::Stance;
use super::synced_windows::SyncedWindows;

/// How many chat lines are kept for whoever reads them.
const MOST_LINES: usize = 64;
/// How many changed blocks are listed before the list says "anything".
const MOST_CHANGES: usize = 4096;

/// How far a connection has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// No connection, or one that is being made.
    #[default]
    Connecting,
    /// Connected; the server has not let the player into the world yet.
    Joining,
    /// In the world.
    Playing,
    /// The connection is gone, or could not be made.
    Lost(DisconnectReason),
}

/// How a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DisconnectReason {
    /// It could not be made.
    Unreachable(String),
    /// The server said why.
    Kicked(String),
    /// It broke off.
    Broken,
}

impl DisconnectReason {
    /// Whether the server ended it because another client logged in under the same name. There is no code for it in the
    /// protocol: these are the words of the game's server, the name of its message, and our own server's words.
    pub fn is_second_login(&self) -> bool {
        let Self::Kicked(why) = self else { return false };
        let why = why.to_lowercase();
        ["logged in from another", "duplicate_login"].iter().any(|words| why.contains(words))
    }
}

impl fmt::Display for DisconnectReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "the server cannot be reached: {why}"),
            Self::Kicked(why) => write!(f, "the server closed the connection: {why}"),
            Self::Broken => write!(f, "the connection broke off"),
        }
    }
}

/// Blocks that may have changed since they were last asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// Everything is to be looked at anew.
    pub all: bool,
    /// Single blocks.
    pub blocks: Vec<BlockPos>,
    /// Whole chunks that came or went.
    pub chunks: Vec<ChunkPos>,
}

impl Changes {
    fn add(&mut self, more: Self) {
        self.all |= more.all;
        self.chunks.extend(more.chunks);
        for pos in more.blocks {
            self.push(pos);
        }
    }

    fn push(&mut self, pos: BlockPos) {
        if self.blocks.len() < MOST_CHANGES { self.blocks.push(pos) } else { self.all = true }
    }

    /// Whether there is anything to look at anew.
    pub fn any(&self) -> bool {
        self.all || !self.blocks.is_empty() || !self.chunks.is_empty()
    }
}

/// What a server has said of its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// The age of its world, in ticks.
    pub age: u64,
    /// How often it has told it since the player joined.
    pub told: u64,
}

/// All the breath there is, in ticks.
pub(super) const FULL_AIR: i32 = 300;
/// How long after the server's last word on breath it is counted here, in ticks: most tell of every change at once.
const AIR_STALE_AFTER: u32 = 40;

/// What is known of one player.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// How far the connection has come.
    pub stage: Stage,
    /// The time of the engine's clock when the connection ended.
    pub ended: Option<Duration>,
    /// How many packets have come.
    pub packets: u64,
    /// What the server calls itself.
    pub brand: Option<String>,
    /// Whether the server asked an offline account to prove who it is.
    pub asked_for_proof: bool,
    /// Whether the server waits for its code of conduct to be accepted.
    pub conduct: bool,
    /// Whether the server has said where the player is, since it joined or respawned.
    pub placed: bool,
    /// How often the server moved the player to where it did not expect to be.
    pub corrections: u64,
    /// Half hearts; `None` until the server has told.
    pub health: Option<f32>,
    /// Half drumsticks.
    pub food: u32,
    /// Ticks of breath left: as the server tells, or counted where it does not.
    pub air: i32,
    /// Ticks since it told last.
    pub air_age: u32,
    /// What the player died of last.
    pub death: Option<String>,
    /// How often it died.
    pub deaths: u64,
    /// Items.
    pub windows: SyncedWindows,
    /// Blocks that may have changed.
    pub changes: Changes,
    /// Blocks that are about to change in this update.
    pub pending_changes: Changes,
    /// The newest request about a block that the server has dealt with.
    pub acknowledged: u32,
    /// The number of the newest ping sent.
    pub asked: u64,
    /// Chat lines nobody has read yet.
    pub chat: VecDeque<Line>,
    /// What the server has said of its time.
    pub time: Option<Time>,
    /// Where the body is and the hotbar slot that is held, as the last update left them: to be looked at while the engine
    /// is at work. `None` if only the engine knows.
    pub stance: Option<Stance>,
    pub held: Option<u8>,
    /// Whether the body may have been told to do something that it has not been told to let go of.
    pub busy: bool,
}

impl State {
    /// Notes a changed block.
    pub fn changed(&mut self, pos: BlockPos) {
        self.pending_changes.push(pos);
    }

    /// What was about to change has changed.
    pub fn publish_changes(&mut self) {
        if self.pending_changes.any() {
            let pending = std::mem::take(&mut self.pending_changes);
            self.changes.add(pending);
        }
    }

    /// A tick passes, with the head under water or not.
    pub fn breathe(&mut self, under_water: bool) {
        self.air_age = self.air_age.saturating_add(1);
        if self.air_age > AIR_STALE_AFTER {
            self.air = if under_water { (self.air - 1).max(0) } else { (self.air + 4).min(FULL_AIR) };
        }
    }

    /// Notes a chat line; the oldest are forgotten when nobody reads them.
    pub fn said(&mut self, line: Line) {
        if self.chat.len() == MOST_LINES {
            self.chat.pop_front();
        }
        self.chat.push_back(line);
    }

    /// Whether the player can act: in the world, told where it is, what it carries and that it lives.
    pub fn can_act(&self) -> bool {
        self.stage == Stage::Playing
            && self.placed
            && self.windows.is_known()
            && self.health.is_some_and(|health| health > 0.0)
    }

    /// A connection begins: what was known from the last one is forgotten.
    pub fn begin(&mut self) {
        let (deaths, chat) = (self.deaths, std::mem::take(&mut self.chat));
        let mut windows = std::mem::take(&mut self.windows);
        windows.forget();
        *self = Self { deaths, chat, windows, air: FULL_AIR, food: 20, busy: true, ..Self::default() };
        self.changes.all = true;
    }

    /// A connection ends; the first reason given stays, and its time.
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
        assert!(!DisconnectReason::Broken.is_second_login());
    }

    /// Some servers never tell of breath, most at every change.
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
