//! Proposed changes to a book: add a law, replace one, retire one.

use ltlcrit_laws::Evidence;
use serde::{Deserialize, Serialize};

use crate::LawId;

/// The source a law was learned from (LTLCrit section 3.4).
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

/// A proposed law. It may come from a model, so every field is checked before it is used.
///
/// Records hold the formula as text; the critic works on the same type with a formula as a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal<F = String> {
    /// The formula.
    pub formula: F,
    /// The reason, in English.
    pub explanation: String,
    /// The source it was learned from.
    pub source: LawSource,
    /// The proposer: a model's name, or `graph`.
    pub proposer: String,
    /// The steps cited for it.
    pub evidence: Vec<Evidence>,
}

/// The reason given for retiring a law. The gate checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetireCause {
    /// Together with other laws it leaves some state no action.
    Conflict,
    /// Its condition never held in any of many runs.
    NeverFires,
    /// Most of its blocks that could be judged were wrong.
    BlocksGoodSteps,
    /// The actions it demands always failed in some state.
    DemandsWhatFails,
    /// It blocks an action that may lead out of a dead end, a state from which no run reached its goal. Runs proposed
    /// the action there, and no run tried it there or it is the only one that worked there. The action worked in
    /// another state where the law blocks it, or a run kept proposing it.
    LeavesDeadEnd,
    /// The other laws in force imply it.
    Implied,
}

/// A proposed change to a book.
///
/// Records hold states as the names of the observations that hold; the critic works on the same type with states as values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change<F = String, S = Vec<String>> {
    /// Add a law.
    Add(Proposal<F>),
    /// Replace a law by one that blocks less, to resolve a conflict.
    Replace {
        /// The law to replace.
        law: LawId,
        /// Its replacement.
        with: Proposal<F>,
        /// A state in which the old law, together with others, leaves no action.
        state: S,
    },
    /// Retire a law.
    Retire {
        /// The law to retire.
        law: LawId,
        /// The reason.
        cause: RetireCause,
        /// The state that shows the cause: for a conflict, one where the laws leave no action; for a demand that fails,
        /// one where it failed.
        #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
        state: Option<S>,
        /// The proposer.
        proposer: String,
    },
}

impl<F, S> Change<F, S> {
    /// The law that the change adds, and the law that it replaces.
    pub fn brought(&self) -> Option<(&Proposal<F>, Option<&LawId>)> {
        match self {
            Self::Add(proposal) => Some((proposal, None)),
            Self::Replace { law, with, .. } => Some((with, Some(law))),
            Self::Retire { .. } => None,
        }
    }
}

impl<F, S> From<Proposal<F>> for Change<F, S> {
    fn from(proposal: Proposal<F>) -> Self {
        Self::Add(proposal)
    }
}
