//! Flags of commands that record models: the cassette, and whether to overwrite it.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use ltlcrit_model::cassette::Recording;

use crate::cli::args::actor_flags::MODELS;
use crate::cli::output::{CliError, Context};

/// The file to record to, and whether to overwrite it.
#[derive(Debug, Default, clap::Args)]
pub struct RecordFlags {
    /// Record every exchange with the model, to be repeated with `--model cassette:FILE`
    #[arg(long, value_name = "FILE", help_heading = MODELS)]
    record: Option<PathBuf>,
    /// Overwrite FILE if it is a cassette
    #[arg(long, requires = "record", help_heading = MODELS)]
    overwrite: bool,
}

impl RecordFlags {
    /// Returns whether anything is to be recorded.
    pub fn is_given(&self) -> bool {
        self.record.is_some()
    }

    /// The recording to make. `files` lists all cassettes derived from the given one. If one of them exists, the user
    /// must agree to overwrite it, by the flag or on the terminal.
    ///
    /// # Errors
    /// A cassette exists and the user keeps it.
    pub fn recording(
        &self,
        context: &Context,
        files: impl Fn(&Path) -> Vec<PathBuf>,
    ) -> Result<Option<Recording>, CliError> {
        let Some(path) = &self.record else { return Ok(None) };
        let there = |file: &PathBuf| std::fs::metadata(file).is_ok_and(|file| file.len() > 0);
        let there = files(path).into_iter().find(there);
        if let Some(file) = there.filter(|_| !self.overwrite) {
            let question = format!("{} is there already", file.display());
            let asks = context.live() && io::stdin().is_terminal();
            if !asks || !agrees(context, &format!("{question}; record over it? [y/N]"))? {
                return Err(CliError::usage(question).help("record to another file, or over this one: `--overwrite`"));
            }
        }
        Ok(Some(Recording { path: path.clone(), anew: true }))
    }
}

/// Asks the user a question.
fn agrees(context: &Context, question: &str) -> Result<bool, CliError> {
    context.note(question);
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(is_yes(&answer))
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_one() {
        for yes in ["y\n", "Y\n", " yes\r\n"] {
            assert!(is_yes(yes), "{yes:?}");
        }
        for no in ["", "\n", "n\n", "no\n", "yo\n", "\u{1b}[Ay\n"] {
            assert!(!is_yes(no), "{no:?}");
        }
    }
}
