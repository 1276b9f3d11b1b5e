//! Flags of commands that record models: the cassette, and whether to overwrite it.

use std::path::{Path, PathBuf};

use ltlcrit_model::cassette::Recording;

use crate::cli::args::actor_flags::MODELS;
use crate::cli::output::CliError;

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

    /// The recording to make. `files` lists all cassettes derived from the given one.
    ///
    /// # Errors
    /// One of them exists and is not to be overwritten.
    pub fn recording(&self, files: impl Fn(&Path) -> Vec<PathBuf>) -> Result<Option<Recording>, CliError> {
        let Some(path) = &self.record else { return Ok(None) };
        let there = |file: &PathBuf| std::fs::metadata(file).is_ok_and(|file| file.len() > 0);
        match files(path).into_iter().find(there) {
            Some(file) if !self.overwrite => Err(CliError::usage(format!("{} is there already", file.display()))
                .help("record to another file, or over this one: `--overwrite`")),
            _ => Ok(Some(Recording { path: path.clone(), anew: true })),
        }
    }
}
