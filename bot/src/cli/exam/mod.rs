//! `ltlcrit exam`: planning tasks with danger, and plans of them.

mod execution;
mod laws;
mod make;
mod range;
mod redundancy;
mod report;
mod run;
mod task;
mod text;
mod validate;

use crate::cli::output::{CliError, Context};
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
    /// Write what is dangerous in a task as a book of laws
    Laws(laws::LawsArgs),
    /// Make random tasks with danger, each proved
    Make(make::MakeArgs),
    /// Examine models on tasks, with planners for references
    Run(run::RunArgs),
    /// Show the figures of an examination
    Report(report::ReportArgs),
    /// Write tasks with more and more neutral actions
    Redundancy(redundancy::RedundancyArgs),
}

/// Runs one of the subcommands.
///
/// # Errors
/// Bad input, with its place.
pub fn run(args: &ExamArgs, context: &Context) -> Result<ExitCode, CliError> {
    match &args.command {
        ExamCommand::Validate(args) => validate::run(args, context),
        ExamCommand::Laws(args) => laws::run(args, context),
        ExamCommand::Make(args) => make::run(args, context),
        ExamCommand::Run(args) => run::run(args, context),
        ExamCommand::Report(args) => report::run(args, context),
        ExamCommand::Redundancy(args) => redundancy::run(args, context),
    }
}
