//! The actors by name.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::simulated::Persona;

/// The actors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ActorKind {
    /// State and actions in, action out
    Naive,
    /// A value for every action the hard laws allow; the best one wins
    #[serde(rename = "saycan")]
    #[value(name = "saycan")]
    SayCan,
    /// Thought and action, with the history of both
    InnerMonologue,
    /// Laws as text in the prompt and no shield, for comparison
    NlConstraints,
}

impl ActorKind {
    /// The name used in flags, files and manifests.
    pub fn name(self) -> &'static str {
        self.persona().name()
    }

    /// The persona that plain `simulated` selects for this actor; both have the same name.
    pub const fn persona(self) -> Persona {
        match self {
            Self::Naive => Persona::Naive,
            Self::SayCan => Persona::SayCan,
            Self::InnerMonologue => Persona::InnerMonologue,
            Self::NlConstraints => Persona::NlConstraints,
        }
    }

    /// Whether the loop shields this actor: all but `nl-constraints`.
    pub const fn shielded(self) -> bool {
        !matches!(self, Self::NlConstraints)
    }
}
