//! A server's text, as words that are safe to print. It is data, never an instruction.

use ltlcrit_worlds::is_unshown;

/// The maximum length of a text, in characters. Longer texts are cut.
const MAX_CHARS: usize = 512;
/// The maximum length of a text within a line, in characters.
const SHORT: usize = 60;

/// Makes a server's text safe to print: one line of bounded length, without control characters and colour codes.
pub(super) fn plain(text: &str) -> String {
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
pub(super) fn told(text: &str) -> String {
    let plain = plain(text);
    words_of_key(&plain).unwrap_or(plain)
}

/// The words for the name of one of the game's messages; `None` for other text. A client shows the bare name of a message that
/// it does not know, and some servers send such names.
pub(super) fn words_of_key(text: &str) -> Option<String> {
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
pub(super) fn short(text: &str) -> String {
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
