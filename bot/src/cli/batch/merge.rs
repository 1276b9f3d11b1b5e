//! `ltlcrit batch merge`: joins the directories of shards.

use std::path::PathBuf;

use ltlcrit_engine::batch::{Contents, MergeError, merge};

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

impl From<MergeError> for CliError {
    fn from(error: MergeError) -> Self {
        let message = error.to_string();
        let with = |details: Vec<String>, help: &str| {
            details.into_iter().fold(Self::input(message.clone()), Self::detail).help(help)
        };
        match error {
            MergeError::Directory(error) => error.into(),
            MergeError::Plans { differing, .. } => with(differing, "merge the shards of one plan"),
            MergeError::Programs(programs) => with(programs, "run all shards with one version"),
            MergeError::Twice { .. } => with(Vec::new(), "name every shard once"),
            MergeError::Missing { which, .. } => {
                with(which, "run the missing shards, and failed cells again with `--retry`; then merge")
            }
            MergeError::Learned { .. } => with(
                Vec::new(),
                "models that answer differently each time learn different laws: run such a condition in one shard",
            ),
            MergeError::Book(error) => error.into(),
            MergeError::NoRun { .. } => {
                with(Vec::new(), "remove the line of the cell in results.jsonl, and it runs again")
            }
            MergeError::Differs { .. } => with(Vec::new(), "name an empty directory, or a new one: `-o DIR`"),
        }
    }
}
