//! The lines of `results.jsonl`, by cell.

use std::collections::BTreeMap;
use std::path::Path;

use ltlcrit_files::FileError;

use super::experiment::Experiment;
use super::files::DirectoryError;
use super::result::CellResult;
use crate::user_error::UserError;

/// The maximum size of a file, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Results by cell.
pub(super) type Results = BTreeMap<usize, CellResult>;

/// Reads and checks the results of a file. Lines may have any order. An incomplete last line is left out.
///
/// # Errors
/// The file cannot be read, or a line is not a result of a cell of this experiment, or the second one of a cell.
pub(super) fn read_results(path: &Path, experiment: &Experiment) -> Result<Results, DirectoryError> {
    let bytes = match ltlcrit_files::read(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(FileError::Missing) => return Ok(Results::new()),
        Err(error) => return Err(DirectoryError::io(path)(error.into())),
    };
    let cells = experiment.grid();
    let mut results = Results::new();
    let whole = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    for (number, line) in (1..).zip(whole) {
        let wrong = |why: String| {
            let message = format!("{}:{number}: {why}", path.display());
            UserError::new(message).help("remove the line, and its cell runs again")
        };
        let result: CellResult =
            serde_json::from_slice(line).map_err(|error| wrong(format!("this is no result of a cell: {error}")))?;
        let index = result.cell;
        let cell = cells.get(index).filter(|cell| cell.seed == result.seed && experiment.has(cell.index));
        if cell.is_none_or(|cell| experiment.conditions[cell.condition].name != result.condition) {
            return Err(wrong(format!("the plan has no cell {index} of this condition and seed")).into());
        }
        if results.insert(index, result).is_some() {
            return Err(wrong(format!("the cell {index} has a line before")).into());
        }
    }
    Ok(results)
}

/// Writes results in the order of the plan, unless the file has exactly these lines.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write_results(path: &Path, results: &Results) -> Result<(), DirectoryError> {
    let failed = DirectoryError::io(path);
    let mut text = Vec::new();
    for result in results.values() {
        text.extend(result.line().map_err(failed)?);
    }
    match ltlcrit_files::read(path, MAX_BYTES) {
        Ok(known) if known == text => Ok(()),
        _ => ltlcrit_files::replace(path, &text).map_err(failed),
    }
}
