//! Standard input line by line: each line of bounded length, each with a result before the next is read.

use std::io::{self, BufRead, IsTerminal as _};

use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Calls a function with each line of standard input, its number and its place. Empty lines and lines that begin with `#`
/// are passed over. A line that is wrong is reported, and the rest is read all the same.
///
/// `form` is what a line holds, for people at a terminal; `done` what becomes of it, as in "2 lines could not be judged".
///
/// # Errors
/// An error of the function that is not about its input; after the last line, that some were wrong.
pub fn each_line(
    context: &Context,
    most: usize,
    (form, done): (&str, &str),
    mut f: impl FnMut(&str, u64, &str) -> Result<(), CliError>,
) -> Result<ExitCode, CliError> {
    if io::stdin().is_terminal() {
        context.note(format_args!("reading lines {form} from standard input"));
    }
    let mut reader = io::stdin().lock();
    let (mut number, mut good, mut bad) = (0u64, 0u64, 0u64);
    loop {
        let read = read_line(&mut reader, most)
            .map_err(|error| CliError::new(ExitCode::Failure, format!("standard input cannot be read: {error}")))?;
        let Some(line) = read else { break };
        number += 1;
        let place = format!("standard input:{number}");
        let result = match line {
            Line::Text(line) if line.trim().is_empty() || line.starts_with('#') => continue,
            Line::Text(line) => f(&line, number, &place),
            Line::TooLong => Err(CliError::input("the line is too long to be read").at(place)),
            Line::NotText(byte) => Err(CliError::input(format!("the line is not UTF-8 after {byte} bytes")).at(place)),
        };
        match result {
            Ok(()) => good += 1,
            Err(error) if error.code() == ExitCode::Input => {
                bad += 1;
                context.report(&error);
            }
            Err(error) => return Err(error),
        }
    }
    if bad > 0 {
        context.flush()?;
        let all = bad + good;
        return Err(CliError::input(format!("{bad} of {all} lines could not be {done}")).at("standard input"));
    }
    Ok(ExitCode::Success)
}

/// One line of input.
enum Line {
    /// Its text, without the end of line.
    Text(String),
    /// It is too long; the rest of it was skipped.
    TooLong,
    /// It is not UTF-8; the offset of the first invalid byte.
    NotText(usize),
}

/// Reads a line of at most `most` bytes; `None` at the end of the input.
fn read_line(reader: &mut dyn BufRead, most: usize) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    // One byte more than allowed, and the end of line, which may be two.
    if io::Read::take(&mut *reader, most as u64 + 3).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.pop_if(|last| *last == b'\n').is_none() {
        reader.skip_until(b'\n')?;
    }
    bytes.pop_if(|last| *last == b'\r');
    if bytes.len() > most {
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => Line::Text(text),
        Err(error) => Line::NotText(error.utf8_error().valid_up_to()),
    }))
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
}
