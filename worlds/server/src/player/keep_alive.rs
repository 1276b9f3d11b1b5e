//! Keep-alive packets: detects clients that no longer answer.

use std::time::{Duration, Instant};

use azalea_protocol::packets::game::ClientboundKeepAlive;

use crate::outbox::Outbox;

/// The time between two keep-alive packets.
pub(crate) const INTERVAL: Duration = Duration::from_secs(5);

/// The keep-alive state of one client.
#[derive(Debug)]
pub(crate) struct KeepAlive {
    /// The time of the last packet.
    pub(crate) sent: Instant,
    /// True if it has been answered.
    pub(crate) answered: bool,
    /// Its id.
    pub(crate) id: u64,
}

impl KeepAlive {
    pub(crate) fn new(now: Instant) -> Self {
        Self { sent: now, answered: true, id: 0 }
    }

    /// Handles the client's answer.
    pub(crate) fn answer(&mut self, id: u64) {
        self.answered |= id == self.id;
    }

    /// Sends the next packet when it is due. Returns `false` once an answer has been missing for `timeout`.
    pub(crate) fn check(&mut self, now: Instant, timeout: Duration, outbox: &Outbox) -> bool {
        let since = now.saturating_duration_since(self.sent);
        if self.answered && since >= INTERVAL.min(timeout / 2) {
            self.id += 1;
            self.sent = now;
            self.answered = false;
            outbox.send(ClientboundKeepAlive { id: self.id });
        }
        self.answered || since < timeout
    }
}
