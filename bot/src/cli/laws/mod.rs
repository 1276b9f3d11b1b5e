//! `ltlcrit laws`: books of laws. Every subcommand takes a shipped book's name or a path.

mod check;
mod diff;
mod explain;
mod graph;
mod list;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ltlcrit_laws::{Book, BookErrors};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_worlds::minecraft;

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
    /// Say what changed from one book to another
    Diff(diff::DiffArgs),
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
        LawsCommand::Graph(args) => graph::run(args, context),
    }
}

/// The vocabularies that books may name.
fn known() -> Vec<Arc<Vocabulary>> {
    vec![minecraft::vocabulary()]
}

/// A book without problems, with its vocabulary.
fn open(name: &str) -> Result<(Book, Arc<Vocabulary>), CliError> {
    ltlcrit_laws::open(name, &known()).map_err(|errors| wrong(name, &errors))
}

fn wrong(name: &str, errors: &BookErrors) -> CliError {
    let shipped: Vec<&str> = ltlcrit_laws::shipped_names().collect();
    let error = CliError::input(format!("the law book `{name}` cannot be read")).detail(errors.to_string());
    if errors.problems.iter().any(|problem| problem.place.is_none()) {
        error.help(format!("give a path, or a shipped book: {}", shipped.join(", ")))
    } else {
        error.help(format!("`ltlcrit laws check {name}` looks at all of it"))
    }
}

/// `1 law`, `2 laws`.
fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}
