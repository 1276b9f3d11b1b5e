//! Critics as named on the command line, and the proposers they stand for.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use ltlcrit_critic::change::Change;
use ltlcrit_critic::propose::{Brief, ModelCritic, ProposeError, Proposer, TrialCritic, Unread};
use ltlcrit_model::Metered;
use ltlcrit_verifier::Definition;
use serde::{Deserialize, Serialize};

use crate::model::{AnyModel, ModelSpec};

/// A critic as written on the command line and in configuration files.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CriticSpec {
    /// `trials`: the critic over what every stored action was good for, without a model.
    Trials,
    /// `openai:MODEL` or `cassette:FILE`: a language model. No persona is a critic.
    Model(ModelSpec),
}

impl fmt::Display for CriticSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trials => f.write_str("trials"),
            Self::Model(model) => model.fmt(f),
        }
    }
}

impl FromStr for CriticSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match text.split(':').next() {
            Some("trials") if text == "trials" => Ok(Self::Trials),
            Some("openai" | "cassette") => Ok(Self::Model(text.parse()?)),
            _ => {
                let given: String = text.chars().take(80).collect();
                Err(format!("`{given}` names no critic; write `trials`, `openai:MODEL` or `cassette:FILE`"))
            }
        }
    }
}

impl Serialize for CriticSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CriticSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The critic that a [`CriticSpec`] names.
pub enum AnyCritic {
    /// `trials`.
    Trials(TrialCritic),
    /// A language model with its own caps and usage.
    Model(Box<ModelCritic<Arc<Metered<AnyModel>>>>),
}

impl Proposer for AnyCritic {
    fn name(&self) -> String {
        match self {
            Self::Trials(critic) => critic.name(),
            Self::Model(critic) => critic.name(),
        }
    }

    fn has_more(&self, brief: &Brief<'_>) -> bool {
        match self {
            Self::Trials(critic) => critic.has_more(brief),
            Self::Model(critic) => critic.has_more(brief),
        }
    }

    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError> {
        match self {
            Self::Trials(critic) => critic.propose(brief).await,
            Self::Model(critic) => critic.propose(brief).await,
        }
    }

    fn missed(&self) -> &[Definition] {
        match self {
            Self::Trials(critic) => critic.missed(),
            Self::Model(critic) => critic.missed(),
        }
    }

    fn unread(&self) -> &[Unread] {
        match self {
            Self::Trials(critic) => critic.unread(),
            Self::Model(critic) => critic.unread(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_others_are_refused() {
        for text in ["trials", "openai:gpt-4.1", "openai:qwen3:8b", "cassette:a/b.jsonl"] {
            assert_eq!(text.parse::<CriticSpec>().unwrap().to_string(), text);
        }
        for wrong in ["trails", "trials:7", "simulated", "openai:", ""] {
            assert!(wrong.parse::<CriticSpec>().is_err(), "{wrong}");
        }
        let error = "trails".parse::<CriticSpec>().unwrap_err();
        assert_eq!(error.to_string(), "`trails` names no critic; write `trials`, `openai:MODEL` or `cassette:FILE`");
    }
}
