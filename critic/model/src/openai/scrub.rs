//! Removes the key, plain or encoded, from texts of a server.
//!
//! It finds the plain key, JSON escapes up to [`LEVELS`] deep, percent-encoding, hexadecimal digits, and base64 at any
//! position. It does not find a key that the server splits over several fields or lines, or encodes in another way. A
//! server that has the key can always hide it.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};

/// The replacement of the key. It cannot form a new key with its surroundings. It has fewer than [`MIN_KEY`]
/// consecutive graphic ASCII characters, and none at its ends.
const REMOVED: &str = "«key removed»";

/// Minimum length of a secret key. Shorter keys are placeholders for servers without keys, and answers may contain them
/// as words.
const MIN_KEY: usize = 8;

/// The number of decoded levels of JSON escapes. A body is JSON, whose answer is JSON in a string, which may quote JSON
/// itself.
const LEVELS: usize = 4;

/// Removes one key from texts.
#[derive(Clone)]
pub(super) struct Scrubber {
    /// The key and its encodings; empty if there is nothing to remove.
    forms: Vec<SecretString>,
}

impl Scrubber {
    pub(super) fn new(key: Option<SecretString>) -> Self {
        let key = key.filter(|key| key.expose_secret().len() >= MIN_KEY);
        Self { forms: key.iter().flat_map(|key| forms(key.expose_secret())).map(SecretString::from).collect() }
    }

    /// Removes the key from a text. Whole escape sequences are replaced, so JSON stays valid.
    pub(super) fn scrub(&self, text: &str) -> String {
        if self.forms.is_empty() {
            return text.to_owned();
        }
        let places = |view: &View| {
            let its = |form: &SecretString| view.places(form.expose_secret());
            self.forms.iter().flat_map(its).collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        let mut view = View::of(text);
        for _ in 0..LEVELS {
            found.extend(places(&view));
            found.extend(view.decoded('%', percent_escape).iter().flat_map(&places));
            match view.decoded('\\', json_escape) {
                Some(decoded) => view = decoded,
                None => return without(text, found),
            }
        }
        found.extend(places(&view));
        without(text, found)
    }
}

/// Returns whether a text contains the key in an environment variable.
pub fn holds_key(text: &str, variable: &str) -> bool {
    let key = std::env::var(variable).ok().map(|key| SecretString::from(key.trim()));
    Scrubber::new(key).scrub(text) != text
}

/// Returns the possible forms of a key in a text, without escapes.
fn forms(key: &str) -> Vec<String> {
    let mut forms = vec![key.to_owned()];
    forms.push(key.bytes().map(|byte| format!("{byte:02x}")).collect());
    forms.push(key.bytes().map(|byte| format!("{byte:02X}")).collect());
    // In an encoded longer text, these characters depend only on the key.
    for before in 0..3 {
        let text = [&vec![0; before], key.as_bytes()].concat();
        let (from, to) = ((before * 8).div_ceil(6), text.len() * 8 / 6);
        for encoded in [STANDARD_NO_PAD.encode(&text), URL_SAFE_NO_PAD.encode(&text)] {
            forms.push(encoded[from..to].to_owned());
        }
    }
    forms.sort();
    forms.dedup();
    forms
}

/// Replaces each of these ranges of a text; they may overlap.
fn without(text: &str, mut ranges: Vec<(usize, usize)>) -> String {
    ranges.sort_unstable();
    let mut kept = String::with_capacity(text.len());
    let mut end = 0;
    for (from, to) in ranges {
        if from >= end {
            kept.push_str(&text[end..from]);
            kept.push_str(REMOVED);
        }
        end = end.max(to);
    }
    kept.push_str(&text[end..]);
    kept
}

/// A text after a number of decoding rounds.
struct View {
    text: String,
    /// The original position of every byte of `text`, and of its end.
    origin: Vec<usize>,
}

impl View {
    fn of(text: &str) -> Self {
        Self { text: text.to_owned(), origin: (0..=text.len()).collect() }
    }

    /// Returns the ranges of the original text that contain the key.
    fn places(&self, key: &str) -> Vec<(usize, usize)> {
        self.text.match_indices(key).map(|(at, _)| (self.origin[at], self.origin[at + key.len()])).collect()
    }

    /// Decodes every escape sequence; `None` if the text does not contain its first character.
    fn decoded(&self, begin: char, escape: fn(&str) -> Option<(char, usize)>) -> Option<Self> {
        self.text.find(begin)?;
        let mut decoded = Self { text: String::with_capacity(self.text.len()), origin: Vec::new() };
        let mut at = 0;
        while let Some(next) = self.text[at..].chars().next() {
            let (c, length) = escape(&self.text[at..]).unwrap_or((next, next.len_utf8()));
            decoded.text.push(c);
            decoded.origin.resize(decoded.text.len(), self.origin[at]);
            at += length;
        }
        decoded.origin.push(self.origin[at]);
        Some(decoded)
    }
}

/// Parses a JSON escape at the beginning of the text: its character and its length.
fn json_escape(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('\\')?;
    let c = match rest.bytes().next()? {
        b'u' => return Some((hexadecimal(rest.get(1..5)?)?, 6)),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        plain @ (b'"' | b'\\' | b'/') => char::from(plain),
        _ => return None,
    };
    Some((c, 2))
}

/// Parses a percent escape. Only ASCII is decoded, because keys have no other characters.
fn percent_escape(text: &str) -> Option<(char, usize)> {
    let c = hexadecimal(text.strip_prefix('%')?.get(..2)?)?;
    c.is_ascii().then_some((c, 3))
}

fn hexadecimal(digits: &str) -> Option<char> {
    let all = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| all)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::super::tests::{escaped, keys};
    use super::*;

