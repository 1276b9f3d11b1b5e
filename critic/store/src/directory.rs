//! The directory a store is in: whether it is one, and what the engine says when it gives up on it.

use std::io;
use std::path::Path;

use super::StoreError;

/// Refuses a path that holds something else, before the engine puts its files next to it.
pub(super) fn refuse_strangers(path: &Path) -> Result<(), StoreError> {
    let stranger = |why: &str| Err(StoreError::NotAStore { path: path.to_owned(), why: why.to_owned() });
    match path.metadata() {
        Ok(found) if !found.is_dir() => stranger("it is not a directory"),
        Ok(_) if path.join("db").exists() => Ok(()),
        Ok(_) => match is_empty(path) {
            // A first opening cut short leaves the engine's other files behind and nothing in them.
            Ok(false) if !path.join("conf").exists() => stranger("it is a directory with other files in it"),
            Ok(_) => Ok(()),
            Err(error) => Err(StoreError::opening(path, sled::Error::Io(error))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::opening(path, sled::Error::Io(error))),
    }
}

/// Whether a directory has nothing in it.
pub(super) fn is_empty(path: &Path) -> io::Result<bool> {
    Ok(path.read_dir()?.next().is_none())
}

/// The first line of what a panic said.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let line = text.unwrap_or("its files contradict themselves").lines().next().unwrap_or_default();
    line.chars().take(200).collect()
}
