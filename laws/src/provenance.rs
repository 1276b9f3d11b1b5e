//! Provenance and status of laws.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// The way in which a law was found.
#[derive(
    Clone, Copy, Debug, Default, Display, EnumString, VariantNames, PartialEq, Eq, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Origin {
    /// A person wrote it.
    #[default]
    Hand,
    /// It is printed in a paper.
    Paper,
    /// A critic proposed it from trajectories.
    Critic,
    /// It was translated from a sentence.
    Translation,
}

/// A step of a stored run that supports a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Evidence {
    /// The run's id in the store.
    pub run: u64,
    /// The step of that run, from 1.
    pub step: u64,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run {} step {}", self.run, self.step)
    }
}

/// The origin of a law.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Provenance {
    /// The way in which it was found.
    pub origin: Origin,
    /// For a paper: the paper and its own numbering, such as `LTLCrit A.3.1, hard law 1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// For a translation: the sentence as it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
    /// The model that proposed or translated it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// For a translation: the engine that made it, such as `lexical` or `model`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// For a translation by a model: the hash of its prompts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts: Option<String>,
    /// For a translation: the decision of a person, which is `accepted`, `edited`, `chosen`, or `unreviewed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// For a law that was on trial: the decision, with the metrics of the runs with and without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<String>,
    /// The steps that support it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

impl Provenance {
    /// Returns the provenance of a law written by a person, without further information.
    pub fn hand() -> Self {
        Self::default()
    }
}

/// The status of a law in its book.
#[derive(Clone, Debug, Display, IntoStaticStr, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "status")]
#[strum(serialize_all = "kebab-case")]
pub enum Status {
    /// It waits for a decision and is not in force.
    Proposed,
    /// In force only in the episodes that learning plays to test it.
    OnTrial {
        /// The reason why it was not adopted at once.
        reason: String,
    },
    /// In force.
    Adopted,
    /// No longer in force.
    Retired {
        /// The reason.
        reason: String,
    },
}

impl Status {
    /// Returns the word that books use.
    pub fn as_str(&self) -> &'static str {
        self.into()
    }

    /// Returns whether it waits for a decision, from a person or from its trial.
    pub fn is_waiting(&self) -> bool {
        matches!(self, Self::Proposed | Self::OnTrial { .. })
    }

    /// The reason for the status, which a law on trial and a retired one have.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::OnTrial { reason } | Self::Retired { reason } => Some(reason),
            Self::Proposed | Self::Adopted => None,
        }
    }
}
