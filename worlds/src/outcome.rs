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
    /// The player died during the action.
    pub const DIED: Self = Self(Cow::Borrowed("died"));
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The outcome of one executed action. Every action costs one step, even if it fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The reason for a failure; `None` if the action succeeded.
    pub failure: Option<Reason>,
    /// A description of the event, in one sentence for people and models.
    pub message: String,
    /// The duration in game ticks (20 per second).
    pub ticks: u64,
    /// The intermediate states in order, without the observation at the end: for example, the rooms passed through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<PropSet>,
    /// The number of deaths of a player that respawns, since the last action ended: on a server, it may also die
    /// between two actions. A fatal outcome is one death in any case.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub deaths: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Outcome {
    /// An outcome without intermediate states.
    pub fn new(failure: Option<Reason>, message: impl Into<String>, ticks: u64) -> Self {
        Self { failure, message: message.into(), ticks, passed: Vec::new(), deaths: 0 }
    }

    /// Returns whether the player died.
    pub fn is_fatal(&self) -> bool {
        self.failure.as_ref() == Some(&Reason::DIED)
    }

    /// Returns whether the action succeeded.
    pub fn succeeded(&self) -> bool {
        self.failure.is_none()
    }
}
