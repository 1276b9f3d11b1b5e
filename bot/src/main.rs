//! The `ltlcrit` command.

use ltlcrit::exit::ExitCode;

fn main() -> ExitCode {
    ltlcrit::cli::main(std::env::args_os())
}
