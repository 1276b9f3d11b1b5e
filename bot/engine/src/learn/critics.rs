//! Critics as named on the command line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::model::ModelSpec;

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
