//! The four verdicts a monitor gives on a prefix (RV-LTL on finite words).

use serde::{Deserialize, Serialize};

/// What is known of a law after a prefix of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No continuation, the empty one included, satisfies the law.
    Violated,
    /// Something is still owed: the law does not hold if the run stops here, but can be made to.
    Pending,
    /// Nothing is owed; the law holds if the run stops here and could still be violated.
    Clear,
    /// Every continuation satisfies the law.
    Satisfied,
}

impl Verdict {
    /// Whether a run that stops here satisfies the law.
    pub fn accepts(self) -> bool {
        matches!(self, Self::Clear | Self::Satisfied)
    }
}
