//! The four verdicts of a monitor on a prefix (RV-LTL on finite words).

use serde::{Deserialize, Serialize};

/// The verdict on a law after a prefix of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No continuation, the empty one included, satisfies the law.
    Violated,
    /// An obligation is open: the law does not hold if the run stops here, but some continuation satisfies it.
    Pending,
    /// No obligation is open: the law holds if the run stops here and can still be violated.
    Clear,
    /// Every continuation satisfies the law.
    Satisfied,
}

impl Verdict {
    /// Returns whether a run that stops here satisfies the law.
    pub fn accepts(self) -> bool {
        matches!(self, Self::Clear | Self::Satisfied)
    }
}
