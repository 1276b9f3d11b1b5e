//! The reason why cells failed.

use std::error::Error;

use crate::learn::{BookFileError, EpisodeError};
use crate::setup::SetupError;

/// Formats an error with its causes on one line.
pub(super) fn reason(error: &(dyn Error + 'static)) -> String {
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
