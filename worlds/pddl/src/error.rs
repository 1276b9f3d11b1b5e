//! Errors of PDDL text, each with line, column and a correction.

use std::fmt;

use thiserror::Error;

/// A place in a text: line and column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The reason why a domain or a problem was not parsed: the place, the fault, and a correction.
///
/// ```
/// let error = ltlcrit_pddl::Domain::parse("(define (domain d)\n (:predicates (held)) (:action a :effect (hold)))").unwrap_err();
/// assert_eq!(error.to_string(), "2:43: there is no predicate `hold`; did you mean `held`?");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{place}: {message}; {help}")]
pub struct SyntaxError {
    /// The place.
    pub place: Place,
    /// The fault.
    pub message: String,
    /// The correction.
    pub help: String,
}

impl SyntaxError {
    pub(crate) fn new(place: Place, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place, message: message.into(), help: help.into() }
    }
}
