//! `ltlcrit config`: the configuration in force.

use ltlcrit_engine::config::{Config, DEFAULT_FILE};

use crate::cli::output::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `config`.
#[derive(Debug, clap::Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ConfigCommand {
    /// Print the configuration in force, every key with its value
    Show {
        /// Print the commented file with every default instead
        #[arg(long)]
        defaults: bool,
    },
}

/// Prints the configuration.
///
/// # Errors
/// A wrong configuration, with its place.
pub fn run(args: &ConfigArgs, context: &Context) -> Result<ExitCode, CliError> {
    let ConfigCommand::Show { defaults } = args.command;
    if context.json() {
        let config = if defaults { Config::default() } else { context.config()? };
        context.print_json(&config)?;
    } else if defaults {
        context.print_text(DEFAULT_FILE)?;
    } else {
        let text = context.config()?.to_commented_file();
        let failed = "the configuration cannot be written as TOML";
        context.print_text(&text.map_err(|error| CliError::from_error(ExitCode::Failure, failed, &error))?)?;
    }
    Ok(ExitCode::Success)
}
