//! Names of propositions for people.

/// Strips the prefix of a proposition's name: `action_mine_log` becomes `mine log`.
pub fn readable(name: &str) -> String {
    name.strip_prefix("action_").unwrap_or(name).replace('_', " ")
}
