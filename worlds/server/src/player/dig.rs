//! The block a player is digging.

use std::time::Instant;

use ltlcrit_minecraft::observation::BlockPos;

/// A block being dug, and since when.
#[derive(Clone, Debug)]
pub(crate) struct Dig {
    pub(crate) pos: BlockPos,
    /// The server's tick when it began.
    pub(crate) tick: u64,
    pub(crate) began: Instant,
    /// Whether the client has said that the block is broken.
    pub(crate) claimed: bool,
    /// The progress last shown to other players, in tenths.
    pub(crate) shown: Option<u8>,
}

impl Dig {
    /// The share of the block's `ticks` that has passed. Clients count their own ticks, so a late server tick must not
    /// hold them up: the larger of both counts is used.
    pub(crate) fn share(&self, ticks: u32, tick: u64, now: Instant, ticks_per_second: f64) -> f64 {
        let server = (tick - self.tick) as f64;
        let client = now.saturating_duration_since(self.began).as_secs_f64() * ticks_per_second;
        server.max(client) / f64::from(ticks)
    }
}
