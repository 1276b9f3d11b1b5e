//! `ltlcrit batch status`: how far a batch is.

use std::path::PathBuf;

use ltlcrit_engine::batch::Failure;
use ltlcrit_engine::batch::{BatchStatus, CellStatus, DirectoryState, DirectoryStatus};
use serde::Serialize;

use super::text;
use crate::cli::output::{CliError, Columns, Context, DIM, HEAD, foreign, word};
use crate::exit::ExitCode;

/// Arguments of `batch status`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "running: a process holds the lock of the directory, which the system gives back when the process ends in any \
        way; a lock on another machine may not be seen from here. interrupted: not finished, and no lock is seen. A batch that \
        runs is not disturbed. The exit code is 5 if cells failed."
)]
pub struct StatusArgs {
    /// The directory of a batch, or those of its shards
    #[arg(required = true, value_name = "DIR")]
    directories: Vec<PathBuf>,
}

/// The status as `--json` prints it.
#[derive(Serialize)]
struct Document<'a> {
    name: &'a str,
    plan: String,
    state: DirectoryState,
    waiting: usize,
    done: usize,
    failed: usize,
    directories: &'a [DirectoryStatus],
    failures: Vec<Failure>,
    cells: Vec<CellLine<'a>>,
}

#[derive(Serialize)]
struct CellLine<'a> {
    cell: usize,
    condition: &'a str,
    seed: u64,
    #[serde(flatten)]
    state: &'a CellStatus,
}

/// Runs the command.
///
/// # Errors
/// A directory of something else, or files that cannot be read.
pub fn run(args: &StatusArgs, context: &Context) -> Result<ExitCode, CliError> {
    let status = BatchStatus::read(&args.directories)?;
    let cells = status.experiment.cells();
    let document = Document {
        name: &status.experiment.plan.name,
        plan: status.experiment.hash(),
        state: status.state(),
        waiting: status.count(|state| *state == CellStatus::Waiting),
        done: status.count(|state| *state == CellStatus::Done),
        failed: status.count(|state| matches!(state, CellStatus::Failed { .. })),
        directories: &status.directories,
        failures: Failure::grouped(&status.experiment, &status.cells),
        cells: cells
            .iter()
            .zip(&status.cells)
            .map(|(cell, state)| CellLine {
                cell: cell.index,
                condition: &status.experiment.conditions[cell.condition].name,
                seed: cell.seed,
                state,
            })
            .collect(),
    };
    context.result(&document, || shown(&status, &document))?;
    Ok(if document.failed > 0 { ExitCode::Findings } else { ExitCode::Success })
}

fn shown(status: &BatchStatus, document: &Document<'_>) -> String {
    let counts = [(document.done, "done"), (document.failed, "failed"), (document.waiting, "waiting")];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let mut out = format!(
        "{HEAD}batch {}{HEAD:#}{}: {}\n{DIM}cells{DIM:#}   {}: {}\n\n",
        foreign(document.name),
        text::shard(status.experiment.plan.shard),
        word(&document.state),
        status.cells.len(),
        counts.join(", "),
    );
    let mut table = Columns::new(["directory", "shard", "state", ">cells", ">done", ">failed"]);
    for directory in &status.directories {
        table.row([
            foreign(&directory.directory.display().to_string()),
            directory.shard.map_or_else(|| "-".to_owned(), |shard| shard.to_string()),
            word(&directory.state),
            directory.cells.to_string(),
            directory.done.to_string(),
            directory.failed.to_string(),
        ]);
    }
    out.push_str(&table.text());
    for failure in text::failures(&document.failures) {
        out.push_str(&format!("\n\n{failure}"));
    }
    out
}
