//! What the batch commands share: opening a plan, naming its directory, printing its results.

use std::path::{Path, PathBuf};

use ltlcrit_engine::batch::{BatchSummary, Directory, Experiment, Plan, Shard, learnings};
use serde::Serialize;

use super::document::Document;
use super::text;
use crate::cli::output::{CliError, Context};

/// A plan over the configuration in force, with `--set` over both.
pub fn experiment(
    plan: &str,
    shard: Option<Shard>,
    flags: &impl Serialize,
    context: &Context,
) -> Result<Experiment, CliError> {
    let mut opened = Plan::open(plan)?;
    match (opened.shard, shard) {
        (Some(own), Some(other)) if own != other => {
            return Err(CliError::usage(format!("the plan is of the shard {own}, not {other}"))
                .help("name the plan that it is a shard of"));
        }
        _ => opened.shard = shard.or(opened.shard),
    }
    opened.set(&context.values()?, "--set")?;
    Ok(Experiment::new(opened, context.config_with(flags)?, plan)?)
}

/// The directory of a batch.
pub fn output(given: Option<&PathBuf>, experiment: &Experiment) -> PathBuf {
    let shard =
        experiment.plan.shard.map_or_else(String::new, |shard| format!("-{}", shard.to_string().replace('/', "-of-")));
    given.cloned().unwrap_or_else(|| format!("{}-results{shard}", experiment.plan.name).into())
}

/// Prints what is finished. Returns how many cells failed.
pub fn show(experiment: &Experiment, path: &Path, directory: &Directory, context: &Context) -> Result<usize, CliError> {
    let summary = BatchSummary::of(experiment, directory.cells())?;
    let learnings = learnings(path, experiment)?;
    let document = Document::new(experiment, path, directory, &summary, &learnings);
    match context.json() {
        true => context.print_json(&document)?,
        false => context.print(text::summary(experiment, &document).trim_end())?,
    }
    Ok(document.failed)
}
