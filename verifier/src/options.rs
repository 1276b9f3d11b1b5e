//! Bounds of a shield.

use serde::{Deserialize, Serialize};

/// Bounds of a shield. All are counts, not times: the same run gives the same decisions everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShieldOptions {
    /// What judging all actions of one state may cost before the others are *undecided*, in units of work: one expansion of
    /// a search or whatever takes as long, some 40 ns (`benches/README.md`). An over-constrained state is judged twice, by
    /// all laws and by the hard ones, so a decision costs at most twice that, unless the budget is [raised](Self::raise). Judging what is
    /// [predicted](crate::Shield::predict) costs at most as much again, each time laws are relaxed. What was found out before
    /// saves time and no work, so that the answer does not depend on it. What is begun is finished: exploring a state of a law
    /// that nobody met before is not charged where it is cheap, and one transition costs up to 250,000.
    pub budget: u64,
    /// How many times that a decision may cost where otherwise nothing but stopping would be allowed, and not because it is
    /// proved.
    pub raise: u64,
    /// What finding a minimal conflict or blocking set may cost, and again what finding the literals of the run that make
    /// the laws of a blocking set block. Naming a conflict comes on top of a decision.
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
    /// As few as possible: each soft law is kept, those of most [weight](crate::Law::weight) first and then in the order given,
    /// with which the laws kept so far still leave an action.
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
