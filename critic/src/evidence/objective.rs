//! The constants of the one objective: what evidence weighs and what a law costs, in nats.

use serde::{Deserialize, Serialize};

/// The constants of the objective, each with a meaning. All weights are natural logarithms of odds (nats).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Objective {
    /// The cost of blocking a choice for each run that needed it to reach its goal, if no other known choice is as near.
    pub needed: f64,
    /// The same if another is as near, and for each run that gained something by it and missed its goal.
    pub gained: f64,
    /// The cost of blocking an action in a state where nobody tried it, for each run that was there.
    pub untried: f64,
    /// The cost of all blocks in the stalls of a generation of runs that got no further than the one before.
    pub release: f64,
    /// The number of steps by which another choice may be farther from the goal and still counts as near.
    pub margin: u32,
    /// The most bad steps of a run on one choice that count.
    pub repeats: u32,
    /// The bounds of the share of bad votes that is expected of a choice of unknown use. One bad step weighs −ln of that share.
    pub least_share: f64,
    /// See [`Self::least_share`].
    pub most_share: f64,
    /// The least and the most number of steps without a gain that make a trap. Between them it is twice the upper quartile of
    /// the steps between gains.
    pub least_patience: usize,
    /// See [`Self::least_patience`].
    pub most_patience: usize,
    /// The least gain of a condition that becomes a law.
    pub threshold: f64,
    /// The share of the prior that literals have which the action changes, takes or names.
    pub causal: f64,
    /// The extra cost of a positive literal for an action that always fails: it may work with more.
    pub positive: f64,
    /// The most literals of a condition.
    pub literals: usize,
    /// True if needless and trapped steps speak for a law too, and not failed ones alone.
    pub efficiency: bool,
}

impl Objective {
    /// The default constants.
    pub const DEFAULT: Self = Self {
        needed: 12.0,
        gained: 3.0,
        untried: 0.02,
        release: 8.0,
        margin: 1,
        repeats: 30,
        least_share: 0.05,
        most_share: 0.25,
        least_patience: 12,
        most_patience: 40,
        threshold: 2.0,
        causal: 0.8,
        positive: 1.5,
        literals: 4,
        efficiency: true,
    };
}

impl Default for Objective {
    fn default() -> Self {
        Self::DEFAULT
    }
}
