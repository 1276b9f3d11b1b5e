//! Input of `ltlcrit ltl`: lines of bounded length, and errors of formulas and words.

use std::io::{self, BufRead};

use ltlcrit_verifier::SyntaxError;

use crate::cli::CliError;

/// The error of a formula or word. `place` names the text; line and column are added. If the text is only part of the
/// line that `place` names, `offset` is the number of characters before it.
pub fn bad_text(what: &str, place: &str, offset: Option<usize>, error: &SyntaxError) -> CliError {
    let count = error.all().count();
    let message = if count == 1 { error.message.clone() } else { format!("{count} problems in the {what}") };
    let mut wrong = CliError::input(message).at(match offset {
        None => format!("{place}:{}:{}", error.line, error.column),
        Some(before) => format!("{place}:{}", error.column + before),
    });
    if count > 1 {
        return wrong.detail(error.render());
    }
    wrong = wrong.detail(error.excerpt());
    match &error.suggestion {
        Some(suggestion) => wrong.help(format!("did you mean `{suggestion}`?")),
        None => wrong,
    }
}

/// One line of input.
pub enum Line {
    /// Its text, without the end of line.
    Text(String),
    /// It is too long; the rest of it was skipped.
    TooLong,
    /// It is not UTF-8; the offset of the first invalid byte.
    NotText(usize),
}

/// Reads a line of at most `most` bytes; `None` at the end of the input.
pub fn read_line(reader: &mut dyn BufRead, most: usize) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let (mut seen, mut complete) = (false, false);
    while !complete {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        seen = true;
        let (part, used) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => (&buffer[..end], end + 1),
            None => (buffer, buffer.len()),
        };
        complete = used > part.len();
        // One byte more than allowed shows that the line is too long.
        let room = (most + 1).saturating_sub(bytes.len());
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        reader.consume(used);
    }
    if !seen {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    if bytes.len() > most {
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => Line::Text(text),
        Err(error) => Line::NotText(error.utf8_error().valid_up_to()),
    }))
}

/// The line of a formula without its comment, which begins with `#` outside a quoted name.
pub fn without_comment(line: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_are_bounded() {
        let mut reader = BufReader::with_capacity(3, &b"abc\r\n\nabcdef\nab\xff\nend"[..]);
        let mut shown = Vec::new();
        while let Some(line) = read_line(&mut reader, 4).unwrap() {
            shown.push(match line {
                Line::Text(text) => text,
                Line::TooLong => "too long".to_owned(),
                Line::NotText(at) => format!("not text after {at}"),
            });
        }
        assert_eq!(shown, ["abc", "", "too long", "not text after 2", "end"]);
    }

    #[test]
    fn comments() {
        assert_eq!(without_comment("a # b"), "a ");
        assert_eq!(without_comment(r##""a#\"#" & b # c "d""##), r##""a#\"#" & b "##);
        assert_eq!(without_comment("a"), "a");
    }
}
