//! Checks of a store's directory, and the messages of panics of the engine.

use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::StoreError;

/// Refuses a path with other content, before the engine adds its files.
pub(super) fn refuse_other_content(path: &Path) -> Result<(), StoreError> {
    let stranger = |why: &str| Err(StoreError::NotAStore { path: path.to_owned(), why: why.to_owned() });
    match path.metadata() {
        Ok(found) if !found.is_dir() => stranger("it is not a directory"),
        Ok(_) if path.join("db").exists() => Ok(()),
        Ok(_) => match is_empty(path) {
            // A first opening that was cut short leaves empty files of the engine.
            Ok(false) if !path.join("conf").exists() => stranger("it is a directory with other files in it"),
            Ok(_) => Ok(()),
            Err(error) => Err(StoreError::opening(path, sled::Error::Io(error))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::opening(path, sled::Error::Io(error))),
    }
}

/// Refuses a time that the engine cannot count from 1970.
pub(super) fn check_clock(now: SystemTime) -> Result<(), StoreError> {
    if now < SystemTime::UNIX_EPOCH { Err(StoreError::Clock) } else { Ok(()) }
}

/// Whether a directory is empty.
pub(super) fn is_empty(path: &Path) -> io::Result<bool> {
    Ok(path.read_dir()?.next().is_none())
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
