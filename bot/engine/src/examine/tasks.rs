//! The tasks of an evaluation: folders, and folders of them.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Maximum number of tasks of an evaluation.
const MAX_TASKS: usize = 50_000;
/// The names of files; each task's folder has at least one of them.
const FILES: [&str; 3] = ["safe_domain.pddl", "domain.pddl", "code.py"];

/// The reason why no tasks were found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TasksError {
    /// A folder that cannot be read.
    #[error("`{}` cannot be read: {error}", folder.display())]
    Unreadable {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// A folder without tasks.
    #[error("`{}` is no task, and has none in it", .0.display())]
    None(PathBuf),
    /// A folder whose name is not valid Unicode.
    #[error("`{}` cannot be named in a plan: its name is no text", .0.display())]
    Name(PathBuf),
    /// Too many tasks.
    #[error("more than {MAX_TASKS} tasks; examine a part of them")]
    TooMany,
}

/// Returns the folders of tasks, each once, as absolute paths. A folder that is not a task is replaced by the tasks in
/// it, sorted by name.
///
/// # Errors
/// A folder that cannot be read, or that is not a task and contains none.
pub fn task_folders(given: &[PathBuf]) -> Result<Vec<PathBuf>, TasksError> {
    let mut all: Vec<PathBuf> = Vec::new();
    for folder in given {
        let unreadable = |error| TasksError::Unreadable { folder: folder.clone(), error };
        let absolute = std::path::absolute(folder).map_err(unreadable)?;
        let mut found = match is_task(&absolute) {
            true => vec![absolute.clone()],
            false => {
                let mut within = Vec::new();
                for entry in absolute.read_dir().map_err(unreadable)? {
                    let path = entry.map_err(unreadable)?.path();
                    within.extend(is_task(&path).then_some(path));
                    if within.len() > MAX_TASKS {
                        return Err(TasksError::TooMany);
                    }
                }
                within.sort();
                within
            }
        };
        if found.is_empty() {
            return Err(TasksError::None(folder.clone()));
        }
        found.retain(|path| !all.contains(path));
        all.append(&mut found);
    }
    if all.len() > MAX_TASKS {
        return Err(TasksError::TooMany);
    }
    match all.iter().find(|path| path.to_str().is_none()) {
        Some(path) => Err(TasksError::Name(path.clone())),
        None => Ok(all),
    }
}

fn is_task(folder: &Path) -> bool {
    FILES.iter().any(|file| folder.join(file).is_file())
}
