//! The exit codes of the `ltlcrit` command.

use std::process::{ExitCode as ProcessCode, Termination};

use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// The exit codes of `ltlcrit`. The numbers are part of the interface: they are never reused for another meaning.
///
/// The documentation of a code is its [meaning](Self::meaning).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumMessage, IntoStaticStr, VariantArray)]
#[repr(u8)]
#[strum(serialize_all = "snake_case")]
pub enum ExitCode {
    /// done; for `run` and `resume`: the goal was reached, and no hard law violated
    Success = 0,
    /// a failure no other code describes
    Failure = 1,
    /// the command line is wrong
    Usage = 2,
    /// the configuration is wrong
    Config = 3,
    /// a formula, word, law book, cassette or run id is wrong
    Input = 4,
    /// a check found problems; for `batch`: cells failed
    Findings = 5,
    /// the store cannot be opened, read or written
    Store = 6,
    /// the model gave no answer
    Model = 7,
    /// the world is gone or the player died
    World = 8,
    /// the run ended before the goal: steps used up, a stall, or the actor stopped or gave up
    NoGoal = 10,
    /// the run reached a cap on requests, tokens or money
    Cap = 11,
    /// the run was aborted: the hard laws left no action, that could not be decided, or no proposal could run
    Aborted = 12,
    /// a hard law was violated, whether the run then reached the goal or ended before it
    Violated = 13,
    /// interrupted; continue with `resume` or the same `batch` command
    Interrupted = 130,
    /// the reader of the output closed it (broken pipe)
    OutputClosed = 141,
}

impl ExitCode {
    /// All codes, in ascending order.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The number the process exits with.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// A stable name for scripts that read `--json`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The meaning of the code, in one line.
    pub fn meaning(self) -> &'static str {
        self.get_documentation().unwrap_or_default()
    }
}

impl Termination for ExitCode {
    fn report(self) -> ProcessCode {
        ProcessCode::from(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_distinct_and_ascending() {
        for pair in ExitCode::ALL.windows(2) {
            assert!(pair[0].number() < pair[1].number());
            assert_ne!(pair[0].name(), pair[1].name());
        }
    }
}
