//! `ltlcrit batch merge`: joins the directories of shards.

use std::path::PathBuf;

use ltlcrit_engine::batch::{Contents, merge};

use super::shared::show;
use crate::cli::output::{CliError, Context, Progress};
use crate::exit::ExitCode;

/// Arguments of `batch merge`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every cell of the plan must be finished in exactly one of the directories, and all of them must belong to one \
        plan and one version of the program; otherwise nothing is written. results.jsonl and the tables are those of the whole \
        plan run in one directory, and the store has the runs in the same order. A merge that was interrupted goes on."
)]
pub struct MergeArgs {
    /// The directories of the shards
    #[arg(required = true, value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// The directory of the whole batch
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// Directories that do not make up one batch, or files that cannot be read or written.
pub fn run(args: &MergeArgs, context: &Context) -> Result<ExitCode, CliError> {
    let cells = args.directories.first().and_then(|first| Contents::read(first).ok());
    let cells = cells.map_or(0, |contents| contents.experiment.plan.cells());
    let bar = Progress::new(context, "cells", cells as u64);
    let merged = merge(&args.directories, &args.output, || bar.step());
    bar.end();
    let (experiment, directory) = merged?;
    show(&experiment, &args.output, &directory, context).map(|_| ExitCode::Success)
}
