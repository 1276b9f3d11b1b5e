//! A law: a formula with a name, a strength and a reason.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::formula::Formula;

/// The purpose of a law, which determines whether it can be suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// Protects; never suspended.
    Hard,
    /// Saves steps; suspended in a state in which the laws together leave no action.
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

/// The treatment of a law after a run broke it.
///
/// Example: `G(secrets_read -> X G !mail)`, and a mail sent after the secrets were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterBreak {
    /// The law continues. The parts that the letter falsifies are removed; all other demands of the law stay, including
    /// those that the letter adds. The letter falsifies this one `!mail`; `X G !mail` stays, so the next mail is
    /// blocked too. If the rest contradicts itself, the law stays as it was before the letter.
    Keep,
    /// The law drops its demands and begins anew with the letter that broke it, or with the next one if that letter
    /// alone breaks it. The next mail is allowed, until the secrets are read again.
    Rearm,
}

/// A law's name, by which verdicts and reasons refer to it.
pub type LawId = Arc<str>;

/// A law in force.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Law {
    /// A short stable name, unique among the laws in force.
    pub id: LawId,
    /// The formula that runs must satisfy.
    pub formula: Formula,
    /// Hard if it protects, soft if it saves steps.
    pub strength: Strength,
    /// The reason for the law, in English, for people and models.
    pub explanation: Arc<str>,
    /// The treatment of the law after a run breaks it.
    pub after_break: AfterBreak,
    /// The evidence for the law, such as the number of supporting steps. If soft laws conflict, the one with less
    /// weight is suspended.
    pub weight: u32,
}

impl Law {
    /// Creates a law of this strength. After a break, a hard law [continues](AfterBreak::Keep), a soft one [begins
    /// anew](AfterBreak::Rearm).
    pub fn new(strength: Strength, id: impl Into<LawId>, formula: Formula, explanation: impl Into<Arc<str>>) -> Self {
        let after_break = match strength {
            Strength::Hard => AfterBreak::Keep,
            Strength::Soft => AfterBreak::Rearm,
        };
        Self { id: id.into(), formula, strength, explanation: explanation.into(), after_break, weight: 0 }
    }

    /// Creates a hard law, which protects.
    pub fn hard(id: impl Into<LawId>, formula: Formula, explanation: impl Into<Arc<str>>) -> Self {
        Self::new(Strength::Hard, id, formula, explanation)
    }

    /// Creates a soft law, which saves steps.
    pub fn soft(id: impl Into<LawId>, formula: Formula, explanation: impl Into<Arc<str>>) -> Self {
        Self::new(Strength::Soft, id, formula, explanation)
    }

    /// Returns whether the law is hard.
    pub fn is_hard(&self) -> bool {
        self.strength == Strength::Hard
    }
}
