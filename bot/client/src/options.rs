//! How to join a server and play on it.

use std::time::Duration;

use ltlcrit_minecraft::Sight;
use ltlcrit_minecraft::options::Limits;

use super::account::Account;
use super::chat::Operators;

/// How to join a server and play on it.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// Where the server is: `HOST` or `HOST:PORT`.
    pub address: String,
    /// Who joins.
    pub account: Account,
    /// How far the server is asked to show the world, in chunks. Sight needs three; less than five makes long ways hard
    /// to find.
    pub view_distance: u8,
    /// Which blocks within 32 blocks are shown.
    pub sight: Sight,
    /// What the player's own choices are drawn from.
    pub seed: u64,
    /// How far primitives go before they give up.
    pub limits: Limits,
    /// Who may give commands in chat.
    pub operators: Operators,
    /// How long each part of joining may take.
    pub patience: Duration,
    /// How a lost connection is made again.
    pub reconnect: Reconnect,
    /// How many times as fast as the game's the client's clock runs. For servers of our own whose clock runs as fast.
    pub speed: f64,
}

impl ClientOptions {
    /// The usual options, for a server at this address.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            account: Account::default(),
            view_distance: 6,
            sight: Sight::default(),
            seed: 0,
            limits: Limits::default(),
            operators: Operators::default(),
            patience: Duration::from_secs(30),
            reconnect: Reconnect::default(),
            speed: 1.0,
        }
    }
}

/// How a lost connection is made again: after a pause that doubles from `first` to at most `longest`, `attempts` times in
/// all until a connection [lasts](Self::lasting).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reconnect {
    /// How often it is tried; 0 for never.
    pub attempts: u32,
    /// The pause before the first attempt.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self { attempts: 8, first: Duration::from_millis(500), longest: Duration::from_secs(15) }
    }
}

impl Reconnect {
    /// How long a connection must last for all attempts to be free again: longer than two clients of one name, who throw
    /// each other out, leave one another alone.
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
        assert_eq!(seconds, [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]);
        let many = Reconnect { attempts: 100, ..Reconnect::default() };
        assert_eq!(many.pauses().last(), Some(Duration::from_secs(15)));
        assert_eq!(Reconnect { attempts: 0, ..Reconnect::default() }.pauses().count(), 0);
    }
}
