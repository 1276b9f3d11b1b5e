//! The progress of an action: the data to continue it after a crash.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The progress of an action, as its world recorded it last. Each world has its own format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The data that the world needs to continue the action; `None` when none is under way.
    #[serde(default, rename = "carried", skip_serializing_if = "Option::is_none")]
    pub action: Option<Value>,
    /// The agent's belongings that lie in the world, such as items in a furnace. They stay after the action.
    #[serde(default, rename = "smelting", skip_serializing_if = "Option::is_none")]
    pub left_behind: Option<Value>,
}

/// Stores the progress of the action under way. Returns `false` on failure.
pub type Recorder = Arc<dyn Fn(&Progress) -> bool + Send + Sync>;

#[cfg(test)]
mod tests {
    use super::*;

    /// Records without these fields can be read.
    #[test]
    fn reads_old_records() {
        assert_eq!(serde_json::from_str::<Progress>("{}").unwrap(), Progress::default());
    }
}
