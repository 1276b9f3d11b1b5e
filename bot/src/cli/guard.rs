//! `ltlcrit guard`: the shield in front of a coding agent's tools, which has a command line of its own.

use std::ffi::OsString;

use clap::Args;
use ltlcrit_guard::book::MAX_BOOK;

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

/// Returns whether a file is a guard's book: it says which calls are actions.
pub fn is_book(path: &str) -> bool {
    let text = ltlcrit_files::read_text(path.as_ref(), MAX_BOOK);
    text.is_ok_and(|text| text.lines().any(|line| line.trim() == "[[call]]"))
}

/// Checks a guard's book.
pub fn check(path: &str, context: &Context) -> Result<ExitCode, CliError> {
    run(&GuardArgs { arguments: vec!["check".into(), path.into()] }, context)
}

/// Runs the guard.
pub fn run(args: &GuardArgs, _: &Context) -> Result<ExitCode, CliError> {
    let name = OsString::from("ltlcrit guard");
    let code = ltlcrit_guard::main_with(std::iter::once(name).chain(args.arguments.iter().cloned()));
    Ok(ExitCode::ALL.iter().copied().find(|known| known.number() == code).unwrap_or(ExitCode::Failure))
}
