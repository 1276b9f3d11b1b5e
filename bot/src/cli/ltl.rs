//! `ltlcrit ltl`: judges words by formulas and compares formulas, for people and scripts.

mod allowed;
mod equivalent;
mod export;
mod input;
mod judge;
mod table;

use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `ltl`.
#[derive(Debug, clap::Args)]
pub struct LtlArgs {
    #[command(subcommand)]
    command: LtlCommand,
}

#[derive(Debug, clap::Subcommand)]
enum LtlCommand {
    /// Judge finite words: acceptance, and the verdict after every letter
    Judge(judge::JudgeArgs),
    /// The actions that laws jointly allow after a word, and which laws block the others
    Allowed(allowed::AllowedArgs),
    /// Compare two formulas on finite words, and show a word that tells them apart
    Equivalent(equivalent::EquivalentArgs),
    /// Draw a formula's automaton: DOT, or the HOA format
    Export(export::ExportArgs),
}

/// Runs one of the subcommands.
///
/// # Errors
/// Bad input, with its place.
pub fn run(args: &LtlArgs, context: &Context) -> Result<ExitCode, CliError> {
    match &args.command {
        LtlCommand::Judge(args) => judge::run(args, context),
        LtlCommand::Allowed(args) => allowed::run(args, context),
        LtlCommand::Equivalent(args) => equivalent::run(args, context),
        LtlCommand::Export(args) => export::run(args, context),
    }
}
