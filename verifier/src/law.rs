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

/// What becomes of a law that a run broke all the same.
///
/// Take `G(secrets_read -> X G !mail)`, and a mail sent after the secrets were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterBreak {
    /// The law goes on: what the letter falsified is struck out, everything else that the law demanded, or demands since that
    /// letter, stays. The letter falsifies this one `!mail`; `X G !mail` stays, so the next mail is blocked too. Where what
    /// is left contradicts itself, the law stays as it was before the letter.
    Keep,
    /// The law forgets what it demanded and begins afresh: with the letter that broke it, or with the next one if that letter
    /// alone breaks it. The next mail is allowed, until the secrets are read again.
    Rearm,
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
    /// What becomes of it when a run breaks it.
    pub after_break: AfterBreak,
    /// How much speaks for it, such as the number of steps that support it. Where soft laws clash, the one of less weight gives
    /// way.
    pub weight: u32,
}

impl Law {
    /// A law of this strength. After a break a hard law [goes on](AfterBreak::Keep), a soft one
    /// [begins afresh](AfterBreak::Rearm).
    pub fn new(strength: Strength, id: impl Into<LawId>, formula: Formula, explanation: impl Into<Arc<str>>) -> Self {
        let after_break = match strength {
            Strength::Hard => AfterBreak::Keep,
            Strength::Soft => AfterBreak::Rearm,
        };
        Self { id: id.into(), formula, strength, explanation: explanation.into(), after_break, weight: 0 }
    }

    /// A law that protects.
    pub fn hard(id: impl Into<LawId>, formula: Formula, explanation: impl Into<Arc<str>>) -> Self {
        Self::new(Strength::Hard, id, formula, explanation)
    }

    /// A law that saves steps.
    pub fn soft(id: impl Into<LawId>, formula: Formula, explanation: impl Into<Arc<str>>) -> Self {
        Self::new(Strength::Soft, id, formula, explanation)
    }

    /// Whether it is a hard law.
    pub fn is_hard(&self) -> bool {
        self.strength == Strength::Hard
    }
}
