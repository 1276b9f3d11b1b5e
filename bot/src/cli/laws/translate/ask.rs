//! The conversation: what a person says to each segment.

use std::io::BufRead;

use crate::cli::output::{CliError, Context};

/// An answer to "accept, edit or reject?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Accept,
    Reject,
    /// A formula, or another sentence.
    Edit(String),
}

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 4_096;

/// A person who is asked.
pub(super) struct Person<'a, R> {
    lines: R,
    context: &'a Context,
}

impl<'a, R: BufRead> Person<'a, R> {
    pub fn new(lines: R, context: &'a Context) -> Self {
        Self { lines, context }
    }

    /// The next line; `None` at the end of the input.
    fn line(&mut self) -> Result<Option<String>, CliError> {
        let mut line = String::new();
        let read = std::io::Read::take(&mut self.lines, MAX_LINE).read_line(&mut line)?;
        Ok((read > 0).then(|| line.trim().to_owned()))
    }

    /// Asks what to do with a law. The end of the input rejects it.
    pub fn decide(&mut self, may_accept: bool) -> Result<Answer, CliError> {
        loop {
            let accept = if may_accept { "[a]ccept, " } else { "" };
            self.context.note(format_args!("{accept}[e]dit or [r]eject?"));
            let Some(line) = self.line()? else { return Ok(Answer::Reject) };
            match line.to_lowercase().as_str() {
                "a" | "accept" | "y" | "yes" if may_accept => return Ok(Answer::Accept),
                "r" | "reject" | "n" | "no" => return Ok(Answer::Reject),
                "e" | "edit" => {
                    self.context.note("a formula, or another sentence:");
                    match self.line()? {
                        Some(text) if !text.is_empty() => return Ok(Answer::Edit(text)),
                        Some(_) => {}
                        None => return Ok(Answer::Reject),
                    }
                }
                _ => {}
            }
        }
    }

    /// Asks which of several readings is meant; `None` for none of them.
    pub fn choose(&mut self, count: usize) -> Result<Option<usize>, CliError> {
        loop {
            self.context.note(format_args!("which one is meant? 1 to {count}, or [r]eject"));
            let Some(line) = self.line()? else { return Ok(None) };
            match line.parse::<usize>() {
                Ok(number) if (1..=count).contains(&number) => return Ok(Some(number - 1)),
                _ if ["r", "reject", "n", "no"].contains(&line.to_lowercase().as_str()) => return Ok(None),
                _ => {}
            }
        }
    }
}
