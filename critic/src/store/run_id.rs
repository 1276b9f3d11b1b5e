//! Numbers of runs, and how people name a run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The number of a run: 1, 2, … in the order they were begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub u64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A run as commands name it: by number, or `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunSelector {
    /// The run with this number.
    Number(RunId),
    /// The run begun last.
    Last,
}

impl FromStr for RunSelector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "last" => Ok(Self::Last),
            _ => text
                .parse()
                .map(|number| Self::Number(RunId(number)))
                .map_err(|_| format!("`{text}` names no run; give its number, such as `3`, or `last`")),
        }
    }
}

impl fmt::Display for RunSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(run) => run.fmt(f),
            Self::Last => f.write_str("last"),
        }
    }
}
