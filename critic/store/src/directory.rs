//! Checks of a store's directory, and the messages of panics of the engine.

use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::StoreError;

/// Refuses a path with other content, before the engine adds its files, and files that are links, pipes or devices: they
/// would lead elsewhere, or keep who opens them waiting.
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
        // A first opening that was cut short leaves the file that is locked.
        is_store |= ["runs.jsonl", "db", "conf", "lock"].iter().any(|ours| name == *ours);
    }
    if is_empty || is_store { Ok(()) } else { stranger("it is a directory with other files in it".to_owned()) }
}

/// Refuses a time that the engine cannot count from 1970.
pub(super) fn check_clock(now: SystemTime) -> Result<(), StoreError> {
    if now < SystemTime::UNIX_EPOCH { Err(StoreError::Clock) } else { Ok(()) }
}

/// The first line of a panic message.
pub(super) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let line = text.unwrap_or("its files contradict themselves").lines().next().unwrap_or_default();
    line.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_before_1970_is_told_as_what_it_is() {
        let error = check_clock(SystemTime::UNIX_EPOCH - Duration::from_secs(1)).unwrap_err().to_string();
        assert_eq!(
            error,
            "the system's clock says that it is before 1970, and no store can be opened then; set the clock"
        );
        assert!(check_clock(SystemTime::UNIX_EPOCH).is_ok());
    }
}
