//! `ltlcrit replay`.

use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `replay`.
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {}

/// Carries the command out.
///
/// # Errors
/// Bad input, with its place.
pub fn run(_args: &ReplayArgs, _context: &Context) -> Result<ExitCode, CliError> {
    Err(CliError::usage("this command is not built yet"))
}
