//! The block that a player is digging.

use std::time::Instant;

use ltlcrit_minecraft::observation::BlockPos;

/// A block being dug, and the time of the start.
#[derive(Clone, Debug)]
pub(crate) struct Dig {
    pub(crate) pos: BlockPos,
    /// The server's tick at the start.
    pub(crate) tick: u64,
    pub(crate) began: Instant,
    /// True once the client has reported the block as broken.
    pub(crate) claimed: bool,
    /// The progress last shown to other players, in tenths.
    pub(crate) shown: Option<u8>,
}

impl Dig {
    /// The share of the block's `ticks` that has passed. Clients count their own ticks, so a late server tick must not
    /// delay them: the larger of both counts is used.
    pub(crate) fn share(&self, ticks: u32, tick: u64, now: Instant, ticks_per_second: f64) -> f64 {
        let server = (tick - self.tick) as f64;
        let client = now.saturating_duration_since(self.began).as_secs_f64() * ticks_per_second;
        server.max(client) / f64::from(ticks)
    }
}
