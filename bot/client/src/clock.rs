//! The engine's clock: the wall clock, or one that is advanced tick by tick.

use std::time::{Duration, Instant};

/// The duration of a game tick at speed 1.
pub(super) const TICK: Duration = Duration::from_millis(50);

/// The source of an engine's time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clock {
    /// The wall clock since the engine was first started; a game tick is due once in this time.
    Wall {
        /// The start.
        since: Instant,
        /// The time between two game ticks.
        tick: Duration,
    },
    /// The number of game ticks run so far, [`TICK`] each, advanced by the caller.
    #[cfg_attr(not(feature = "test-support"), expect(dead_code, reason = "only tests step a clock"))]
    Stepped,
}

impl Clock {
    /// The time since the engine was first started, after this many game ticks.
    pub fn now(self, ticks: u64) -> Duration {
        match self {
            Self::Wall { since, .. } => since.elapsed(),
            Self::Stepped => TICK.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX)),
        }
    }

    /// Returns whether it is advanced tick by tick.
    pub fn is_stepped(self) -> bool {
        matches!(self, Self::Stepped)
    }
}
