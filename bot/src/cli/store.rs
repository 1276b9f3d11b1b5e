//! `ltlcrit store`.

use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `store`.
#[derive(Debug, clap::Args)]
pub struct StoreArgs {}

/// Carries the command out.
///
/// # Errors
/// Bad input, with its place.
pub fn run(_args: &StoreArgs, _context: &Context) -> Result<ExitCode, CliError> {
    Err(CliError::usage("this command is not built yet"))
}
