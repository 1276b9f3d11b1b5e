//! What commands print: results, errors, progress, files. Knows no command.

mod context;
mod convert;
pub(crate) mod definition;
mod error;
pub(crate) mod log;
pub(crate) mod output_file;
pub(crate) mod progress;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod token_usage;

pub use context::Context;
pub(crate) use convert::book_help;
pub use error::CliError;

/// `1 step`, `2 steps`.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
