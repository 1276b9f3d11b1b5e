//! Flags every command has.

use std::path::PathBuf;

use clap::ColorChoice;

/// Flags every command has.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// Print results, and errors, as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Print nothing but results and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Log waits and retries, and keep what each action tried; -vv logs the client's actions
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// The store of the runs [default: .ltlcrit/store]
    #[arg(long, global = true, value_name = "PATH")]
    pub store: Option<PathBuf>,
    /// The configuration file [default: ltlcrit.toml, if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Set a key of the configuration, over everything else, such as model.body.temperature=0; may be repeated
    #[arg(long, global = true, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// The use of colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
}
