//! A law: a formula with a name, a strength and a reason.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::formula::Formula;

/// What a law is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// Protects; never set aside.
    Hard,
    /// Saves steps; set aside in a state where the laws together leave no action.
    Soft,
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hard => "hard",
            Self::Soft => "soft",
        })
    }
}

/// A law's name: what verdicts and reasons refer to it by.
pub type LawId = Arc<str>;

/// A law in force.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Law {
    /// A short stable name, unique among the laws in force.
    pub id: LawId,
    /// What runs must satisfy.
    pub formula: Formula,
    /// Whether it protects or saves steps.
    pub strength: Strength,
    /// Why, in English, for people and models.
    pub explanation: Arc<str>,
}

impl Law {
    /// A law that protects.
    pub fn hard(id: impl Into<LawId>, formula: Formula, explanation: impl Into<Arc<str>>) -> Self {
        Self { id: id.into(), formula, strength: Strength::Hard, explanation: explanation.into() }
    }

    /// A law that saves steps.
    pub fn soft(id: impl Into<LawId>, formula: Formula, explanation: impl Into<Arc<str>>) -> Self {
        Self { id: id.into(), formula, strength: Strength::Soft, explanation: explanation.into() }
    }

    /// Whether it is a hard law.
    pub fn is_hard(&self) -> bool {
        self.strength == Strength::Hard
    }
}
