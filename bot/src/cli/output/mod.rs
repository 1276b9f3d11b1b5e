//! The output of commands: results, errors, progress, files. Knows no command.

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

use std::time::Duration;

pub use context::Context;
pub(crate) use convert::book_help;
pub use error::CliError;

/// `1 step`, `2 steps`.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A time as `m:ss`, or `h:mm:ss`.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}
