//! Specifications of models: `simulated`, `openai:gpt-4.1`, `cassette:run.jsonl`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use ltlcrit_model::answer::nearest;
use ltlcrit_worlds::planner::Strategy;
use serde::{Deserialize, Serialize};

use crate::actor::simulated::PersonaSource;
use crate::user_error::UserError;

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
    pub fn pinned(&self) -> Result<Self, UserError> {
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

impl FromStr for ModelSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (kind, rest) = match text.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest.trim())),
            None => (text, None),
        };
        let missing =
            |what: &str, example: &str| Err(format!("`{kind}:` needs {what} after the colon, such as `{example}`"));
        let personas = || PersonaSource::names().collect::<Vec<_>>().join(", ");
        match (kind, rest.filter(|rest| !rest.is_empty())) {
            ("simulated", None) if rest.is_none() => Ok(Self::Simulated(None)),
            ("simulated", None) => missing("a persona", "simulated:inner-monologue"),
            ("simulated", Some(name)) => name.parse().map(|persona| Self::Simulated(Some(persona))).map_err(|()| {
                let near = nearest(name, PersonaSource::names());
                let meant = near.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
                format!("there is no persona `{name}`{meant}; the personas are {}, and files `./NAME.toml`", personas())
            }),
            ("openai", Some(model)) => Ok(Self::OpenAi(model.to_owned())),
            ("openai", None) => missing("a model's name", "openai:gpt-4.1"),
            ("cassette", Some(path)) => Ok(Self::Cassette(path.into())),
            ("cassette", None) => missing("a file", "cassette:run.jsonl"),
            ("plan", Some(path)) => Ok(Self::Plan(path.into())),
            ("plan", None) => missing("a file", "plan:steps.txt"),
            ("planner", name) => {
                let strategy = Strategy::ALL.iter().copied().find(|strategy| Some(strategy.name()) == name);
                strategy.map(Self::Planner).ok_or_else(|| {
                    let all: Vec<String> = Strategy::ALL.iter().map(|it| format!("`planner:{}`", it.name())).collect();
                    format!("`planner:` needs a strategy after the colon: {}", all.join(", "))
                })
            }
            _ => Err(format!(
                "`{}` names no model; write `simulated`, `simulated:PERSONA` (one of {}, or a file `./NAME.toml`), \
                 `openai:MODEL` (such as `openai:gpt-4.1`, with `--base-url` for other endpoints), `cassette:FILE`, \
                 `planner:STRATEGY` or `plan:FILE`",
                text.chars().take(80).collect::<String>(),
                personas()
            )),
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
