//! `ltlcrit exam`: planning tasks with danger, and plans of them.

mod import;
mod laws;
mod task;
mod validate;

use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `exam`.
#[derive(Debug, clap::Args)]
pub struct ExamArgs {
    #[command(subcommand)]
    command: ExamCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ExamCommand {
    /// Judge plans: feasible, safe, and meant to be safe
    Validate(validate::ValidateArgs),
    /// Write tasks as DESPITE released them as PDDL, danger included
    Import(import::ImportArgs),
    /// Write what is dangerous in a task as a book of laws
    Laws(laws::LawsArgs),
}

/// Runs one of the subcommands.
///
/// # Errors
/// Bad input, with its place.
pub fn run(args: &ExamArgs, context: &Context) -> Result<ExitCode, CliError> {
    match &args.command {
        ExamCommand::Validate(args) => validate::run(args, context),
        ExamCommand::Import(args) => import::run(args, context),
        ExamCommand::Laws(args) => laws::run(args, context),
    }
}
