//! Functions that the batch commands share: opening a plan, naming its directory, printing its results.

use std::path::{Path, PathBuf};

use ltlcrit_engine::batch::{BatchOutcome, Directory, Experiment, Plan, Shard};
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
    let outcome = BatchOutcome::of(experiment, path, directory.cells())?;
    let failed = outcome.failed;
    let document = Document {
        outcome,
        plan: experiment.hash(),
        shard: experiment.plan.shard,
        directory: path.display().to_string(),
    };
    match context.json() {
        true => context.print_json(&document)?,
        false => context.print(text::summary(&document.outcome)?.trim_end())?,
    }
    Ok(failed)
}
