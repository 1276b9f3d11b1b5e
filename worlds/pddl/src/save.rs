//! The writer of a task's folder.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::task::Task;

/// The reason why a task was not written.
#[derive(Debug, Error)]
#[error("{}: {error}", file.display())]
pub struct WriteTaskError {
    /// The file or folder.
    pub file: PathBuf,
    /// The reason.
    pub error: std::io::Error,
}

impl Task {
    /// Writes the task as a folder that [`Task::read`] reads back as the same task. The files are `safe_domain.pddl`
    /// and `safe_problem.pddl`, `basic_domain.pddl` and `basic_problem.pddl` without danger, and `metadata.json`. A
    /// task without danger has `domain.pddl` and `problem.pddl`.
    ///
    /// # Errors
    /// The folder or a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), WriteTaskError> {
        let failed = |file: &Path| {
            let file = file.to_owned();
            move |error| WriteTaskError { file, error }
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let mut files = Vec::new();
        let safe = if self.danger.is_some() { "safe_" } else { "" };
        files.push((format!("{safe}domain.pddl"), self.safe.domain.to_string()));
        files.push((format!("{safe}problem.pddl"), self.safe.to_string()));
        if self.danger.is_some() {
            let shown = self.shown();
            files.push(("basic_domain.pddl".to_owned(), shown.domain.to_string()));
            files.push(("basic_problem.pddl".to_owned(), shown.to_string()));
        }
        let metadata = serde_json::to_string_pretty(&self.metadata);
        let metadata = metadata.map_err(|error| failed(&folder.join("metadata.json"))(error.into()))?;
        files.push(("metadata.json".to_owned(), metadata + "\n"));
        for (name, text) in files {
            let file = folder.join(name);
            ltlcrit_files::replace_unsynced(&file, text.as_bytes()).map_err(failed(&file))?;
        }
        Ok(())
    }
}
