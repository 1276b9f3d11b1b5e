//! `ltlcrit laws graph`: draws laws, their propositions and their conflicts.

use ltlcrit_laws::graph::{Edge, Node, dot, graph};
use ltlcrit_laws::{Book, CheckOptions, Reading, check_books};
use serde::Serialize;

use super::open::{known_of, open};
use crate::cli::{CliError, Context};
use crate::exit::ExitCode;

/// Arguments of `laws graph`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Draw it with Graphviz: ltlcrit laws graph BOOK | dot -Tsvg > book.svg")]
pub struct GraphArgs {
    /// Shipped books or files, drawn together
    #[arg(required = true, value_name = "BOOK")]
    books: Vec<String>,
    /// How many minimal conflicts to draw
    #[arg(long, value_name = "N", default_value_t = 10)]
    conflicts: usize,
}

#[derive(Serialize)]
struct Json<'a> {
    nodes: Vec<&'a Node>,
    edges: Vec<JsonEdge>,
}

#[derive(Serialize)]
struct JsonEdge {
    from: usize,
    to: usize,
    kind: Edge,
}

/// Draws the graph.
///
/// # Errors
/// A book that cannot be read, or books over different vocabularies.
pub fn run(args: &GraphArgs, context: &Context) -> Result<ExitCode, CliError> {
    let graph = draw(args)?;
    if context.json() {
        let edges = graph.raw_edges().iter();
        context.print_json(&Json {
            nodes: graph.node_weights().collect(),
            edges: edges
                .map(|edge| JsonEdge { from: edge.source().index(), to: edge.target().index(), kind: edge.weight })
                .collect(),
        })?;
    } else {
        context.print(dot(&graph).trim_end())?;
    }
    Ok(ExitCode::Success)
}

pub(super) fn draw(args: &GraphArgs) -> Result<petgraph::graph::DiGraph<Node, Edge>, CliError> {
    let mut readings: Vec<Reading> = Vec::new();
    let mut vocabulary = None;
    for name in &args.books {
        let (book, own) = open(name)?;
        if vocabulary
            .as_ref()
            .is_some_and(|other: &std::sync::Arc<ltlcrit_verifier::Vocabulary>| other.name() != own.name())
        {
            return Err(CliError::input(format!("the book `{name}` speaks another vocabulary, `{}`", own.name()))
                .help("draw books of one vocabulary together"));
        }
        readings.push(Reading::parse(book.text(), &book.source().name, &known_of(book.text())));
        vocabulary = Some(own);
    }
    let Some(vocabulary) = vocabulary else { return Err(CliError::usage("no book was given")) };
    let options = CheckOptions { most_conflicts: args.conflicts, ..CheckOptions::default() };
    let report = check_books(&readings, &options);
    let books: Vec<&Book> = readings.iter().map(|reading| &reading.book).collect();
    Ok(graph(&books, &vocabulary, &report))
}
