//! Opens books, and formats errors and counts for all subcommands.

use std::sync::Arc;

use ltlcrit_laws::{Book, BookErrors};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::syntax::nearest_name;

use crate::cli::CliError;
use crate::cli::convert::book_help;

/// The vocabularies that books may name.
pub(super) fn known() -> Vec<Arc<Vocabulary>> {
    vec![ltlcrit_minecraft::vocabulary()]
}

/// A book without problems, with its vocabulary.
pub(super) fn open(name: &str) -> Result<(Book, Arc<Vocabulary>), CliError> {
    ltlcrit_laws::open(name, &known()).map_err(|errors| wrong(name, &errors))
}

pub(super) fn wrong(name: &str, errors: &BookErrors) -> CliError {
    CliError::input(format!("the law book `{name}` cannot be read"))
        .detail(errors.to_string())
        .help(book_help(name, errors))
}

/// The error for an id that no law has, with the most similar id.
pub(super) fn no_such_law<'a>(id: &str, books: &str, ids: impl Iterator<Item = &'a str>) -> CliError {
    let help = match nearest_name(id, ids) {
        Some(id) => format!("did you mean `{id}`?"),
        None => "`ltlcrit laws list BOOK` lists the laws of a book".to_owned(),
    };
    CliError::input(format!("no law `{id}` in {books}")).help(help)
}

/// `1 law`, `2 laws`.
pub(super) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}
