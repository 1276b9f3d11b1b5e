//! Who proposes laws, as people name them, and behind each name a proposer.

use std::fmt;
use std::str::FromStr;

use ltlcrit_critic::admission::Change;
use ltlcrit_critic::propose::{Brief, GraphCritic, GraphCriticOptions, ProposeError, Proposer};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A critic as written on the command line and in configuration files.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CriticSpec {
    /// `graph`: exact, from what runs did; no model is asked.
    Graph,
}

/// Why a text names no critic.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{given}` names no critic; write `graph`")]
pub struct CriticSpecError {
    /// What was written, cut to a bounded length.
    pub given: String,
}

impl fmt::Display for CriticSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Graph => f.write_str("graph"),
        }
    }
}

impl FromStr for CriticSpec {
    type Err = CriticSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "graph" => Ok(Self::Graph),
            other => Err(CriticSpecError { given: other.chars().take(80).collect() }),
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

/// Whichever critic a [`CriticSpec`] names.
#[derive(Clone, Debug)]
pub enum AnyCritic {
    /// `graph`.
    Graph(GraphCritic),
}

impl AnyCritic {
    /// The critic of that name. What each needs comes with it.
    pub fn new(spec: &CriticSpec, graph: GraphCriticOptions) -> Self {
        match spec {
            CriticSpec::Graph => Self::Graph(GraphCritic::new(graph)),
        }
    }
}

impl Proposer for AnyCritic {
    fn name(&self) -> String {
        match self {
            Self::Graph(critic) => critic.name(),
        }
    }

    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError> {
        match self {
            Self::Graph(critic) => critic.propose(brief).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_others_are_refused() {
        assert_eq!(CriticSpec::Graph.to_string().parse(), Ok(CriticSpec::Graph));
        let error = "grpah".parse::<CriticSpec>().unwrap_err();
        assert_eq!(error.to_string(), "`grpah` names no critic; write `graph`");
    }
}
