//! Renders text for the terminal, so that the terminal obeys nothing but our own styles.
//!
//! Laws, models, servers, cassettes and stores contain foreign text. A terminal obeys escape sequences in it, and
//! bidirectional controls reorder the text that a person reads. So texts of this program contain no escape sequences: a
//! style is written as a [`Mark`], a Unicode noncharacter, and [`render`] turns marks into escape sequences after it
//! has replaced every other character that a terminal would obey. [`Context`](super::Context) renders all output;
//! nothing else may print, which `clippy::print_stdout` and `clippy::print_stderr` enforce.

use std::fmt::Write as _;
use std::io::{self, Write};

use ltlcrit_worlds::{REPLACEMENT, is_unshown};

use crate::cli::output::style::{END, MARKS, Mark};

/// Returns whether a terminal obeys this character instead of showing it, or reorders others for it.
fn is_obeyed(c: char) -> bool {
    is_unshown(c) || MARKS.contains(&c)
}

/// Foreign text on one line. Characters that a terminal would obey, line breaks included, are replaced.
pub fn foreign(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) { REPLACEMENT } else { c }).collect()
}

/// Renders text with marks for a terminal. Marks become escape sequences; all other characters that a terminal would
/// obey are replaced, except line breaks and tabs.
pub fn render(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            END => shown.push_str("\u{1b}[0m"),
            '\n' | '\t' => shown.push(c),
            _ if !is_obeyed(c) => shown.push(c),
            _ => match Mark::style(c) {
                Some(style) => shown.push_str(&style.render().to_string()),
                None => shown.push(REPLACEMENT),
            },
        }
    }
    shown
}

/// Text without its marks.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| !MARKS.contains(c)).collect()
}

/// The columns that text takes on a terminal, without its marks.
pub fn width(text: &str) -> usize {
    console::measure_text_width(&plain(text))
}

/// A JSON text that is safe to print: characters that a terminal would obey become equivalent `\u` escapes in its
/// strings. Line breaks are kept, because JSON allows them only between values.
pub fn json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_obeyed(c) && c != '\n' {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(c);
        }
    }
    shown
}

/// A stream of JSON documents, written with [`json`]. Bytes that end inside a character wait for the rest of it.
pub struct JsonWriter<W> {
    out: W,
    unfinished: Vec<u8>,
}

impl<W: Write> JsonWriter<W> {
    /// Writes to this stream.
    pub fn new(out: W) -> Self {
        Self { out, unfinished: Vec::new() }
    }
}

impl<W: Write> Write for JsonWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unfinished.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.unfinished) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        };
        let rest = self.unfinished.split_off(whole);
        let text = String::from_utf8_lossy(&self.unfinished);
        self.out.write_all(json(&text).as_bytes())?;
        self.unfinished = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The width of standard error, in columns.
pub fn terminal_width() -> usize {
    usize::from(console::Term::stderr().size().1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cli::output::style::{BAD, ERROR, STYLES};

    #[test]
    fn only_marks_become_escape_sequences() {
        let text = format!("{ERROR}error:{ERROR:#} \u{1b}[2J\u{9b}2J\r\u{202e}\u{2028}\n\tdone \u{fdef}");
        let bold_red = STYLES[0].render().to_string();
        assert_eq!(
            render(&text),
            format!("{bold_red}error:\u{1b}[0m \u{fffd}[2J\u{fffd}2J\u{fffd}\u{fffd}\u{fffd}\n\tdone \u{fffd}")
        );
        assert_eq!(plain(&format!("{BAD}x{BAD:#}")), "x");
    }

    #[test]
    fn foreign_text_is_one_line_and_cannot_hold_a_mark() {
        assert_eq!(foreign(&format!("a\n{ERROR}b{ERROR:#}\u{feff}")), "a\u{fffd}\u{fffd}b\u{fffd}\u{fffd}");
        assert_eq!(foreign("größer, 日本, 💎"), "größer, 日本, 💎");
    }

    #[test]
    fn every_style_has_a_mark() {
        assert!(STYLES.len() < MARKS.count());
        for (position, style) in STYLES.iter().enumerate() {
            let mark = Mark::new(u8::try_from(position).unwrap());
            assert_eq!(render(&format!("{mark}x{mark:#}")), format!("{style}x\u{1b}[0m"));
        }
    }

    proptest! {
        /// Whatever is printed, an escape sequence in it is one of our own styles.
        #[test]
        fn nothing_foreign_is_obeyed(text in any::<String>()) {
            let mut shown = render(&foreign(&text));
            prop_assert!(!shown.chars().any(is_obeyed));
            shown = render(&text).replace("\u{1b}[0m", "");
            for style in STYLES {
                shown = shown.replace(&style.render().to_string(), "");
            }
            prop_assert!(!shown.chars().any(|c| is_obeyed(c) && c != '\n' && c != '\t'));
        }

        /// A JSON text keeps its value, in whatever pieces it is written.
        #[test]
        fn json_keeps_its_value(text in any::<String>(), cut in 0_usize..64) {
            let document = serde_json::to_string(&text).unwrap();
            let mut writer = JsonWriter::new(Vec::new());
            for piece in document.as_bytes().chunks(cut + 1) {
                writer.write_all(piece).unwrap();
            }
            let written = String::from_utf8(writer.out).unwrap();
            prop_assert!(!written.chars().any(is_obeyed));
            prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        }
    }
}
