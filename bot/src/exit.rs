//! The exit codes of the `ltlcrit` command.

use std::process::{ExitCode as ProcessCode, Termination};

/// The exit codes of `ltlcrit`. The numbers are part of the interface: they are never reused for another meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// The command did what it was asked to do. For `run` and `resume`: the goal was reached.
    Success = 0,
    /// Something failed that no other code describes, such as an unreadable file.
    Failure = 1,
    /// The command line is wrong: an unknown flag, a missing argument, a value out of range.
    Usage = 2,
    /// The configuration is wrong: unknown key, wrong type, unreadable file.
    Config = 3,
    /// Input is wrong: a formula, a word, a law book, a cassette or a run id.
    Input = 4,
    /// A check was carried out and found problems: `laws check`, `store verify`, `doctor`. For `batch`: cells failed.
    Findings = 5,
    /// The store could not be opened, read or written: read-only, full, locked by another process, damaged.
    Store = 6,
    /// The model gave no answer: endpoint not reachable, key refused, no such recorded exchange.
    Model = 7,
    /// The world is gone or the player died.
    World = 8,
    /// The run ended before the goal: its steps were used up, or the actor stopped.
    NoGoal = 10,
    /// The run reached a cap on requests, tokens or money.
    Cap = 11,
    /// The run was aborted: the hard laws left no action, or it could not be decided whether they do, or no proposal could
    /// run.
    Aborted = 12,
    /// A hard law was violated in a run that ended by itself: at the goal, before it, or aborted.
    Violated = 13,
    /// Interrupted by Ctrl-C; a run can be resumed, and the same `batch` goes on.
    Interrupted = 130,
    /// The reader of our output closed it (a broken pipe).
    OutputClosed = 141,
}

impl ExitCode {
    /// All codes, in ascending order.
    pub const ALL: [Self; 15] = [
        Self::Success,
        Self::Failure,
        Self::Usage,
        Self::Config,
        Self::Input,
        Self::Findings,
        Self::Store,
        Self::Model,
        Self::World,
        Self::NoGoal,
        Self::Cap,
        Self::Aborted,
        Self::Violated,
        Self::Interrupted,
        Self::OutputClosed,
    ];

    /// The number the process exits with.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// A stable name for scripts that read `--json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Usage => "usage",
            Self::Config => "config",
            Self::Input => "input",
            Self::Findings => "findings",
            Self::Store => "store",
            Self::Model => "model",
            Self::World => "world",
            Self::NoGoal => "no_goal",
            Self::Cap => "cap",
            Self::Aborted => "aborted",
            Self::Violated => "violated",
            Self::Interrupted => "interrupted",
            Self::OutputClosed => "output_closed",
        }
    }

    /// The meaning of the code, in one line.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Success => "done; for `run` and `resume`: the goal was reached, and no hard law violated",
            Self::Failure => "a failure no other code describes",
            Self::Usage => "the command line is wrong",
            Self::Config => "the configuration is wrong",
            Self::Input => "a formula, word, law book, cassette or run id is wrong",
            Self::Findings => "a check found problems; for `batch`: cells failed",
            Self::Store => "the store cannot be opened, read or written",
            Self::Model => "the model gave no answer",
            Self::World => "the world is gone or the player died",
            Self::NoGoal => "the run ended before the goal: steps used up, a stall, or the actor stopped or gave up",
            Self::Cap => "the run reached a cap on requests, tokens or money",
            Self::Aborted => {
                "the run was aborted: the hard laws left no action, that could not be decided, or no proposal could run"
            }
            Self::Violated => "a hard law was violated, whether the run then reached the goal or ended before it",
            Self::Interrupted => "interrupted; continue with `resume` or the same `batch` command",
            Self::OutputClosed => "the reader of the output closed it (broken pipe)",
        }
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
