//! The state of a player's movement, against which the server checks the next move.

use std::time::Instant;

/// The maximum horizontal speed of a body, in blocks per second at 20 ticks per second. Sprinting and jumping reaches
/// seven.
const SPEED: f64 = 10.0;

/// The movement state of one player.
#[derive(Debug)]
pub(crate) struct MovementState {
    /// The teleport that the client has not confirmed yet: its number, and the time of the last packet.
    pub(crate) unconfirmed: Option<(u32, Instant)>,
    pub(crate) last_number: u32,
    /// The maximum horizontal speed, in blocks per second; higher on a server that runs faster.
    speed: f64,
    /// The distance that it may move horizontally now, in blocks; refilled as time passes.
    pub(crate) allowance: f64,
    allowed_at: Instant,
    /// The height at which it last stood or swam.
    pub(crate) footing: f64,
    /// The number of movement packets since then.
    pub(crate) in_the_air: u32,
    /// The maximum height since then.
    pub(crate) highest: f64,
    /// The time at which it last fell or stood.
    pub(crate) rested: Instant,
}

impl MovementState {
    pub(crate) fn new(now: Instant, ticks_per_second: u32) -> Self {
        // Clients do not slow down with the server.
        let speed = SPEED * f64::from(ticks_per_second.max(20)) / 20.0;
        Self {
            unconfirmed: None,
            last_number: 0,
            speed,
            allowance: speed,
            allowed_at: now,
            footing: 0.0,
            in_the_air: 0,
            highest: f64::NEG_INFINITY,
            rested: now,
        }
    }

    /// Handles the client's confirmation of a teleport.
    pub(crate) fn confirm(&mut self, number: u32) {
        if self.unconfirmed.is_some_and(|(awaited, _)| awaited == number) {
            self.unconfirmed = None;
        }
    }

    /// Refills the allowance for the time that has passed.
    pub(crate) fn refill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.allowed_at).as_secs_f64();
        self.allowance = (self.allowance + passed * self.speed).min(self.speed);
        self.allowed_at = now;
    }

    /// Resets the state: the body stands at this height.
    pub(crate) fn reset(&mut self, height: f64, now: Instant) {
        self.stand(height, now);
        self.allowance = self.speed;
    }

    /// Records that the body stands or swims at this height.
    pub(crate) fn stand(&mut self, height: f64, now: Instant) {
        self.footing = height;
        self.highest = height;
        self.in_the_air = 0;
        self.rested = now;
    }
}
