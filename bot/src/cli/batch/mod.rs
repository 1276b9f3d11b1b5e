//! `ltlcrit batch`: the cells of a plan, on all cores, with a table.

mod display;
mod document;
pub mod execute;
mod merge;
mod shared;
mod status;
mod text;

use std::path::PathBuf;

use document::DryRun;
use execute::execute;
use ltlcrit_engine::batch::{DirectoryError, Shard};
use serde::Serialize;
use shared::{experiment, output, show};

use crate::cli::args::{EndpointsFlags, numbers};
use crate::cli::output::{CliError, Context};
use crate::cli::watch::WatchFlag;
use crate::exit::ExitCode;

/// Arguments of `batch`; what neither they nor the plan say comes from the configuration.
#[derive(Debug, clap::Args, Serialize)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    before_help = "Examples:
  ltlcrit batch smoke                          a plan that comes with the program, in seconds
  ltlcrit batch table1 --dry-run               only show what it would run
  ltlcrit batch ./mine.toml -o mine --jobs 2   your plan, into the directory mine",
    after_help = "Every condition of the plan runs the same seeds; a condition with a seed is a cell. The directory is the \
        experiment: the same command goes on where it was, and cells that are finished never run again. With simulated models \
        in the embedded world, results.jsonl has the same bytes whatever --jobs is and however often the batch was \
        interrupted. A run is stored before its result is written, so after a kill the store may hold one run that has no \
        result. A condition that cannot go on fails with its reason, and the others finish; caps apply to all \
        that a condition asks, and to all shards together that lie in one folder `shards`. The exit code is 0 if all cells are done and 5 if some failed. Ctrl-C \
        ends the cells under way after their current step; they stay waiting. A plan in a file that is named like one of the \
        commands below is given as ./NAME."
)]
pub struct BatchArgs {
    #[command(subcommand)]
    #[serde(skip)]
    command: Option<BatchCommand>,
    /// The plan: a file, or one that comes with the program (smoke, table1, table2, ablation, transfer, terrains,
    /// small-model, joint, safety-chip-four-room, safety-chip-mobile, safety-chip-robot, safety-chip-unverified)
    #[arg(required = true)]
    #[serde(skip)]
    plan: Option<String>,
    /// The directory of the batch [default: NAME-results]
    #[arg(long, short, value_name = "DIR")]
    #[serde(skip)]
    output: Option<PathBuf>,
    /// Run a part of the cells alone, such as 2/4; `batch merge` joins the parts [default directory: NAME-results-I-of-N]
    #[arg(long, value_name = "I/N")]
    #[serde(skip)]
    shard: Option<Shard>,
    /// The most cells at once; the results do not depend on it. Cells on a server, and those of a cassette, run one after the
    /// other [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = numbers::positive::<usize>)]
    #[serde(rename = "learn.jobs")]
    jobs: Option<usize>,
    /// Run failed cells again
    #[arg(long)]
    #[serde(skip)]
    retry: bool,
    /// Only show the conditions, and how many steps and requests they may take
    #[arg(long)]
    #[serde(skip)]
    dry_run: bool,
    #[command(flatten)]
    #[serde(flatten)]
    endpoints: EndpointsFlags,
    #[command(flatten)]
    #[serde(skip)]
    watch: WatchFlag,
}

#[derive(Debug, clap::Subcommand)]
enum BatchCommand {
    /// Join the directories of shards
    Merge(merge::MergeArgs),
    /// Show how far a batch is: cells done, failed, waiting
    Status(status::StatusArgs),
}

/// Runs the command.
///
/// # Errors
/// A wrong plan or configuration, a directory of another plan, or one that cannot be written.
pub fn run(args: &BatchArgs, context: &Context) -> Result<ExitCode, CliError> {
    if context.names_store() {
        return Err(CliError::usage("a batch keeps its runs in a store of its own, `store` in its directory")
            .help("leave out `--store`, and name the directory: `-o DIR`"));
    }
    match (&args.command, &args.plan) {
        (Some(BatchCommand::Merge(args)), _) => merge::run(args, context),
        (Some(BatchCommand::Status(args)), _) => status::run(args, context),
        (None, Some(plan)) => cells(plan, args, context),
        (None, None) => Err(CliError::usage("no plan is given").help("for example `ltlcrit batch smoke`")),
    }
}

/// Runs the cells of a plan.
fn cells(plan: &str, args: &BatchArgs, context: &Context) -> Result<ExitCode, CliError> {
    let experiment = experiment(plan, args.shard, args, context)?;
    let path = output(args.output.as_ref(), &experiment);
    if args.dry_run {
        let dry = DryRun::of(&experiment);
        return context.result(&dry, || text::dry_run(&dry)).map(|()| ExitCode::Success);
    }
    let (all, directory, page) = execute(&experiment, &path, args.retry, &args.watch, context)?;
    let code = match (all, show(&experiment, &path, &directory, context)?) {
        (false, _) => ExitCode::Interrupted,
        (true, 0) => ExitCode::Success,
        (true, _) => ExitCode::Findings,
    };
    page.map_or(Ok(()), |page| page.linger(context))?;
    Ok(code)
}

impl From<DirectoryError> for CliError {
    fn from(error: DirectoryError) -> Self {
        match error {
            DirectoryError::Wrong(error) => error.into(),
            DirectoryError::Store(error) => error.into(),
            DirectoryError::Io { .. } => Self::new(ExitCode::Failure, error.to_string()),
        }
    }
}
