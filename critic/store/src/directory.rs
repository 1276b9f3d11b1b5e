//! Checks a store's directory, and extracts panic messages of the engine.

use std::io;
use std::path::Path;

use super::StoreError;

/// Rejects a directory with foreign content, before the engine adds its files. Links, pipes and devices are rejected as
/// well, since they would lead elsewhere or block.
pub(super) fn refuse_other_content(path: &Path) -> Result<(), StoreError> {
    let stranger = |why: String| Err(StoreError::NotAStore { path: path.to_owned(), why });
    let io = |error| StoreError::opening(path, error);
    match path.metadata() {
        Ok(found) if !found.is_dir() => return stranger("it is not a directory".to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(io(error)),
    }
    let (mut is_empty, mut is_store) = (true, false);
    for entry in path.read_dir().map_err(io)? {
        let entry = entry.map_err(io)?;
        let (name, kind) = (entry.file_name(), entry.file_type().map_err(io)?);
        if !kind.is_file() && !kind.is_dir() {
            return stranger(format!("its {} is a link, a pipe or a device", name.display()));
        }
        is_empty = false;
        // An interrupted first opening leaves only the lock file.
        is_store |= ["runs.jsonl", "lock"].iter().any(|ours| name == *ours);
    }
    if is_empty || is_store { Ok(()) } else { stranger("it is a directory with other files in it".to_owned()) }
}

/// Returns the first line of a panic message.
pub(super) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let line = text.unwrap_or("its files contradict themselves").lines().next().unwrap_or_default();
    line.chars().take(200).collect()
}
