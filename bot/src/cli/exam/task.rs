//! Reads tasks.

use std::path::Path;

use ltlcrit_pddl::{Task, TaskError};

use crate::cli::output::CliError;
use crate::exit::ExitCode;

/// The task in a folder.
pub fn read(folder: &Path) -> Result<Task, CliError> {
    Task::read(folder).map_err(|error| wrong(folder, &error))
}

/// The error of a task that cannot be read.
pub fn wrong(folder: &Path, error: &TaskError) -> CliError {
    CliError::from_error(ExitCode::Input, format!("the task in `{}` cannot be used", folder.display()), error)
}
