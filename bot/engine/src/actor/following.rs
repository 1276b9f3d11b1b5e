//! The actor that follows a plan.

use std::path::Path;

use ltlcrit_model::{ModelError, Usage};
use ltlcrit_worlds::async_trait;

use super::{Actor, Proposed, Situation, reply};
use crate::user_error::UserError;

/// The maximum size of a plan, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The line that ends the plan.
const DONE: &str = "DONE";

/// An actor with a whole plan, one action a line, as in Code as Policies. It ignores observations. It continues with
/// the next line when an action is refused or fails, and stops at the end.
pub struct FollowingActor {
    lines: Vec<String>,
}

impl FollowingActor {
    /// Reads the plan of a file: one action a line, and `DONE` to stop. Empty lines and lines that begin with `#` are
    /// skipped.
    ///
    /// # Errors
    /// The file cannot be read as text.
    pub fn read(path: &Path) -> Result<Self, UserError> {
        let text = ltlcrit_files::read_text(path, MAX_BYTES)
            .map_err(|error| UserError::new(format!("the plan `{}` cannot be read: {error}", path.display())))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Self { lines: lines.map(str::to_owned).collect() })
    }
}

#[async_trait(?Send)]
impl Actor for FollowingActor {
    fn name(&self) -> &str {
        "plan"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Result<Proposed, ModelError> {
        let asked: usize = situation.history.iter().map(|step| step.asked).sum::<usize>() + situation.asked;
        let vocabulary = situation.vocabulary;
        let action = match self.lines.get(asked).map(String::as_str) {
            None | Some(DONE) => vocabulary.stop().ok_or_else(|| reply::unknown(DONE, vocabulary)),
            Some(name) => reply::find(name, vocabulary),
        };
        Ok(Proposed { action, thought: None, usage: Usage::default() })
    }
}
