//! `ltlcrit completions`: a completion script for a shell.

use clap_complete::Shell;

use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the completion script.
///
/// # Errors
/// The output is closed or full.
pub fn run(args: &CompletionsArgs, mut cli: clap::Command, context: &Context) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "ltlcrit", &mut script);
    context.print_text(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::Success)
}
