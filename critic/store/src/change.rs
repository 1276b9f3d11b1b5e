//! Changes to a book as proposers want them: a new law, a law in the place of another, a law that goes.

use ltlcrit_laws::Evidence;
use serde::{Deserialize, Serialize};

use crate::LawId;

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

/// Why a law should go. The gate believes none of it: it looks for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetireCause {
    /// With others it leaves some state no action.
    Conflict,
    /// Its condition never held, however long it was in force.
    NeverFires,
    /// Most of what it blocked would have been right.
    BlocksGoodSteps,
    /// In some state, what it demands was tried and always failed.
    DemandsWhatFails,
    /// In some state it blocks what runs that were stuck there wanted and nobody has tried, or what alone works there; no run
    /// that was there got to its goal, and what the law blocks did work somewhere or was insisted on.
    LeavesDeadEnd,
    /// The other laws in force say the same.
    Implied,
}

/// What someone wants done to the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change {
    /// A new law.
    Add(Proposal),
    /// A law in the place of another, to resolve a conflict: the new one blocks less.
    Replace {
        /// The law that goes.
        law: LawId,
        /// The one in its place.
        with: Proposal,
        /// The observations that hold in a state where the old one leaves no action, together with others.
        state: Vec<String>,
    },
    /// A law is to go.
    Retire {
        /// Which.
        law: LawId,
        /// Why.
        cause: RetireCause,
        /// The observations that hold in the state that shows it: for a conflict, where it leaves no action together with
        /// others; for a demand that fails, where it failed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        state: Vec<String>,
        /// Who wants it to go.
        proposer: String,
    },
}

impl From<Proposal> for Change {
    fn from(proposal: Proposal) -> Self {
        Self::Add(proposal)
    }
}
