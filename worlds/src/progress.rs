//! How far an action has come: what its world must know to go on with it after a crash.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far an action has come, as its world last wrote it down. What is written is the world's own matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What the world needs to go on with the action; `None` once it is over.
    #[serde(default, rename = "carried", skip_serializing_if = "Option::is_none")]
    pub action: Option<Value>,
    /// What the action has left in the world that is the agent's own; it stays after the action.
    #[serde(default, rename = "smelting", skip_serializing_if = "Option::is_none")]
    pub left_behind: Option<Value>,
}

/// Writes down how far the action in flight has come; `false` if it could not be written.
pub type Recorder = Arc<dyn Fn(&Progress) -> bool + Send + Sync>;

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of programs that wrote less, or nothing, are read.
    #[test]
    fn reads_old_records() {
        assert_eq!(serde_json::from_str::<Progress>("{}").unwrap(), Progress::default());
    }
}
