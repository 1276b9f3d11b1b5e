//! Files that commands write for their users.

use std::io::{self, Write as _};
use std::path::Path;

use ltlcrit_files::{FileError, Output};
use ltlcrit_store::Store;

use crate::cli::output::CliError;
use crate::exit::ExitCode;

/// Begins a file for results. It replaces neither an input of this command nor a file of a store.
///
/// # Errors
/// Such files, links, directories, and places that cannot be written.
pub fn create(path: &Path) -> Result<Output, CliError> {
    if path.ancestors().skip(1).take(2).any(Store::is_at) {
        return Err(refused(path, "it is in the directory of a store").help("name a file outside of it"));
    }
    Output::create(path).map_err(|error| match (&error, error.help()) {
        (_, Some(help)) => refused(path, &error.to_string()).help(help),
        (FileError::NotRegular(_), None) => refused(path, &error.to_string()),
        (_, None) => failed(path)(&error.into()),
    })
}

/// Writes a file of results whole or not at all.
///
/// # Errors
/// The errors of [`create`], and a full disk.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let mut file = create(path)?;
    file.write_all(bytes).and_then(|()| file.finish()).map_err(|error| failed(path)(&error))
}

/// The error of a file that cannot be written.
pub fn failed(path: &Path) -> impl Fn(&io::Error) -> CliError {
    move |error| CliError::new(ExitCode::Failure, message(&error.to_string())).at(path.display().to_string())
}

fn refused(path: &Path, why: &str) -> CliError {
    CliError::usage(message(why)).at(path.display().to_string())
}

fn message(why: &str) -> String {
    format!("the file cannot be written: {why}")
}
