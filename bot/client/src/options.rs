//! The options of a client.

use std::time::Duration;

use ltlcrit_minecraft::Sight;
use ltlcrit_minecraft::options::Limits;

use super::account::Account;

/// The options of a client.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// The address of the server: `HOST` or `HOST:PORT`.
    pub address: String,
    /// The account for joining.
    pub account: Account,
    /// The view distance to request, in chunks. Sight needs three; with fewer than five, long paths are hard to find.
    pub view_distance: u8,
    /// The blocks within 32 blocks that observations include.
    pub sight: Sight,
    /// The seed of the player's random choices.
    pub seed: u64,
    /// The limits at which primitives give up.
    pub limits: Limits,
    /// The time limit for each part of joining.
    pub patience: Duration,
    /// The policy for joining again after a lost connection.
    pub reconnect: Reconnect,
    /// The speed of the client's clock, as a multiple of the game's. A value other than 1 is only for servers of the
    /// same speed.
    pub speed: f64,
}

impl ClientOptions {
    /// The default options for a server at this address.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            account: Account::default(),
            view_distance: 6,
            sight: Sight::default(),
            seed: 0,
            limits: Limits::default(),
            patience: Duration::from_secs(30),
            reconnect: Reconnect::default(),
            speed: 1.0,
        }
    }
}

/// The policy for joining again after a lost connection: up to `attempts` times, until a connection
/// [lasts](Self::lasting), with pauses that double from `first` up to `longest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reconnect {
    /// The number of attempts; 0 for never. The default attempts take nine minutes, so an outage of some minutes passes.
    pub attempts: u32,
    /// The pause before the first attempt.
    pub first: Duration,
    /// The maximum pause.
    pub longest: Duration,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self { attempts: 40, first: Duration::from_millis(500), longest: Duration::from_secs(15) }
    }
}

impl Reconnect {
    /// The time that a connection must last before the attempts are counted from 0 again.
    pub fn lasting(self) -> Duration {
        self.longest.saturating_mul(4)
    }

    /// The pauses before each attempt.
    pub fn pauses(self) -> impl Iterator<Item = Duration> {
        (0..self.attempts).map(move |attempt| {
            let doubled = 2u32.checked_pow(attempt).and_then(|factor| self.first.checked_mul(factor));
            doubled.map_or(self.longest, |pause| pause.min(self.longest))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backs_off_to_a_limit() {
        let seconds: Vec<_> = Reconnect::default().pauses().map(|pause| pause.as_secs_f64()).collect();
        assert_eq!(seconds[..8], [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]);
        assert_eq!(seconds.iter().sum::<f64>(), 540.5);
        let many = Reconnect { attempts: 100, ..Reconnect::default() };
        assert_eq!(many.pauses().last(), Some(Duration::from_secs(15)));
        assert_eq!(Reconnect { attempts: 0, ..Reconnect::default() }.pauses().count(), 0);
    }
}
