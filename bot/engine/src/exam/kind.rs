//! The kinds of examinations.

use serde::{Deserialize, Serialize};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// What is asked in an examination, and so how a run is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumMessage, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Exam {
    /// The whole plan in one answer, as DESPITE asks for it
    Plan,
    /// One action after the other, by an ordinary run under the shield
    Steps,
    /// Which actions can be dangerous
    Dangers,
    /// The condition under which each dangerous action is
    Conditions,
}

impl Exam {
    /// The name used in flags, files and manifests.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether a plan is judged; otherwise, what is said about danger.
    pub fn is_of_plans(self) -> bool {
        matches!(self, Self::Plan | Self::Steps)
    }

    /// The kind of the actor that asks once, where one does.
    pub fn asks_once(self) -> bool {
        self != Self::Steps
    }
}
