//! The outcome of an action.

use std::borrow::Cow;
use std::fmt;

use ltlcrit_verifier::PropSet;
use serde::{Deserialize, Serialize};

/// A stable, snake_case reason code for a failed action, such as `not_visible` or `missing_ingredients`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reason(pub Cow<'static, str>);

impl Reason {
    /// The one who acts died during the action.
    pub const DIED: Self = Self(Cow::Borrowed("died"));
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The outcome of one executed action. Every action costs one step, also when it fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The reason for a failure; `None` if the action succeeded.
    pub failure: Option<Reason>,
    /// What happened, in one sentence for people and models.
    pub message: String,
    /// The time it took, in game ticks (20 a second).
    pub ticks: u64,
    /// What held one after the other while it went on, before the observation that it ended with: the rooms on the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<PropSet>,
}

impl Outcome {
    /// An outcome of an action that passed through nothing.
    pub fn new(failure: Option<Reason>, message: impl Into<String>, ticks: u64) -> Self {
        Self { failure, message: message.into(), ticks, passed: Vec::new() }
    }

    /// Whether the one who acts died.
    pub fn is_fatal(&self) -> bool {
        self.failure.as_ref() == Some(&Reason::DIED)
    }

    /// Whether the action succeeded.
    pub fn succeeded(&self) -> bool {
        self.failure.is_none()
    }
}
