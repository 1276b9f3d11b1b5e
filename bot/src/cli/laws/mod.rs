//! `ltlcrit laws`: books of laws.

use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `laws`.
#[derive(Debug, clap::Args)]
pub struct LawsArgs {
    #[command(subcommand)]
    command: LawsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum LawsCommand {}

/// Runs one of the subcommands.
///
/// # Errors
/// Bad input, with its place.
pub fn run(args: &LawsArgs, _context: &Context) -> Result<ExitCode, CliError> {
    match args.command {}
}
