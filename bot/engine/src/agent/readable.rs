//! Names of propositions as people read them.

/// A proposition's name without its prefix: `action_mine_log` is `mine log`.
pub fn readable(name: &str) -> String {
    name.strip_prefix("action_").unwrap_or(name).replace('_', " ")
}
