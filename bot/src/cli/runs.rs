//! `ltlcrit runs`.

use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `runs`.
#[derive(Debug, clap::Args)]
pub struct RunsArgs {}

/// Carries the command out.
///
/// # Errors
/// Bad input, with its place.
pub fn run(_args: &RunsArgs, _context: &Context) -> Result<ExitCode, CliError> {
    Err(CliError::usage("this command is not built yet"))
}
