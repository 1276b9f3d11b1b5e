//! A letter of a session: one call, with what is known of its result.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The action of calls that no law of a book tells apart.
pub const OTHER: &str = "other";

/// One call of an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Letter {
    /// The action.
    pub action: String,
    /// Its objects, in the order of the action's parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<String>,
    /// Whether it ran for sure. A call in flight may have run.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub surely: bool,
    /// The facts that its result made true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// The facts that its result may have made true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perhaps: Vec<String>,
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_true(value: &bool) -> bool {
    *value
}

/// `write(src/a.rs)`, followed by the facts: `test, green`.
impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        if !self.objects.is_empty() {
            write!(f, "({})", self.objects.join(", "))?;
        }
        self.facts.iter().try_for_each(|fact| write!(f, ", {fact}"))
    }
}
