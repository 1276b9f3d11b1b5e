//! Chat.

use super::packets;
use super::realm::Realm;

/// How many lines a player may say at once.
const BREATH: f64 = 20.0;
/// How many it may say in a second in the long run.
const LINES: f64 = 2.0;

/// How much a player may still say.
#[derive(Debug)]
pub(super) struct Voice {
    left: f64,
    at: std::time::Instant,
}

impl Voice {
    pub(super) fn new(now: std::time::Instant) -> Self {
        Self { left: BREATH, at: now }
    }

    /// One line more; `false` if that is too many.
    fn spend(&mut self, now: std::time::Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * LINES).min(BREATH) - 1.0;
        self.at = now;
        self.left >= 0.0
    }
}

impl Realm {
    /// A player says a line.
    pub(super) fn say(&mut self, id: i32, line: &str) {
        let now = self.now;
        let Some(player) = self.players.get_mut(&id) else { return };
        if !player.voice.spend(now) {
            self.kick(id, "You talk too much.");
            return;
        }
        // What a keyboard does not write is left out: control characters, and the sign that colours text.
        let line: String = line.chars().filter(|sign| !sign.is_control() && *sign != '§').collect();
        let line = line.trim();
        if !line.is_empty() {
            let line = format!("<{}> {line}", player.name);
            self.tell_all(packets::notice(line));
        }
    }

    /// A player gives a command. There are none.
    pub(super) fn command(&mut self, id: i32, command: &str) {
        let now = self.now;
        let Some(player) = self.players.get_mut(&id) else { return };
        if !player.voice.spend(now) {
            self.kick(id, "You talk too much.");
            return;
        }
        let name: String = command.chars().take_while(|sign| sign.is_alphanumeric()).take(32).collect();
        player.tell(packets::notice(format!("There is no command /{name} here.")));
    }
}
