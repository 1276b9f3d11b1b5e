//! Runs the cells of an experiment with a progress line.

use std::path::Path;

use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::batch::{Batch, Cell, CellStatus, Directory, Experiment};

use super::display::BatchDisplay;
use super::text;
use crate::cli::interrupt;
use crate::cli::interrupt::Ends;
use crate::cli::output::{CliError, Context};
use crate::cli::run::joining;
use crate::cli::watch::{self, WatchFlag, Watching};
use crate::world::Worlds;

/// Runs the waiting cells in a directory, and with `retry` the failed ones. Returns whether all were run, the
/// directory, and the page if it is asked for.
///
/// # Errors
/// A directory of another plan, or one that cannot be written.
pub fn execute(
    experiment: &Experiment,
    path: &Path,
    retry: bool,
    flag: &WatchFlag,
    context: &Context,
) -> Result<(bool, Directory, Option<Watching>), CliError> {
    let mut directory = Directory::open(path, experiment)?;
    let page = flag.start(&path.join("store"), None, Some(watch::of_batch(path.to_owned())), context)?;
    let interrupt = Interrupt::new();
    let ends = experiment.conditions.iter().map(|condition| Ends::of(&experiment.config(condition))).max();
    let listening = interrupt::listen(interrupt.clone(), ends.unwrap_or(Ends::Soon))?;
    let worlds = Worlds { save: None, joining: joining(context) };
    let pending = directory.pending(experiment, retry);
    let cells = directory.cells();
    let is_failed = |cell: &Cell| matches!(cells.state(cell.index), CellStatus::Failed { .. });
    let failed = if retry { 0 } else { experiment.cells().iter().filter(|cell| is_failed(cell)).count() };
    for line in text::header(experiment, path, pending.len(), failed) {
        context.note(line);
    }
    let display = BatchDisplay::new(context, pending.len());
    let batch = Batch { experiment, worlds: &worlds, interrupt, progress: &display, jobs: experiment.threads() };
    let all = batch.run(&mut directory, retry);
    drop(listening);
    display.clear();
    Ok((all?, directory, page))
}
