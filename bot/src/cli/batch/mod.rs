//! `ltlcrit batch`: the cells of a plan, on all cores, with a table.

mod display;
mod document;
mod text;

use std::path::PathBuf;

use display::BatchDisplay;
use document::{Document, DryRun};
use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::batch::{Batch, BatchSummary, Directory, DirectoryError, Experiment, Plan, PlanError};
use serde::Serialize;

use super::actor_flags::EndpointFlags;
use super::run::joining;
use super::{CliError, Context, interrupt, numbers};
use crate::exit::ExitCode;
use crate::world::Worlds;

/// Arguments of `batch`; what neither they nor the plan say comes from the configuration.
#[derive(Debug, clap::Args, Serialize)]
#[command(
    after_help = "Every condition of the plan runs the same seeds; a condition with a seed is a cell. The directory is the \
        experiment: the same command goes on where it was, and cells that are finished never run again. With simulated models \
        in the embedded world, results.jsonl has the same bytes whatever --jobs is and however often the batch was \
        interrupted. A run is stored before its result is written, so a batch that was killed may have a run more in its store \
        than results. A condition that cannot go on fails with its reason, and the others finish; caps apply to the cells of a \
        condition together. The exit code is 0 if all cells are done and 5 if some failed. Ctrl-C ends the cells under way \
        after their current step; they stay waiting."
)]
pub struct BatchArgs {
    /// The plan: a file, or one that comes with the program (smoke, table1, table2, terrains)
    #[serde(skip)]
    plan: String,
    /// The directory of the batch [default: NAME-results]
    #[arg(long, short, value_name = "DIR")]
    #[serde(skip)]
    output: Option<PathBuf>,
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
    endpoint: EndpointFlags,
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
    let experiment = Experiment::new(Plan::open(&args.plan)?, context.config_with(args)?, &args.plan)?;
    let path = args.output.clone().unwrap_or_else(|| format!("{}-results", experiment.plan.name).into());
    if args.dry_run {
        let dry = DryRun::of(&experiment);
        return match context.json() {
            true => context.print_json(&dry).map(|()| ExitCode::Success),
            false => context.print(text::dry_run(&dry)).map(|()| ExitCode::Success),
        };
    }
    let mut directory = Directory::open(&path, &experiment)?;
    let interrupt = Interrupt::new();
    interrupt::listen(interrupt.clone())?;
    let display = BatchDisplay::new(context);
    let worlds = Worlds { save: None, joining: joining(context) };
    let batch =
        Batch { experiment: &experiment, worlds: &worlds, interrupt, progress: &display, jobs: experiment.threads() };
    let pending = directory.pending(&experiment, args.retry);
    for line in text::header(&experiment, &path, pending.len()) {
        context.note(line);
    }
    display.begin(pending.len());
    let all = batch.run(&mut directory, args.retry);
    display.clear();
    let all = all?;

    let summary = BatchSummary::of(&experiment, &directory);
    let document = Document::new(&experiment, &path, &directory, &summary);
    if context.json() {
        context.print_json(&document)?;
    } else {
        context.print(text::summary(&experiment, &document).trim_end())?;
    }
    Ok(match (all, document.failed) {
        (false, _) => ExitCode::Interrupted,
        (true, 0) => ExitCode::Success,
        (true, _) => ExitCode::Findings,
    })
}

impl From<PlanError> for CliError {
    fn from(error: PlanError) -> Self {
        let PlanError { message, place, excerpt, help } = error;
        let shown = place.into_iter().fold(Self::input(message), Self::at);
        let shown = excerpt.into_iter().fold(shown, Self::detail);
        help.into_iter().fold(shown, Self::help)
    }
}

impl From<DirectoryError> for CliError {
    fn from(error: DirectoryError) -> Self {
        let message = error.to_string();
        match error {
            DirectoryError::Plan(error) => error.into(),
            DirectoryError::Store(error) => error.into(),
            DirectoryError::Io { .. } => Self::new(ExitCode::Failure, message),
            DirectoryError::Other(_) => Self::input(message).help("name an empty directory, or a new one: `-o DIR`"),
            DirectoryError::Result { .. } => Self::input(message).help("remove the line, and its cell runs again"),
            DirectoryError::AnotherPlan { differing, .. } => differing
                .into_iter()
                .fold(Self::input(message), Self::detail)
                .help("name another directory: `-o DIR`, or bring the plan back to what it was"),
        }
    }
}