    fn scrubber(key: &str) -> Scrubber {
        Scrubber::new(Some(key.into()))
    }

    #[test]
    fn the_key_is_removed_plain_and_escaped() {
        let scrub = |text: &str| scrubber("sk-a/b\"c").scrub(text);
        assert_eq!(scrub("you sent sk-a/b\"c, twice: sk-a/b\"csk-a/b\"c."), {
            "you sent «key removed», twice: «key removed»«key removed»."
        });
        assert_eq!(scrub(r#"{"a": "\u0073k-a\/b\u0022c\n"}"#), r#"{"a": "«key removed»\n"}"#);
        assert_eq!(scrub(r#"{"a": "{\"b\": \"\\u0073k-a/b\\\"c\"}"}"#), r#"{"a": "{\"b\": \"«key removed»\"}"}"#);
        assert_eq!(scrub("http://x/sk-a%2fb%22c?"), "http://x/«key removed»?");
        assert_eq!(scrub(r"sk-a/b c \u00e4 \ud83d \u12 \x \"), r"sk-a/b c \u00e4 \ud83d \u12 \x \");
    }

    #[test]
    fn encoded_keys_are_removed_wherever_they_begin() {
        let key = "sk-Test+4711/~?";
        let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        for before in ["", "k", "ke", "Bearer "] {
            let text = format!("{before}{key} and more");
            for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
                let encoded = engine.encode(&text);
                let shown = scrubber(key).scrub(&encoded);
                let [start, end] = shown.split(REMOVED).collect::<Vec<_>>()[..] else { panic!("{shown}") };
                assert!(encoded.starts_with(start) && encoded.ends_with(end), "{shown}");
                assert!(engine.decode(start).unwrap_or_default().len() <= before.len() + 1, "{shown}");
            }
            for encoded in [hex(&text), hex(&text).to_uppercase(), hex(&text).replace("7e", "\\u0037e")] {
                assert!(scrubber(key).scrub(&encoded).contains(REMOVED), "{encoded}");
            }
        }
    }

    #[test]
    fn short_keys_are_left_where_they_are() {
        for key in ["x", "log", "ollama", "1234567"] {
            let text = format!("action_mine_log x {key}");
            assert_eq!(scrubber(key).scrub(&text), text);
        }
        assert_eq!(scrubber("12345678").scrub("12345678"), REMOVED);
        assert_eq!(Scrubber::new(None).scrub("a text"), "a text");
    }

    proptest! {
        /// No level of the scrubbed text contains the key when decoded, for any depth of escapes.
        #[test]
        fn no_key_is_left_at_any_level(
            key in keys(),
            before in "[ -~ä\n]{0,12}",
            after in "[ -~ä\n]{0,12}",
            levels in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..20), 0..=LEVELS),
        ) {
            let mut text = format!("{before}{key}{after}");
            for choices in &levels {
                text = escaped(&text, choices);
            }
            let mut shown = scrubber(&key).scrub(&text);
            prop_assert!(!shown.contains(&key), "{shown}");
            for _ in &levels {
                match serde_json::from_str::<String>(&format!("\"{shown}\"")) {
                    Ok(decoded) => shown = decoded,
                    // Possible only if the plain key looks like a part of its own escape.
                    Err(_) => break,
                }
                prop_assert!(!shown.contains(&key), "{shown}");
            }
        }

        /// A text without the key is unchanged.
        #[test]
        fn other_texts_stay_as_they_are(key in "[A-Z]{8,12}", text in "[a-z0-9\\\\\"%{} ]{0,80}") {
            prop_assert_eq!(scrubber(&key).scrub(&text), text);
        }

        /// JSON stays JSON, and only strings with the key differ.
        #[test]
        fn json_stays_json(key in "sk-[a-zA-Z0-9_/+=-]{8,20}", choices in prop::collection::vec(any::<u8>(), 1..20)) {
            let text = format!("{{\"thought\": \"a {} b\\\\\", \"action\": \"c\"}}", escaped(&key, &choices));
            let read: Value = serde_json::from_str(&scrubber(&key).scrub(&text)).unwrap();
            prop_assert_eq!(read, serde_json::json!({"thought": format!("a {REMOVED} b\\"), "action": "c"}));
        }
    }
}
