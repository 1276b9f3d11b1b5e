//! Specifications of models: `simulated`, `openai:gpt-4.1`, `cassette:run.jsonl`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use ltlcrit_worlds::planner::Strategy;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::actor::simulated::{PersonaError, PersonaSource};

/// A model, in the form of the command line and of configuration files.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ModelSpec {
    /// `simulated` (the persona that goes with the actor) or `simulated:PERSONA`, a shipped name or a file.
    Simulated(Option<PersonaSource>),
    /// `openai:MODEL`: any endpoint that speaks OpenAI's chat completions.
    OpenAi(String),
    /// `cassette:FILE`: answers recorded earlier.
    Cassette(PathBuf),
    /// `planner:STRATEGY`: no model; a planner that knows the world chooses the actions.
    Planner(Strategy),
    /// `plan:FILE`: no model; the actions of a file, in order.
    Plan(PathBuf),
}

impl ModelSpec {
    /// Returns whether no model is used: a planner acts, or a plan is followed.
    pub fn is_no_model(&self) -> bool {
        matches!(self, Self::Planner(_) | Self::Plan(_))
    }

    /// Adds the digest of the persona's file, so that a resumed run notices a change.
    ///
    /// # Errors
    /// The persona's file cannot be read or has changed.
    pub fn pinned(&self) -> Result<Self, PersonaError> {
        match self {
            Self::Simulated(Some(persona)) => persona.pinned().map(|persona| Self::Simulated(Some(persona))),
            other => Ok(other.clone()),
        }
    }
}

impl Default for ModelSpec {
    fn default() -> Self {
        Self::Simulated(None)
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulated(None) => f.write_str("simulated"),
            Self::Simulated(Some(persona)) => write!(f, "simulated:{persona}"),
            Self::OpenAi(model) => write!(f, "openai:{model}"),
            Self::Cassette(path) => write!(f, "cassette:{}", path.display()),
            Self::Planner(strategy) => write!(f, "planner:{}", strategy.name()),
            Self::Plan(path) => write!(f, "plan:{}", path.display()),
        }
    }
}

/// The reason why a text does not name a model.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SpecError {
    /// The kind is unknown.
    #[error(
        "`{given}` names no model; write `simulated`, `simulated:PERSONA` (one of {personas}, or a file `./NAME.toml`), `openai:MODEL` (such as \
         `openai:gpt-4.1`, with `--base-url` for other endpoints), `cassette:FILE`, `planner:STRATEGY` or `plan:FILE`",
        personas = names().join(", ")
    )]
    Kind {
        /// The input.
        given: String,
    },
    /// The text ends after the colon.
    #[error("`{kind}:` needs {what} after the colon, such as `{example}`")]
    Missing {
        /// The kind.
        kind: &'static str,
        /// The missing part.
        what: &'static str,
        /// A complete specification.
        example: &'static str,
    },
    /// The planner does not exist.
    #[error("`planner:` needs a strategy after the colon: {}", Strategy::ALL.iter().map(|it| format!("`planner:{}`", it.name())).collect::<Vec<_>>().join(", "))]
    Strategy,
    /// The persona does not exist.
    #[error(
        "there is no persona `{given}`{}; the personas are {}, and files `./NAME.toml`",
        suggestion.as_ref().map(|name| format!(", did you mean `{name}`?")).unwrap_or_default(),
        names().join(", ")
    )]
    Persona {
        /// The input.
        given: String,
        /// The nearest existing name.
        suggestion: Option<String>,
    },
}

fn names() -> Vec<&'static str> {
    PersonaSource::names().collect()
}

impl FromStr for ModelSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest.trim())),
            None => (text, None),
        };
        match (kind, rest) {
            ("simulated", None) => Ok(Self::Simulated(None)),
            ("simulated", Some("")) => {
                Err(SpecError::Missing { kind: "simulated", what: "a persona", example: "simulated:inner-monologue" })
            }
            ("simulated", Some(name)) => {
                name.parse().map(|persona| Self::Simulated(Some(persona))).map_err(|()| SpecError::Persona {
                    given: name.to_owned(),
                    suggestion: ltlcrit_model::answer::nearest(name, PersonaSource::names()).map(str::to_owned),
                })
            }
            ("openai", Some(model)) if !model.is_empty() => Ok(Self::OpenAi(model.to_owned())),
            ("openai", _) => {
                Err(SpecError::Missing { kind: "openai", what: "a model's name", example: "openai:gpt-4.1" })
            }
            ("cassette", Some(path)) if !path.is_empty() => Ok(Self::Cassette(path.into())),
            ("cassette", _) => {
                Err(SpecError::Missing { kind: "cassette", what: "a file", example: "cassette:run.jsonl" })
            }
            ("plan", Some(path)) if !path.is_empty() => Ok(Self::Plan(path.into())),
            ("plan", _) => Err(SpecError::Missing { kind: "plan", what: "a file", example: "plan:steps.txt" }),
            ("planner", name) => {
                let strategy = Strategy::ALL.iter().copied().find(|strategy| Some(strategy.name()) == name);
                strategy.map(Self::Planner).ok_or(SpecError::Strategy)
            }
            _ => Err(SpecError::Kind { given: text.chars().take(80).collect() }),
        }
    }
}

impl Serialize for ModelSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ModelSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_round_trip() {
        for text in [
            "simulated",
            "simulated:saycan",
            "simulated:./a b.toml",
            "simulated:a.toml@00000000000000ff",
            "openai:gpt-4.1",
            "openai:qwen3:8b",
            "cassette:a/b.jsonl",
            "planner:safe",
        ] {
            let spec: ModelSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<ModelSpec>(&json).unwrap(), spec);
        }
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let error = |text: &str| text.parse::<ModelSpec>().unwrap_err().to_string();
        insta::assert_snapshot!(
            [
                error("gpt-4.1"),
                error("openai:"),
                error("cassette"),
                error("simulated:saycna"),
                error("planner:fast"),
                error("")
            ]
            .join("\n")
        );
    }
}
