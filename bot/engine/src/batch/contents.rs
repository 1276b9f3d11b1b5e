//! The contents of a batch's directory, read without its lock.

use std::path::{Path, PathBuf};

use super::cells::Cells;
use super::experiment::Experiment;
use super::files::{DirectoryError, plan_file, read_plan};
use crate::user_error::UserError;

/// The contents of a directory, read without its lock.
#[derive(Debug)]
pub struct Contents {
    /// The directory.
    pub path: PathBuf,
    /// Its plan.
    pub experiment: Experiment,
    /// Its cells.
    pub cells: Cells,
}

impl Contents {
    /// Reads a directory. An incomplete last line is left out.
    ///
    /// # Errors
    /// The directory has no plan, or its files cannot be read.
    pub fn read(path: &Path) -> Result<Self, DirectoryError> {
        let plan_file = plan_file(path);
        if !plan_file.exists() {
            let message = format!("`{}` is not the directory of a batch: it has no `plan.toml`", path.display());
            return Err(UserError::new(message)
                .help("name the directory of a batch: what `-o` named when it ran")
                .into());
        }
        let experiment = Experiment::stored(read_plan(&plan_file)?, &plan_file.display().to_string())?;
        let cells = Cells::read(path, &experiment)?;
        Ok(Self { path: path.to_owned(), experiment, cells })
    }
}
