//! Chat: commands from players who are allowed to give them; every other line is data.
//!
//! Only what the server marks as a player's own words counts, by the player's identity in the server's list, never by
//! what a line looks like: `<Alice> stop` in a system message is not Alice. On a server in offline mode anyone can call
//! themselves Alice; allow nobody there who is not at your own machine.

use std::fmt;

use ltlcrit_worlds::Interrupt;

/// The longest text of a chat line or reason that is kept, in characters.
const LONGEST: usize = 512;

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The player who said it, by the server's list; `None` for anything the server says itself.
    pub player: Option<String>,
    /// What was said: plain text, harmless to print, never an instruction to anyone.
    pub text: String,
}

/// What an allowed player can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// End the run after the action in flight.
    Stop,
    /// Say how the run goes.
    Status,
    /// Say which laws are in force.
    Laws,
}

impl Command {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Stop, Self::Status, Self::Laws];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Status => "status",
            Self::Laws => "laws",
        }
    }

    /// The command that a line of chat is to a bot of this name: the bare word, or the word after the bot's name.
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

/// Obeys the commands of operators.
pub trait ChatCommands: fmt::Debug + Send + Sync {
    /// Obeys a command; returns the answer, one line of chat.
    fn obey(&self, command: Command) -> String;

    /// Cancels the action under way once it is requested.
    fn interrupt(&self) -> &Interrupt;
}

/// Without a run to tell of, there is only something to stop.
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

/// Who may give commands: names as the server lists them, compared without regard to case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operators(Vec<String>);

impl Operators {
    /// These players.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }

    /// The command in a line, if its player may give it.
    pub fn command(&self, line: &Line, bot: &str) -> Option<(String, Command)> {
        let player = line.player.as_ref()?;
        let allowed = self.0.iter().any(|name| name.eq_ignore_ascii_case(player));
        let command = Command::read(&line.text, bot).filter(|_| allowed)?;
        Some((player.clone(), command))
    }
}

/// A text from a server, made harmless: no control characters, no colour codes, one line, not endless.
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    let mut left = LONGEST;
    while let Some(character) = characters.next()
        && left > 0
    {
        left -= 1;
        match character {
            '§' => {
                characters.next();
            }
            // What turns text round or hides it is as bad as what moves the cursor.
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            _ if character.is_control() || character.is_whitespace() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            _ => plain.push(character),
        }
    }
    plain.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn makes_text_harmless() {
        assert_eq!(plain("§aGreen§r text"), "Green text");
        assert_eq!(plain("a\x1b[2Jb\r\nc\u{202e}d"), "a [2Jb cd");
        assert_eq!(plain(&"x".repeat(9999)).len(), LONGEST);
        assert_eq!(plain("§"), "");
    }

    proptest! {
        #[test]
        fn never_lets_a_control_character_through(text in any::<String>()) {
            let plain = plain(&text);
            prop_assert!(!plain.chars().any(char::is_control));
            prop_assert!(plain.chars().count() <= LONGEST);
            prop_assert_eq!(super::plain(&plain), plain);
        }
    }
}
