//! `ltlcrit laws`: books of laws. Every subcommand takes a shipped book's name or a path.

mod blame;
mod check;
mod decide;
mod diff;
mod explain;
mod graph;
mod history;
mod list;
mod pending;
mod stored;
#[cfg(test)]
mod tests;

pub(super) use list::in_short;

use std::sync::Arc;

use ltlcrit_laws::{Book, BookErrors};
use ltlcrit_verifier::Vocabulary;

use super::convert::book_help;
use super::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `laws`.
#[derive(Debug, clap::Args)]
pub struct LawsArgs {
    #[command(subcommand)]
    command: LawsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum LawsCommand {
    /// Find everything that is wrong with books, checked together
    Check(check::CheckArgs),
    /// List the shipped books, or the laws of a book
    List(list::ListArgs),
    /// Say what a law means and where it comes from
    Explain(explain::ExplainArgs),
    /// Say what changed from one book, or revision of a book, to another
    Diff(diff::DiffArgs),
    /// Show the laws that wait for a decision, with what stored runs say of them
    Pending(pending::PendingArgs),
    /// Put laws that wait for a decision in force
    Adopt(decide::AdoptArgs),
    /// Turn laws down that wait for a decision
    Reject(decide::RejectArgs),
    /// Say where a law came from and what became of it
    Blame(blame::BlameArgs),
    /// List the revisions of a book that the store knows
    History(history::HistoryArgs),
    /// Draw books as a graph in Graphviz's DOT
    Graph(graph::GraphArgs),
}

/// Runs one of the subcommands.
///
/// # Errors
/// Bad input, with its place.
pub fn run(args: &LawsArgs, context: &Context) -> Result<ExitCode, CliError> {
    match &args.command {
        LawsCommand::Check(args) => check::run(args, context),
        LawsCommand::List(args) => list::run(args, context),
        LawsCommand::Explain(args) => explain::run(args, context),
        LawsCommand::Diff(args) => diff::run(args, context),
        LawsCommand::Pending(args) => pending::run(args, context),
        LawsCommand::Adopt(args) => decide::adopt(args, context),
        LawsCommand::Reject(args) => decide::reject(args, context),
        LawsCommand::Blame(args) => blame::run(args, context),
        LawsCommand::History(args) => history::run(args, context),
        LawsCommand::Graph(args) => graph::run(args, context),
    }
}

/// The vocabularies that books may name.
fn known() -> Vec<Arc<Vocabulary>> {
    vec![ltlcrit_minecraft::vocabulary()]
}

/// A book without problems, with its vocabulary.
fn open(name: &str) -> Result<(Book, Arc<Vocabulary>), CliError> {
    ltlcrit_laws::open(name, &known()).map_err(|errors| wrong(name, &errors))
}

fn wrong(name: &str, errors: &BookErrors) -> CliError {
    CliError::input(format!("the law book `{name}` cannot be read"))
        .detail(errors.to_string())
        .help(book_help(name, errors))
}

/// An id that no law of these books has, with the nearest one that there is.
fn no_such_law<'a>(id: &str, books: &str, ids: impl Iterator<Item = &'a str>) -> CliError {
    let near = ids
        .map(|known| (strsim::jaro_winkler(known, id), known))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let help = match near {
        Some((_, id)) => format!("did you mean `{id}`?"),
        None => "`ltlcrit laws list BOOK` lists the laws of a book".to_owned(),
    };
    CliError::input(format!("no law `{id}` in {books}")).help(help)
}

/// `1 law`, `2 laws`.
fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}
