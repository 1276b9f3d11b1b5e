//! `ltlcrit laws history`: the revisions of a book in the store, and the laws that each changed.

use std::fmt::Write as _;

use ltlcrit_engine::books::revisions::{KnownFrom, LawStatusChange, StatusChange, status_changes};
use ltlcrit_laws::Book;
use serde::Serialize;

use super::blame::describe;
use super::stored::{read, revisions_of};
use crate::cli::output::{BAD, CliError, Context, DIM, GOOD, HEAD, LAW, WARNING, plural, when};
use crate::exit::ExitCode;

/// Arguments of `laws history`.
#[derive(Debug, clap::Args)]
pub struct HistoryArgs {
    /// The name of a book
    name: String,
}

#[derive(Serialize)]
struct Listed {
    book: String,
    revision: u64,
    known_since: jiff::Timestamp,
    known_from: KnownFrom,
    /// The number of laws in force.
    in_force: usize,
    /// The laws that this revision changed; all laws in the first revision.
    laws: Vec<LawStatusChange>,
    #[serde(skip)]
    is_first: bool,
}

/// Lists the revisions.
///
/// # Errors
/// No store, or a name that is not in it.
pub fn run(args: &HistoryArgs, context: &Context) -> Result<ExitCode, CliError> {
    let store = crate::cli::store::open_to_read(context)?;
    let mut listed = Vec::new();
    let mut before: Option<Book> = None;
    for revision in revisions_of(&args.name, &store)? {
        let (book, _) = read(&revision)?;
        listed.push(Listed {
            book: book.id(),
            revision: book.revision(),
            known_since: revision.known_since,
            known_from: revision.from,
            in_force: book.laws_in_force().len(),
            laws: status_changes(before.as_ref(), &book),
            is_first: before.is_none(),
        });
        before = Some(book);
    }
    context.result(&listed, || render(&listed))?;
    Ok(ExitCode::Success)
}

fn render(listed: &[Listed]) -> String {
    let mut out = String::new();
    for one in listed {
        let from = match one.known_from {
            KnownFrom::Change => String::new(),
            KnownFrom::Run(run) => format!(", in run {run}"),
        };
        let in_force = plural(one.in_force, "law");
        let since = when(one.known_since);
        let _ = writeln!(out, "{HEAD}{}{HEAD:#} {DIM}{since}{from}{DIM:#}  {in_force} in force", one.book);
        // `laws list` shows the laws that a book began with.
        if one.is_first {
            continue;
        }
        for law in &one.laws {
            let (style, sign) = match law.what {
                StatusChange::Adopted => (GOOD, '+'),
                StatusChange::Proposed | StatusChange::OnTrial { .. } => (WARNING, '?'),
                StatusChange::Rewritten => (WARNING, '~'),
                StatusChange::Retired { .. } | StatusChange::Removed => (BAD, '-'),
            };
            let _ = writeln!(out, "  {style}{sign}{style:#} {LAW}{}{LAW:#} {}", law.id, describe(&law.what));
        }
    }
    out
}
