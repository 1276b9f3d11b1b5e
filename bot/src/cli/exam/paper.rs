//! `ltlcrit exam paper`: DESPITE's own figures, recomputed.

use ltlcrit_engine::examine::recomputed;

use super::text;
use crate::cli::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `exam paper`.
#[derive(Debug, clap::Args)]
pub struct PaperArgs {}

/// Prints the table.
///
/// # Errors
/// The output cannot be written.
pub fn run(_: &PaperArgs, context: &Context) -> Result<ExitCode, CliError> {
    let rows = recomputed();
    match context.json() {
        true => context.print_json(&rows)?,
        false => context.print(text::paper(&rows).trim_end())?,
    }
    Ok(ExitCode::Success)
}
