//! `ltlcrit exam laws`: what is dangerous in a task, as laws.

use std::path::PathBuf;

use ltlcrit_engine::books::danger::danger_book;

use super::task;
use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `exam laws`.
#[derive(Debug, clap::Args)]
pub struct LawsArgs {
    /// The task's folder
    task: PathBuf,
}

/// Prints the book. With it, a run does nothing dangerous: `exam laws TASK > book.toml`.
///
/// # Errors
/// A task that cannot be read, or that has no danger.
pub fn run(args: &LawsArgs, context: &Context) -> Result<ExitCode, CliError> {
    let task = task::read(&args.task)?;
    if task.danger.is_none() {
        let help = "danger is a numeric fluent `danger` that actions increase; without it, nothing is dangerous";
        return Err(CliError::input(format!("the task in `{}` has no danger", args.task.display())).help(help));
    }
    let text = danger_book(&task)
        .map_err(|why| CliError::new(ExitCode::Failure, format!("the laws cannot be written as a book: {why}")))?;
    context.result(&serde_json::json!({ "book": text }), || text.clone())?;
    Ok(ExitCode::Success)
}
