//! Opens books, and formats errors and counts for all subcommands.

use std::sync::Arc;

use ltlcrit_engine::books::named;
use ltlcrit_engine::config::{Config, RunConfig};
use ltlcrit_engine::world::{self, WorldName};
use ltlcrit_laws::{Book, BookErrors, Reading};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::syntax::nearest_name;

use crate::cli::CliError;
use crate::cli::convert::book_help;

/// The vocabularies that books may name.
pub(super) fn known() -> Vec<Arc<Vocabulary>> {
    vec![ltlcrit_minecraft::vocabulary()]
}

/// The vocabularies that these books may name: Minecraft's, that of a world, and that of each household task whose constraints
/// are named.
pub(super) fn known_to(books: &[String], world: Option<&WorldName>) -> Result<Vec<Arc<Vocabulary>>, CliError> {
    let mut known = known();
    let own: Vec<WorldName> = books.iter().filter_map(|book| named::world_of(book)?.parse().ok()).collect();
    for world in world.into_iter().chain(&own) {
        let run = RunConfig { world: world.clone(), laws: Some(books.to_vec()), ..RunConfig::default() };
        let vocabulary = world::vocabulary(&Config { run, ..Config::default() })?;
        known.retain(|other| other.name() != vocabulary.name());
        known.push(vocabulary);
    }
    Ok(known)
}

/// A book without problems, with its vocabulary.
pub(super) fn open(name: &str) -> Result<(Book, Arc<Vocabulary>), CliError> {
    let known = known_to(&[name.to_owned()], None)?;
    named::read(name, &known).and_then(Reading::into_known).map_err(|errors| wrong(name, &errors))
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
