//! Books and steps in the store, for the subcommands of `laws`.

use std::path::Path;
use std::sync::Arc;

use ltlcrit_critic::hindsight::Moment;
use ltlcrit_engine::books::revisions::{Revision, revisions};
use ltlcrit_laws::{Book, Reading, shipped};
use ltlcrit_store::{Store, StoreError};
use ltlcrit_verifier::Vocabulary;

use super::open::{known_of, open, wrong};
use crate::cli::output::{BAD, CliError, Context, DIM, GOOD, foreign, plural};
use crate::cli::report::readable;
use crate::cli::store::note_remarks;

/// The store to read, if there is one. A store named on the command line must exist.
pub fn store_to_read(context: &Context) -> Result<Option<Store>, CliError> {
    match Store::open_to_read(&context.config()?.store.path) {
        Ok(store) => {
            note_remarks(&store, context);
            Ok(Some(store))
        }
        Err(StoreError::Missing { .. }) if !context.names_store() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The store to write, if there is one. A store named on the command line must exist. Another may be missing or in use
/// by a run, which is reported, because a book is a file and can be changed without a store.
pub fn store_to_write(context: &Context, without: &str) -> Result<Option<Store>, CliError> {
    match Store::open_existing(&context.config()?.store.path) {
        Ok(store) => Ok(Some(store)),
        Err(error) if context.names_store() => Err(error.into()),
        Err(StoreError::Missing { .. }) => Ok(None),
        Err(error @ StoreError::Locked { .. }) => {
            context.note(format_args!("{DIM}{without}: {error}{DIM:#}"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Opens a book without problems, with its vocabulary: a shipped one, a file, or a revision in the store such as
/// `learned@3`.
pub fn open_at(name: &str, context: &Context) -> Result<(Book, Arc<Vocabulary>), CliError> {
    match name.rsplit_once('@') {
        Some((book, revision)) if !Path::new(name).exists() => {
            let number = revision.parse().map_err(|_| {
                CliError::input(format!(
                    "`{revision}` in `{name}` is no number of a revision, and there is no such file"
                ))
                .help(format!("`ltlcrit laws history {book}` lists the revisions there are"))
            })?;
            revision_of(book, number, context)
        }
        _ => open(name),
    }
}

/// The revisions of a book that the store knows, in order.
pub fn revisions_of(name: &str, store: &Store) -> Result<Vec<Revision>, CliError> {
    let (of_name, others): (Vec<_>, Vec<_>) = revisions(store)?.into_iter().partition(|one| one.book.name == name);
    if of_name.is_empty() {
        let mut names: Vec<&str> = others.iter().map(|one| one.book.name.as_str()).collect();
        names.dedup();
        let message = format!("the store `{}` knows no book `{name}`", store.path().display());
        let known = if names.is_empty() { "no books".to_owned() } else { names.join(", ") };
        return Err(CliError::input(message).help(format!("it knows {known}")));
    }
    Ok(of_name)
}

fn revision_of(name: &str, revision: u64, context: &Context) -> Result<(Book, Arc<Vocabulary>), CliError> {
    // A shipped book needs no store.
    if let Some(book) = shipped(name).filter(|book| book.revision() == revision) {
        return open(name).map(|(_, vocabulary)| (book, vocabulary));
    }
    let store = crate::cli::store::open_to_read(context)?;
    let all = revisions_of(name, &store)?;
    let found: Vec<&Revision> = all.iter().filter(|one| one.book.revision == revision).collect();
    let Some(last) = found.last() else {
        let mut numbers: Vec<String> = all.iter().map(|one| format!("{name}@{}", one.book.revision)).collect();
        numbers.dedup();
        let message = format!("the store `{}` has no revision `{name}@{revision}`", store.path().display());
        return Err(CliError::input(message).help(format!("there are {}", numbers.join(", "))));
    };
    if found.len() > 1 {
        let known = plural(found.len(), "text");
        context.note(format_args!("{DIM}the store has {known} of {name}@{revision}; this is the latest{DIM:#}"));
    }
    read(last)
}

/// A stored revision as a book.
pub fn read(revision: &Revision) -> Result<(Book, Arc<Vocabulary>), CliError> {
    let name = format!("{}@{}", revision.book.name, revision.book.revision);
    let reading = Reading::parse(&revision.book.text, &name, &known_of(&revision.book.text));
    reading.into_known().map_err(|errors| wrong(&name, &errors))
}

/// A stored step on one line: `run 2 step 15: craft furnace failed: … (missing_items)`.
pub fn happened(moment: &Moment) -> String {
    let (style, word) = if moment.failure.is_some() { (BAD, "failed") } else { (GOOD, "done") };
    let reason = moment.failure.as_ref().map(|reason| format!(" {DIM}({reason}){DIM:#}")).unwrap_or_default();
    let message = foreign(moment.message.lines().next().unwrap_or("").trim_end_matches('.'));
    let message = if message.is_empty() { String::new() } else { format!(": {message}") };
    format!("{}: {} {style}{word}{style:#}{message}{reason}", moment.step, readable(&moment.action))
}

/// The observations before a stored step, on one line, without implied ones.
pub fn held(moment: &Moment) -> String {
    let names: Vec<&str> = moment.telling.iter().map(String::as_str).collect();
    match names.as_slice() {
        [] => format!("{DIM}where nothing held{DIM:#}"),
        names => format!("{DIM}where {} held{DIM:#}", names.join(", ")),
    }
}
