//! `ltlcrit resume`.

use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `resume`.
#[derive(Debug, clap::Args)]
pub struct ResumeArgs {}

/// Carries the command out.
///
/// # Errors
/// Bad input, with its place.
pub fn run(_args: &ResumeArgs, _context: &Context) -> Result<ExitCode, CliError> {
    Err(CliError::usage("this command is not built yet"))
}
