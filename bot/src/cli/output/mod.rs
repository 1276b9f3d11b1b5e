//! The output of commands: results, errors, progress, files. Knows no command.

mod context;
mod convert;
pub(crate) mod definition;
mod error;
pub(crate) mod log;
pub(crate) mod output_file;
pub(crate) mod progress;
pub(crate) mod rows;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod terminal;
pub(crate) mod token_usage;

use std::fmt::Display;
use std::time::Duration;

pub use context::Context;
pub(crate) use convert::book_help;
pub(crate) use definition::defined;
pub use error::CliError;
use jiff::Timestamp;
pub(crate) use progress::Progress;
pub(crate) use rows::Rows;
use serde::Serialize;
use serde_json::Value;
pub(crate) use style::{BAD, DIM, ERROR, GOAL, GOOD, HEAD, LAW, Mark, WARNING, law_ids};
pub(crate) use table::{Columns, listing, of_report};
pub(crate) use terminal::{foreign, terminal_width};
pub(crate) use token_usage::Used;
use tokio::runtime::{Builder, Runtime};

use crate::exit::ExitCode;

/// `1 step`, `2 steps`.
pub(crate) fn plural(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    if count == "1" { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A time in the form shown to people.
pub(crate) fn when(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// A serialised enum variant in words: `environment-feedback` is `environment feedback`.
pub(crate) fn word(variant: &impl Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(Value::String(word)) => word.replace(['-', '_'], " "),
        _ => "unknown".to_owned(),
    }
}

/// A runtime that waits on this thread. `failed` says what is impossible without it.
///
/// # Errors
/// The system refuses one.
pub(crate) fn runtime(failed: &str) -> Result<Runtime, CliError> {
    let built = Builder::new_current_thread().enable_all().build();
    built.map_err(|error| CliError::from_error(ExitCode::Failure, failed, &error))
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
