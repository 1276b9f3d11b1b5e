//! Errors of the command line, with place and advice, as text or JSON.

use std::fmt;
use std::io;
use std::path::Path;

use ltlcrit_engine::user_error::UserError;
use ltlcrit_files::FileError;
use serde::Serialize;

use crate::cli::output::style::{DIM, ERROR, HELP};
use crate::cli::output::terminal::foreign;
use crate::exit::ExitCode;

/// The failure of a command.
#[derive(Debug)]
pub struct CliError {
    code: ExitCode,
    error: UserError,
}

impl CliError {
    /// An error with its exit code and its message, one sentence in lower case without a full stop.
    pub fn new(code: ExitCode, message: impl Into<String>) -> Self {
        Self::of(code, UserError::new(message))
    }

    /// An error with its exit code.
    pub fn of(code: ExitCode, error: UserError) -> Self {
        Self { code, error }
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
        let mut this = UserError::new(message);
        let mut next = Some(error);
        while let Some(cause) = next {
            let text = cause.to_string();
            // Transparent wrappers repeat the text of their source.
            if this.details.last() != Some(&text) {
                this.details.push(text);
            }
            next = cause.source();
        }
        Self::of(code, this)
    }

    /// Adds the place of the error: `book.toml:12:7`.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        Self { error: self.error.at(place), ..self }
    }

    /// Adds a block of text below the message, such as the source line with a caret.
    #[must_use]
    pub fn detail(self, detail: impl Into<String>) -> Self {
        Self { error: self.error.detail(detail), ..self }
    }

    /// Adds advice on the correction.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { error: self.error.help(help), ..self }
    }

    /// Adds advice if there is some.
    #[must_use]
    pub fn optional_help(self, help: Option<impl Into<String>>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// An input file that cannot be read.
    pub fn unreadable(what: &str, path: &Path, error: &FileError) -> Self {
        let error_text = format!("{what} cannot be read: {error}");
        Self::input(error_text).at(path.display().to_string()).optional_help(error.help())
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
            #[serde(flatten)]
            error: &'a UserError,
        }
        Document { error: Fields { code: self.code.name(), exit: self.code.number(), error: &self.error } }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UserError { message, place, details, help } = &self.error;
        // The message may quote files, models and servers, so the terminal must not obey it.
        write!(f, "{ERROR}error:{ERROR:#} {}", foreign(message))?;
        if let Some(place) = place {
            write!(f, "\n  {DIM}at{DIM:#} {}", foreign(place))?;
        }
        for detail in details {
            for line in detail.lines() {
                write!(f, "\n{}", format!("  {}", foreign(line)).trim_end())?;
            }
        }
        if let Some(help) = help {
            let lines: Vec<String> = help.split('\n').map(foreign).collect();
            write!(f, "\n  {HELP}help:{HELP:#} {}", lines.join("\n        "))?;
        }
        Ok(())
    }
}

impl std::error::Error for CliError {}

/// For files that the command line names: a plan, a persona.
impl From<UserError> for CliError {
    fn from(error: UserError) -> Self {
        Self::of(ExitCode::Input, error)
    }
}

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
        let shown = crate::cli::output::terminal::plain(&error.to_string());
        assert_eq!(shown, "error: a \u{fffd}[2J b\n  at c\u{fffd}\n  d\u{fffd}]0;e\u{fffd}\n  f");
    }
}
