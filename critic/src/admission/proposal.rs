//! Laws as proposers give them.

use ltlcrit_laws::Evidence;
use serde::{Deserialize, Serialize};

/// The longest formula the gate reads, in bytes.
pub const MOST_FORMULA: usize = 4_000;
/// The longest explanation it keeps.
pub const MOST_EXPLANATION: usize = 1_000;

/// What a law was learned from: LTLCrit's three sources (section 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LawSource {
    /// An action failed.
    EnvironmentFeedback,
    /// An action cost more steps than another.
    Efficiency,
    /// Laws left no action in some state.
    Conflict,
}

/// A law someone proposes. Everything in it may come from a model: nothing is believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The formula, in either notation.
    pub formula: String,
    /// The reason, in English.
    pub explanation: String,
    /// What it was learned from.
    pub source: LawSource,
    /// Who proposes it: a model's name, or `graph`.
    pub proposer: String,
    /// The steps that speak for it.
    pub evidence: Vec<Evidence>,
}
