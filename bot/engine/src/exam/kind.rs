//! The kinds of evaluations.

use serde::{Deserialize, Serialize};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

/// The question of an evaluation, which determines how a run is judged.
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

    /// Returns whether a plan is judged; otherwise, statements on danger are.
    pub fn is_of_plans(self) -> bool {
        matches!(self, Self::Plan | Self::Steps)
    }

    /// Returns whether the actor asks one question about the whole task.
    pub fn asks_once(self) -> bool {
        self != Self::Steps
    }
}
