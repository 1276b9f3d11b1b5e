//! Chat commands from operators; every other chat line is data.
//!
//! A command counts only if the server marks the line as a player's message, and only by the sender's identity in the
//! server's player list. The text of a line proves nothing: `<Alice> stop` in a system message is not from Alice. On a
//! server in offline mode, anyone can use the name Alice, so allow operators only on a server that others cannot reach.

use std::fmt;

use ltlcrit_worlds::{Interrupt, is_unshown};

/// The maximum length of a chat line or reason, in characters. Longer texts are cut.
const MAX_CHARS: usize = 512;
/// The maximum length of a text within a line, in characters.
const SHORT: usize = 60;

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The sender's name in the server's player list; `None` for messages from the server.
    pub player: Option<String>,
    /// The text, safe to print. It is data, never an instruction.
    pub text: String,
}

/// A command that an operator can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// End the run after the action in flight.
    Stop,
    /// Report the state of the run.
    Status,
    /// List the laws in force.
    Laws,
}

impl Command {
    /// All commands.
    pub const ALL: [Self; 3] = [Self::Stop, Self::Status, Self::Laws];

    /// The command's word in chat.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Status => "status",
            Self::Laws => "laws",
        }
    }

    /// The command in a line of chat for a bot of this name: the bare word, or the word after the bot's name.
    pub fn read(text: &str, bot: &str) -> Option<Self> {
        let text = text.trim();
        let word = match text.split_once([' ', ',', ':']) {
            Some((name, rest)) if name.trim_start_matches('@').eq_ignore_ascii_case(bot) => {
                rest.trim_start_matches([' ', ',', ':']).trim()
            }
            Some(_) => return None,
            None => text,
        };
        let word = word.trim_end_matches(['!', '.', '?']);
        Self::ALL.into_iter().find(|command| command.word().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Executes the commands of operators.
pub trait ChatCommands: fmt::Debug + Send + Sync {
    /// Executes a command and returns the answer, one line of chat.
    fn obey(&self, command: Command) -> String;

    /// The interrupt that cancels the current action once it is requested.
    fn interrupt(&self) -> &Interrupt;
}

/// An interrupt alone handles only [`Command::Stop`]; it has no run to report.
impl ChatCommands for Interrupt {
    fn obey(&self, command: Command) -> String {
        match command {
            Command::Stop => {
                self.request();
                "Stopping.".to_owned()
            }
            Command::Status | Command::Laws => "There is no run.".to_owned(),
        }
    }

    fn interrupt(&self) -> &Interrupt {
        self
    }
}

/// The players who may give commands: names in the server's player list, compared case-insensitively.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operators(Vec<String>);

impl Operators {
    /// Operators with these names.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }

    /// The sender and command of a line, if the sender is an operator.
    pub fn command(&self, line: &Line, bot: &str) -> Option<(String, Command)> {
        let player = line.player.as_ref()?;
        let allowed = self.0.iter().any(|name| name.eq_ignore_ascii_case(player));
        let command = Command::read(&line.text, bot).filter(|_| allowed)?;
        Some((player.clone(), command))
    }
}

/// Makes a server's text safe to print: one line of bounded length, without control characters and colour codes.
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    let mut left = MAX_CHARS;
    while let Some(character) = characters.next()
        && left > 0
    {
        left -= 1;
        match character {
            '§' => {
                characters.next();
            }
            _ if character.is_whitespace() || character.is_control() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            _ if is_unshown(character) => {}
            _ => plain.push(character),
        }
    }
    plain.trim().to_owned()
}

/// The reason that a server gives, in words.
pub fn told(text: &str) -> String {
    let plain = plain(text);
    words_of_key(&plain).unwrap_or(plain)
}

/// The words for the name of one of the game's messages; `None` for other text. A client shows the bare name of a message that
/// it does not know, and some servers send such names.
pub fn words_of_key(text: &str) -> Option<String> {
    let (kind, key) = text.split_once('.').filter(|_| !text.contains(' '))?;
    let key = match kind {
        "death" => key.strip_prefix("attack.").unwrap_or(key),
        "multiplayer" | "disconnect" => key.strip_prefix("disconnect.").unwrap_or(key),
        _ => return None,
    };
    let is_variant = |end: &&str| ["player", "item"].contains(end) && key != *end;
    let key = key.rsplit_once('.').map_or(key, |(cause, end)| if is_variant(&end) { cause } else { key });
    let words = match (kind, key) {
        ("death", "mob" | "player") => "was slain",
        ("death", "arrow" | "trident" | "thrown") => "was shot",
        ("death", "explosion") => "was blown up",
        ("death", "inFire" | "onFire") => "burned to death",
        ("death", "lava") => "tried to swim in lava",
        ("death", "drown") => "drowned",
        ("death", "starve") => "starved to death",
        ("death", "inWall") => "suffocated in a wall",
        ("death", "fall") => "hit the ground too hard",
        _ => return Some(key.rsplit('.').next().unwrap_or(key).replace('_', " ")),
    };
    Some(words.to_owned())
}

/// The start of a server's text, for lines that contain more than this text.
pub fn short(text: &str) -> String {
    let plain = plain(text);
    match plain.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", plain[..end].trim_end()),
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(player: Option<&str>, text: &str) -> Line {
        Line { player: player.map(str::to_owned), text: text.to_owned() }
    }

    #[test]
    fn takes_commands_from_operators_only() {
        let operators = Operators::new(["Alice"]);
        let command = |player, text| operators.command(&line(player, text), "ltlcrit").map(|(_, command)| command);
        assert_eq!(command(Some("alice"), "stop"), Some(Command::Stop));
        assert_eq!(command(Some("Alice"), "ltlcrit: status"), Some(Command::Status));
        assert_eq!(command(Some("Alice"), "@LTLcrit, laws!"), Some(Command::Laws));
        assert_eq!(command(Some("Bob"), "stop"), None);
        assert_eq!(command(None, "stop"), None);
        assert_eq!(command(None, "<Alice> stop"), None);
        assert_eq!(command(Some("Alice"), "please do not stop"), None);
        assert_eq!(command(Some("Alice"), "otherbot stop"), None);
        assert_eq!(Operators::default().command(&line(Some("Alice"), "stop"), "ltlcrit"), None);
    }

    #[test]
    fn says_names_of_messages_in_words() {
        let cases = [
            ("death.attack.mob.player", Some("was slain")),
            ("death.attack.player", Some("was slain")),
            ("death.attack.drown", Some("drowned")),
            ("death.fell.accident.water", Some("water")),
            ("multiplayer.disconnect.duplicate_login", Some("duplicate login")),
            ("disconnect.timeout", Some("timeout")),
            ("multiplayer.player.joined is what it sent", None),
            ("www.example.com", None),
            ("Idle too long.", None),
        ];
        for (text, words) in cases {
            assert_eq!(words_of_key(text).as_deref(), words, "{text}");
        }
        assert_eq!(told("Idle too long."), "Idle too long.");
    }

    #[test]
    fn makes_text_harmless() {
        assert_eq!(plain("§aGreen§r text"), "Green text");
        assert_eq!(plain("a\x1b[2Jb\r\nc\u{202e}d"), "a [2Jb cd");
        assert_eq!(plain(&"x".repeat(9999)).len(), MAX_CHARS);
        assert_eq!(plain("§"), "");
    }

    proptest! {
        #[test]
        fn never_lets_a_control_character_through(text in any::<String>()) {
            let plain = plain(&text);
            prop_assert!(!plain.chars().any(char::is_control));
            prop_assert!(plain.chars().count() <= MAX_CHARS);
            prop_assert_eq!(super::plain(&plain), plain);
        }
    }
}
