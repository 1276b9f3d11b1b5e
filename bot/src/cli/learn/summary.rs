//! The header and the summary of learning, as text.

use ltlcrit_engine::config::Config;
use ltlcrit_engine::learn::{BookFile, Ended};
use ltlcrit_laws::{Book, Entry, Status, Strength};
use ltlcrit_model::ModelInfo;
use ltlcrit_store::End;

use super::document::Test;
use super::figures::{self, Table};
use crate::cli::args::critic_flags;
use crate::cli::output::{DIM, HEAD, LAW, WARNING, defined, foreign, plural};
use crate::cli::report::fitting;

/// Lines are shorter than this, so that they fit a terminal of 80 columns.
pub const WIDTH: usize = 81;

/// The header: the book, the actor, the worlds and the critics.
pub fn header(
    config: &Config,
    model: &ModelInfo,
    others: &[Book],
    book: &Book,
    file: &BookFile,
    new: bool,
    task: &str,
) -> Vec<String> {
    let count = |strength: Strength| {
        let laws = others.iter().flat_map(Book::laws_in_force);
        laws.filter(|law| law.strength == strength).count()
    };
    let (first, last) = (config.run.seed, config.run.seed.saturating_add(config.learn.episodes - 1));
    let seeds = if first == last { format!("seed {first}") } else { format!("seeds {first} to {last}") };
    let world = foreign(&config.run.world.to_string());
    let laws = if others.is_empty() {
        "no others in force".to_owned()
    } else {
        let names: Vec<&str> = others.iter().map(Book::name).collect();
        format!("{} besides ({} hard, {} soft)", names.join(", "), count(Strength::Hard), count(Strength::Soft))
    };
    let state = if new { "new".to_owned() } else { plural(book.laws_in_force().len(), "law") };
    let mut lines = vec![
        format!("{HEAD}learning {}{HEAD:#} ({state}), in {}", book.id(), file.path().display()),
        format!("{DIM}actor{DIM:#}   {} with {}", config.run.actor.name(), foreign(&model.to_string())),
        format!("{DIM}world{DIM:#}   {world}, {seeds}: {task}"),
        format!("{DIM}laws{DIM:#}    {laws}"),
        format!("{DIM}critic{DIM:#}  {}", critic_flags::names(&config.learn)),
    ];
    if config.learn.review {
        lines.push(format!("{DIM}review{DIM:#}  admitted laws wait for a person and are not in force meanwhile"));
    }
    lines.iter().map(|line| fitting(line, WIDTH, "critic  ".len())).collect()
}

/// Returns the reason why learning ended, in words.
pub fn ended(ended: Ended, stopped: Option<&End>) -> String {
    match (stopped, ended) {
        (Some(end), _) => foreign(&end.to_string()),
        (None, Ended::Done) => "all iterations done".to_owned(),
        (None, Ended::Stable) => "stable: two iterations in a row changed nothing significant".to_owned(),
        (None, Ended::Interrupted) => "interrupted".to_owned(),
    }
}

/// The test's rows.
pub fn test(table: Table, test: &Test, before: u64, after: u64, episodes: u64) -> String {
    let last = test.from_seed + episodes - 1;
    [
        format!("{DIM}fresh seeds {} to {last}, before and after:{DIM:#}", test.from_seed),
        table.test(before, &test.before),
        table.test(after, &test.after),
        figures::verdict(&test.comparison),
    ]
    .join("\n")
}

/// The summary: the book's path and laws, and the suggested next command.
pub fn text(file: &BookFile, others: &[String], before: &Book, after: &Book, ended: &str) -> String {
    let path = file.path().display();
    let revision = if after.revision() == before.revision() {
        format!("is at revision {} still", after.revision())
    } else {
        format!("is at revision {}, from {}", after.revision(), before.revision())
    };
    let mut parts = vec![fitting(&format!("{HEAD}{path}{HEAD:#} {revision}; {ended}"), WIDTH, 2)];
    let in_force: Vec<&Entry> = after.entries().iter().filter(|entry| entry.in_force()).collect();
    if in_force.is_empty() {
        parts.push("no law of it is in force".to_owned());
    } else {
        parts.push(list(&format!("{} in force:", plural(in_force.len(), "law")), &in_force));
    }
    if !after.derived().is_empty() {
        let defined = after.derived().iter().map(|entry| fitting(&format!("  {}", defined(entry)), WIDTH, 4));
        let heading = format!("{} defined by it:", plural(after.derived().len(), "observation"));
        parts.push(std::iter::once(heading).chain(defined).collect::<Vec<_>>().join("\n"));
    }
    let waiting: Vec<&Entry> = after.entries().iter().filter(|entry| entry.status == Status::Proposed).collect();
    if !waiting.is_empty() {
        parts.push(list(
            &format!("{WARNING}{} for a person to adopt:{WARNING:#}", waiting_count(waiting.len())),
            &waiting,
        ));
    }
    let mut next = vec![format!("{DIM}all of it:{DIM:#}  ltlcrit laws list {path}")];
    if !in_force.is_empty() {
        let others: Vec<String> = others.iter().map(|other| format!("--laws {other} ")).collect();
        next.push(format!("{DIM}run by it:{DIM:#}  ltlcrit run {}--laws {path}", others.concat()));
    }
    if !waiting.is_empty() {
        next.push(format!("{DIM}decide:{DIM:#}     ltlcrit laws pending {path}"));
    }
    parts.push(next.join("\n"));
    parts.join("\n\n")
}

fn waiting_count(count: usize) -> String {
    format!("{} waiting", plural(count, "law"))
}

fn list(heading: &str, laws: &[&Entry]) -> String {
    let mut lines = vec![heading.to_owned()];
    for entry in laws {
        lines.push(format!("  {LAW}{}{LAW:#}", entry.id));
        lines.push(fitting(&format!("    {}", entry.formula), WIDTH, 6));
        lines.push(fitting(&format!("    {DIM}{}{DIM:#}", foreign(&entry.explanation)), WIDTH, 4));
    }
    lines.join("\n")
}
