//! `ltlcrit laws list`: the shipped books, or the laws of a book.

use std::fmt::Write as _;

use ltlcrit_laws::{Book, DerivedEntry, Entry, Status, shipped, shipped_names};
use serde::Serialize;

use super::open::open;
use crate::cli::output::{CliError, Context, DIM, HEAD, LAW, WARNING, defined, foreign, plural};
use crate::exit::ExitCode;

/// Arguments of `laws list`.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// A shipped book or a file; without it, the shipped books are listed
    book: Option<String>,
}

/// Lists books or laws.
///
/// # Errors
/// A book that cannot be read.
pub fn run(args: &ListArgs, context: &Context) -> Result<ExitCode, CliError> {
    match &args.book {
        None => {
            let books: Vec<Book> = shipped_names().filter_map(shipped).collect();
            context.result(&books.iter().map(summary).collect::<Vec<_>>(), || render_books(&books))?;
        }
        Some(name) => {
            let (book, _) = open(name)?;
            let listing = Listing { book: summary(&book), derived: book.derived(), entries: book.entries() };
            context.result(&listing, || render_book(&book))?;
        }
    }
    Ok(ExitCode::Success)
}

#[derive(Serialize)]
struct Summary<'a> {
    name: &'a str,
    revision: u64,
    vocabulary: &'a str,
    laws: usize,
    description: Option<&'a str>,
}

#[derive(Serialize)]
struct Listing<'a> {
    book: Summary<'a>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    derived: &'a [DerivedEntry],
    entries: &'a [Entry],
}

fn summary(book: &Book) -> Summary<'_> {
    Summary {
        name: book.name(),
        revision: book.revision(),
        vocabulary: book.vocabulary().name(),
        laws: book.entries().len(),
        description: book.description(),
    }
}

pub(super) fn render_books(books: &[Book]) -> String {
    let width = books.iter().map(|book| book.name().len()).max().unwrap_or(0);
    let mut out = String::new();
    for book in books {
        let laws = plural(book.entries().len(), "law");
        let description = foreign(book.description().unwrap_or(""));
        let _ = writeln!(out, "{HEAD}{:width$}{HEAD:#}  {laws:>8}  {description}", book.name());
    }
    out
}

pub(super) fn render_book(book: &Book) -> String {
    let mut out = String::new();
    let vocabulary = book.vocabulary().name();
    let _ = writeln!(out, "{HEAD}{}{HEAD:#} revision {}, vocabulary {vocabulary}", book.name(), book.revision());
    if let Some(description) = book.description() {
        let _ = writeln!(out, "{}", foreign(description));
    }
    if !book.derived().is_empty() {
        out.push('\n');
    }
    for entry in book.derived() {
        let _ = writeln!(out, "{}", defined(entry));
    }
    for entry in book.entries() {
        let _ = write!(out, "\n{LAW}{}{LAW:#} {DIM}{}{DIM:#}", entry.id, entry.strength);
        let _ = match &entry.status {
            Status::Adopted => writeln!(out),
            Status::Proposed => writeln!(out, " {WARNING}proposed{WARNING:#}"),
            Status::OnTrial { reason } => writeln!(out, " {WARNING}on trial:{WARNING:#} {}", foreign(reason)),
            Status::Retired { reason } => writeln!(out, " {WARNING}retired:{WARNING:#} {}", foreign(reason)),
        };
        let _ = writeln!(out, "  {}\n  {DIM}{}{DIM:#}", foreign(&entry.explanation), entry.formula);
    }
    out
}
