//! Runs the cells of an examination and shows them.

use std::path::Path;

use ltlcrit_engine::batch::Experiment;
use serde::Serialize;

use super::report;
use crate::cli::args::{LanguageModelFlags, numbers};
use crate::cli::batch::execute::execute;
use crate::cli::output::{CliError, Context};
use crate::cli::watch::WatchFlag;
use crate::exit::ExitCode;

/// The flags of commands that run cells.
#[derive(Debug, clap::Args, Serialize)]
pub(super) struct ExecutionFlags {
    /// The most cells at once; the results do not depend on it [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::positive::<usize>)]
    #[serde(rename = "learn.jobs")]
    jobs: Option<usize>,
    /// Run failed cells again
    #[arg(long)]
    #[serde(skip)]
    retry: bool,
    #[command(flatten)]
    #[serde(flatten)]
    models: LanguageModelFlags,
    #[command(flatten)]
    #[serde(skip)]
    watch: WatchFlag,
}

impl ExecutionFlags {
    /// Runs what is waiting in a directory, and prints the report.
    ///
    /// # Errors
    /// A directory of another plan, or one that cannot be read or written.
    pub fn run(&self, experiment: &Experiment, output: &Path, context: &Context) -> Result<ExitCode, CliError> {
        let (all, directory, page) = execute(experiment, output, self.retry, &self.watch, context)?;
        let failed = directory.cells().failures.len();
        report::reasons(&directory, context);
        drop(directory);
        report::show(output, &[], context)?;
        page.map_or(Ok(()), |page| page.linger(context))?;
        Ok(match (all, failed) {
            (false, _) => ExitCode::Interrupted,
            (true, 0) => ExitCode::Success,
            (true, _) => ExitCode::Findings,
        })
    }
}
