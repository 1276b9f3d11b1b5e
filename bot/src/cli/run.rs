//! `ltlcrit run`.

use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub struct RunArgs {}

/// Carries the command out.
///
/// # Errors
/// Bad input, with its place.
pub fn run(_args: &RunArgs, _context: &Context) -> Result<ExitCode, CliError> {
    Err(CliError::usage("this command is not built yet"))
}
