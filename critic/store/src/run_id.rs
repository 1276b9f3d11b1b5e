//! Run numbers, and the selectors of runs on the command line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The number of a run: 1, 2, … in the order in which runs begin or are reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub u64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A run on the command line: a number, or `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunSelector {
    /// The run with this number.
    Number(RunId),
    /// The run with the highest number.
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

/// A selection of runs on the command line: one run, `all`, or a range such as `3-9`, whose ends need not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunSelection {
    /// Every run of the store.
    All,
    /// One run.
    One(RunSelector),
    /// A range of numbers, both ends included.
    Range(RunId, RunId),
}

impl FromStr for RunSelection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" {
            return Ok(Self::All);
        }
        let Some((from, to)) = text.split_once('-') else { return text.parse().map(Self::One) };
        match (from.parse(), to.parse()) {
            (Ok(from), Ok(to)) if from <= to => Ok(Self::Range(RunId(from), RunId(to))),
            _ => Err(format!("`{text}` names no runs; a range is written such as `3-9`")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_are_read() {
        let read = |text: &str| text.parse::<RunSelection>();
        assert_eq!(read("all"), Ok(RunSelection::All));
        assert_eq!(read("last"), Ok(RunSelection::One(RunSelector::Last)));
        assert_eq!(read("7"), Ok(RunSelection::One(RunSelector::Number(RunId(7)))));
        assert_eq!(read("3-9"), Ok(RunSelection::Range(RunId(3), RunId(9))));
        for wrong in ["9-3", "3-", "-3", "3-x", "x", ""] {
            assert!(read(wrong).unwrap_err().contains(&format!("`{wrong}`")), "{wrong}");
        }
    }
}
