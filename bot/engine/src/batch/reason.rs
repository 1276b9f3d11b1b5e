//! The reason why cells failed.

use std::error::Error;

use ltlcrit_store::End;

use super::files::DirectoryError;
use crate::learn::{BookFileError, Break, EpisodeError};
use crate::setup::SetupError;

/// The reason why cells of a condition, or of all conditions, cannot continue.
pub(super) enum Stop {
    /// An interrupt.
    Interrupted,
    /// The condition cannot continue, for this reason.
    Condition(String),
    /// The directory cannot be written.
    Directory(DirectoryError),
}

impl<E: Error + 'static> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Condition(reason(&error))
    }
}

impl From<Break<EpisodeError>> for Stop {
    fn from(stop: Break<EpisodeError>) -> Self {
        match stop {
            Break::Stopped(stopped) if stopped.end == End::Interrupted => Self::Interrupted,
            Break::Stopped(stopped) => Self::Condition(stopped.end.to_string()),
            Break::Failed(error) => error.into(),
        }
    }
}

/// Formats an error with its causes on one line.
fn reason(error: &(dyn Error + 'static)) -> String {
    if let Some(SetupError::Book { name, errors }) = of_setup(error) {
        let first = errors.diagnostics.first().map_or("", |first| first.message.as_str());
        return format!("the law book `{name}` cannot be used: {first}");
    }
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    text.lines().collect::<Vec<_>>().join(" ")
}

/// Returns the setup error in an error, if it is one.
fn of_setup<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a SetupError> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(EpisodeError::Setup(setup)), _) | (_, Some(BookFileError::Setup(setup))) => Some(setup),
        _ => error.downcast_ref(),
    }
}
