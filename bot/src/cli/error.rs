//! Errors of the command line, with place and advice, as text or JSON.

use std::fmt;
use std::io;

use serde::Serialize;

use super::style::{DIM, ERROR, HELP};
use super::terminal::foreign;
use crate::exit::ExitCode;

/// Why a command failed.
#[derive(Debug)]
pub struct CliError {
    code: ExitCode,
    message: String,
    place: Option<String>,
    details: Vec<String>,
    help: Option<String>,
}

impl CliError {
    /// An error with its exit code and its message, one sentence in lower case without a full stop.
    pub fn new(code: ExitCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), place: None, details: Vec::new(), help: None }
    }

    /// Bad input: a formula, a word, a law book, a cassette, a run id.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(ExitCode::Input, message)
    }

    /// A wrong command line that clap does not detect.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ExitCode::Usage, message)
    }

    /// An error with its causes, outermost first, each on a line of its own.
    pub fn from_error(code: ExitCode, message: impl Into<String>, error: &dyn std::error::Error) -> Self {
        let mut this = Self::new(code, message);
        let mut next = Some(error);
        while let Some(cause) = next {
            let text = cause.to_string();
            // Transparent wrappers repeat the text of their source.
            if this.details.last() != Some(&text) {
                this.details.push(text);
            }
            next = cause.source();
        }
        this
    }

    /// Adds the place of the error: `book.toml:12:7`.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Adds a block of text below the message, such as the source line with a caret.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.details.push(detail.into());
        self
    }

    /// Adds advice on the correction.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The code the process exits with.
    pub fn code(&self) -> ExitCode {
        self.code
    }

    /// The error as `--json` prints it on standard error.
    pub fn to_json(&self) -> impl Serialize + '_ {
        #[derive(Serialize)]
        struct Document<'a> {
            error: Fields<'a>,
        }
        #[derive(Serialize)]
        struct Fields<'a> {
            code: &'static str,
            exit: u8,
            message: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            place: Option<&'a str>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            details: &'a [String],
            #[serde(skip_serializing_if = "Option::is_none")]
            help: Option<&'a str>,
        }
        Document {
            error: Fields {
                code: self.code.name(),
                exit: self.code.number(),
                message: &self.message,
                place: self.place.as_deref(),
                details: &self.details,
                help: self.help.as_deref(),
            },
        }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The message may quote files, models and servers, so the terminal must not obey it.
        write!(f, "{ERROR}error:{ERROR:#} {}", foreign(&self.message))?;
        if let Some(place) = &self.place {
            write!(f, "\n  {DIM}at{DIM:#} {}", foreign(place))?;
        }
        for detail in &self.details {
            for line in detail.lines() {
                write!(f, "\n{}", format!("  {}", foreign(line)).trim_end())?;
            }
        }
        if let Some(help) = &self.help {
            let lines: Vec<String> = help.split('\n').map(foreign).collect();
            write!(f, "\n  {HELP}help:{HELP:#} {}", lines.join("\n        "))?;
        }
        Ok(())
    }
}

impl std::error::Error for CliError {}

/// For errors of writing results; a closed pipe is not a failure.
impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(ExitCode::OutputClosed, "the output was closed"),
            _ => Self::new(ExitCode::Failure, format!("the output cannot be written: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_cannot_command_the_terminal() {
        let error = CliError::input("a \u{1b}[2J b").at("c\u{7}").detail("d\u{1b}]0;e\u{7}\nf");
        let shown = crate::cli::terminal::plain(&error.to_string());
        assert_eq!(shown, "error: a \u{fffd}[2J b\n  at c\u{fffd}\n  d\u{fffd}]0;e\u{fffd}\n  f");
    }
}
