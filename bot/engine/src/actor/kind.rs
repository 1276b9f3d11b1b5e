//! The actors by name.

use serde::{Deserialize, Serialize};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// The actors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumMessage, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ActorKind {
    /// State and actions in, action out
    Naive,
    /// A value for every action the hard laws allow; the best one wins
    #[serde(rename = "saycan")]
    #[strum(serialize = "saycan")]
    SayCan,
    /// Thought and action, with the history of both
    InnerMonologue,
    /// Laws as text in the prompt and no shield, for comparison
    NlConstraints,
    /// All actions at once, with laws as text in the prompt, no feedback and no shield, for comparison
    WholePlan,
}

impl ActorKind {
    /// The name used in flags, files and manifests.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns whether the loop shields this actor: every kind except `nl-constraints` and `whole-plan`.
    pub const fn shielded(self) -> bool {
        !matches!(self, Self::NlConstraints | Self::WholePlan)
    }
}
