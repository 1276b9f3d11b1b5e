//! Findings of `ltlcrit doctor`.

use std::fmt;

use serde::Serialize;

use crate::cli::output::{BAD, CliError, GOOD, WARNING};

/// The health of one part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Health {
    Ok,
    Warning,
    Problem,
}

/// A finding about one part of a run.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    pub(super) what: &'static str,
    pub(super) health: Health,
    pub(super) message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (style, word) = match self.health {
            Health::Ok => (GOOD, "ok"),
            Health::Warning => (WARNING, "warning"),
            Health::Problem => (BAD, "problem"),
        };
        let message = self.message.replace('\n', "\n                           ");
        write!(f, "  {style}{word:<8}{style:#}  {:<14} {message}", self.what)
    }
}

impl Finding {
    pub(super) fn ok(what: &'static str, message: impl Into<String>) -> Self {
        Self { what, health: Health::Ok, message: message.into() }
    }

    pub(super) fn warning(what: &'static str, message: impl Into<String>) -> Self {
        Self { what, health: Health::Warning, message: message.into() }
    }

    pub(super) fn problem(what: &'static str, error: &CliError) -> Self {
        let text = crate::cli::output::terminal::plain(&error.to_string());
        Self { what, health: Health::Problem, message: text.trim_start_matches("error: ").to_owned() }
    }
}
