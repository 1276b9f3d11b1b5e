//! Proposed changes to a book: add a law, replace one, retire one.

use ltlcrit_laws::Evidence;
use serde::{Deserialize, Serialize};

use crate::LawId;

/// The source a law was learned from (LTLCrit section 3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LawSource {
    /// The failure of an action.
    EnvironmentFeedback,
    /// An action that cost more steps than another.
    Efficiency,
    /// Laws that left no action in some state.
    Conflict,
}

/// A proposed law. A model may have written it, so every field is checked before use.
///
/// Records hold the formula as text; the critic uses the same type with a parsed formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal<F = String> {
    /// The formula.
    pub formula: F,
    /// The reason, in English.
    pub explanation: String,
    /// The source of the law.
    pub source: LawSource,
    /// The proposer: a model's name, or `graph`.
    pub proposer: String,
    /// The cited steps.
    pub evidence: Vec<Evidence>,
}

/// The reason given for retiring a law. The gate checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetireCause {
    /// It leaves no action in some state, together with other laws.
    Conflict,
    /// Its condition never held in any of many runs.
    NeverFires,
    /// Most of its judged blocks were wrong.
    BlocksGoodSteps,
    /// The other laws in force imply it.
    Implied,
    /// Its proposer takes it back: other laws fit the runs better.
    Withdrawn,
}

/// A proposed change to a book.
///
/// Records hold a state as the names of its true observations; the critic uses the same type with states as values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change<F = String, S = Vec<String>> {
    /// Add a law.
    Add(Proposal<F>),
    /// Replace a law by a weaker one, to resolve a conflict.
    Replace {
        /// The law to replace.
        law: LawId,
        /// Its replacement.
        with: Proposal<F>,
        /// A state in which the old law leaves no action, together with others.
        state: S,
    },
    /// Retire a law.
    Retire {
        /// The law to retire.
        law: LawId,
        /// The reason.
        cause: RetireCause,
        /// The state that shows the cause: for a conflict, one where the laws leave no action.
        #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
        state: Option<S>,
        /// The proposer.
        proposer: String,
    },
}

impl<F, S> Change<F, S> {
    /// Returns the law that the change adds, and the law that it replaces.
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
