//! Keep-alive packets: detects clients that no longer answer.

use std::time::{Duration, Instant};

use azalea_protocol::packets::game::ClientboundKeepAlive;

use super::outbox::Outbox;

/// The time between two keep-alive packets.
pub(super) const INTERVAL: Duration = Duration::from_secs(5);

/// The keep-alive state of one client.
#[derive(Debug)]
pub(super) struct KeepAlive {
    /// The time of the last packet.
    pub(super) sent: Instant,
    /// True if it has been answered.
    pub(super) answered: bool,
    /// Its id.
    pub(super) id: u64,
}

impl KeepAlive {
    pub(super) fn new(now: Instant) -> Self {
        Self { sent: now, answered: true, id: 0 }
    }

    /// Handles the client's answer.
    pub(super) fn answer(&mut self, id: u64) {
        self.answered |= id == self.id;
    }

    /// Sends the next packet when it is due. Returns `false` once an answer has been missing for `timeout`.
    pub(super) fn check(&mut self, now: Instant, timeout: Duration, outbox: &Outbox) -> bool {
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use azalea_protocol::packets::game::ServerboundKeepAlive;

    use super::INTERVAL;
    use crate::ServerOptions;
    use crate::test_harness::TestHarness;

    #[test]
    fn a_client_that_does_not_answer_is_disconnected() {
        let mut harness = TestHarness::new();
        let [lively, wrong, dead] = ["lively", "wrong", "dead"].map(|name| harness.join(name));
        let ticks = |time: Duration| (time.as_millis() / TestHarness::TICK.as_millis()) as u32;
        let timeout = ServerOptions::default().patience;
        let sent_at = ticks(INTERVAL);
        let mut answered = 0;
        for tick in 1..=4 * ticks(timeout) {
            harness.ticks(1);
            let in_time = tick < sent_at + ticks(timeout);
            let players = &harness.game.entities.players;
            assert_eq!(players.contains_key(&dead), in_time, "after {tick} ticks");
            assert_eq!(players.contains_key(&wrong), in_time, "after {tick} ticks");
            let keep_alive = &players[&lively].keep_alive;
            // Slightly before the time limit.
            let due = keep_alive.sent + timeout - 2 * TestHarness::TICK;
            if !keep_alive.answered && harness.game.now >= due {
                answered = keep_alive.id;
                harness.send(lively, ServerboundKeepAlive { id: answered });
            }
            harness.send(wrong, ServerboundKeepAlive { id: 0 });
        }
        assert_eq!(answered, 3);
    }
}
