//! Opens books, and formats errors and counts for all subcommands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ltlcrit_engine::books::named;
use ltlcrit_engine::config::{Config, RunConfig};
use ltlcrit_engine::world::{self, WorldName};
use ltlcrit_household::task;
use ltlcrit_laws::{Book, BookErrors, BookVocabulary, Reading};
use ltlcrit_pddl::PddlWorld;
use ltlcrit_verifier::syntax::nearest_name;
use ltlcrit_verifier::vocabulary::OTHER;
use ltlcrit_verifier::{Proposition, Signature, Vocabulary};
use ltlcrit_worlds::World as _;

use crate::cli::output::{CliError, book_help};

/// The vocabularies that books may name.
pub(super) fn known() -> Vec<Arc<Vocabulary>> {
    world::fixed_vocabularies().into_iter().map(|(_, vocabulary)| vocabulary).collect()
}

/// The vocabularies that these books may name: those that are [always known](known), that of a world, and that of each household task whose constraints
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
    let unread = books.iter().filter_map(|book| named::read(book, &[]).ok());
    add_household(&mut known, unread.map(|reading| reading.book).collect());
    Ok(known)
}

/// The vocabularies that the text of a book may name.
pub(super) fn known_of(text: &str) -> Vec<Arc<Vocabulary>> {
    let mut known = known();
    add_household(&mut known, vec![Reading::parse(text, "", &[]).book]);
    known
}

/// Adds what these books mention of the household, if one of them is a file over its vocabulary.
fn add_household(known: &mut Vec<Arc<Vocabulary>>, books: Vec<Book>) {
    let is_household = |book: &Book| matches!(book.vocabulary(), BookVocabulary::Named(name) if **name == *HOUSEHOLD);
    if known.iter().any(|one| one.name() == HOUSEHOLD) || !books.iter().any(is_household) {
        return;
    }
    let of_household: Vec<&Book> = books.iter().filter(|book| is_household(book)).collect();
    if let Some(vocabulary) = with_objects(&of_household) {
        known.push(vocabulary);
        return;
    }
    let entries = books.iter().flat_map(Book::entries);
    let mentioned: BTreeSet<Arc<str>> = entries.flat_map(|entry| entry.formula.atoms()).collect();
    let mut found: BTreeMap<Arc<str>, Proposition> = BTreeMap::new();
    for task in ENVIRONMENTS.iter().filter_map(|name| task(name).ok()) {
        let facts = task.english().facts.into_iter().filter(|fact| mentioned.contains(&fact.name));
        for fact in facts {
            found.entry(fact.name.clone()).or_insert_with(|| Proposition::new(fact.name, fact.meaning));
        }
    }
    let anything = Proposition::new(OTHER, "Do something");
    let vocabulary = Vocabulary::new(HOUSEHOLD, found.into_values().collect(), vec![anything], Vec::new());
    known.extend(vocabulary.ok().map(Arc::new));
}

/// The vocabulary of the first household in which laws with parameters have instances; `None` if there are no such laws.
fn with_objects(books: &[&Book]) -> Option<Arc<Vocabulary>> {
    books.iter().any(|book| !book.templates().is_empty()).then_some(())?;
    let mentioned = |signature: &Signature| -> BTreeSet<String> {
        books.iter().flat_map(|book| ltlcrit_laws::mentioned(book, signature)).map(|atom| atom.to_string()).collect()
    };
    let vocabularies = ENVIRONMENTS.iter().filter_map(|name| {
        let world = PddlWorld::under(&task(name).ok()?.task, Some(&mentioned)).ok()?;
        Some(world.vocabulary())
    });
    let fits = |vocabulary: &Arc<Vocabulary>| {
        let known = std::slice::from_ref(vocabulary);
        let read = |book: &Book| Reading::parse(book.text(), HOUSEHOLD, known);
        books.iter().all(|book| read(book).into_book().is_ok())
    };
    vocabularies.into_iter().find(fits)
}

/// The vocabulary of the household's tasks.
const HOUSEHOLD: &str = "household";
/// A task in each of the household's environments.
const ENVIRONMENTS: [&str; 3] = ["four-room-1", "mobile-1", "robot-1"];

/// A book without problems, with its vocabulary.
pub(super) fn open(name: &str) -> Result<(Book, Arc<Vocabulary>), CliError> {
    let known = known_to(&[name.to_owned()], None)?;
    named::read(name, &known).and_then(Reading::into_known).map_err(|errors| wrong(name, &errors))
}

/// The reading of a book without problems.
pub(super) fn reading(name: &str, known: &[Arc<Vocabulary>]) -> Result<Reading, CliError> {
    let reading = named::read(name, known).map_err(|errors| wrong(name, &errors))?;
    match reading.diagnostics.is_empty() {
        true => Ok(reading),
        false => Err(wrong(name, &BookErrors { diagnostics: reading.diagnostics, more: reading.more })),
    }
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
