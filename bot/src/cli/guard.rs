//! `ltlcrit guard`: the shield in front of a coding agent's tools, which has a command line of its own.

use std::ffi::OsString;

use clap::Args;

use super::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `ltlcrit guard`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct GuardArgs {
    /// The arguments of `ltlcrit-guard`: `check`, `hook`, `mcp`, `judge-log`, `status`, `why`, `forget`, `init`, `--help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs the guard.
pub fn run(args: &GuardArgs, _: &Context) -> Result<ExitCode, CliError> {
    let name = OsString::from("ltlcrit guard");
    let code = ltlcrit_guard::main_with(std::iter::once(name).chain(args.arguments.iter().cloned()));
    Ok(ExitCode::ALL.iter().copied().find(|known| known.number() == code).unwrap_or(ExitCode::Failure))
}
