//! The guard as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(ltlcrit_guard::main_with(std::env::args_os()))
}
