//! Derived observations as text.

use ltlcrit_laws::DerivedEntry;

use crate::cli::output::style::{DIM, HEAD};
use crate::cli::output::terminal::foreign;

/// A derived observation in one line: name, definition and meaning.
pub fn defined(entry: &DerivedEntry) -> String {
    let (name, meaning) = (foreign(&entry.name), entry.meaning.as_deref().map(foreign));
    let meaning = meaning.map_or_else(String::new, |meaning| format!("  {DIM}{meaning}{DIM:#}"));
    format!("{HEAD}{name}{HEAD:#} := {}{meaning}", entry.definition)
}
