//! `ltlcrit ltl`: a bench for formulas.

use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `ltl`.
#[derive(Debug, clap::Args)]
pub struct LtlArgs {
    #[command(subcommand)]
    command: LtlCommand,
}

#[derive(Debug, clap::Subcommand)]
enum LtlCommand {}

/// Runs one of the subcommands.
///
/// # Errors
/// Bad input, with its place.
pub fn run(args: &LtlArgs, _context: &Context) -> Result<ExitCode, CliError> {
    match args.command {}
}
