//! Bounds of a shield.

use serde::{Deserialize, Serialize};

/// Bounds of a shield. All are counts, not times: the same run gives the same decisions everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShieldOptions {
    /// Maximum cost of judging all actions of one state before the others are *undecided*, in units of work: one
    /// expansion of a search or whatever takes as long, some 40 ns (`benches/README.md`). An over-constrained state is
    /// judged twice, by all laws and by the hard ones. So a decision costs at most twice that, unless the budget is
    /// [raised](Self::raise). Judging what is [predicted](crate::Shield::predict) costs at most as much again, each
    /// time laws are relaxed. What was found out before saves time and no work, so that the answer does not depend on
    /// it. What is begun is finished: exploring a state of a law that nobody met before is not charged where it is
    /// cheap, and one transition costs up to 250,000.
    pub budget: u64,
    /// The factor by which a decision may cost more where otherwise nothing but stopping would be allowed, and not
    /// because it is proved.
    pub raise: u64,
    /// Maximum cost of finding a minimal conflict or blocking set. The literals of the run that make a blocking set
    /// block may cost as much again. Naming a conflict comes on top of a decision.
    pub explanation_budget: u64,
    /// Bytes the caches may hold.
    pub cache_bytes: usize,
    /// The soft laws that give way in an over-constrained state.
    pub fallback: Fallback,
}

/// The soft laws that give way where all laws together leave no action but stopping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// As few as possible. Soft laws are examined in the order of their [weight](crate::Law::weight), the heaviest
    /// first, and then in the order given. Each is kept with which the laws kept so far still leave an action.
    #[default]
    OneByOne,
    /// All of them, as in LTLCrit (section 3.1).
    All,
}

impl Default for ShieldOptions {
    fn default() -> Self {
        Self {
            budget: 200_000,
            raise: 10,
            explanation_budget: 50_000,
            cache_bytes: 24 << 20,
            fallback: Fallback::OneByOne,
        }
    }
}
