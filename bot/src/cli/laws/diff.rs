//! `ltlcrit laws diff`: compares two books or revisions.

use std::fmt::Write as _;
use std::sync::Arc;

use ltlcrit_laws::Book;
use ltlcrit_laws::diff::{Changed, Diff, FromTo, Meaning, OneSided};
use ltlcrit_verifier::Vocabulary;

use super::stored::open_at;
use crate::cli::output::{BAD, CliError, Context, DIM, GOOD, HEAD, LAW, WARNING, foreign, plural};
use crate::exit::ExitCode;

/// Arguments of `laws diff`.
#[derive(Debug, clap::Args)]
pub struct DiffArgs {
    /// The first book: a shipped one, a file, or a revision in the store such as `learned@3`
    from: String,
    /// The second book
    to: String,
}

/// Compares the books and prints the differences.
///
/// # Errors
/// A book that cannot be read, or a revision that is not in the store.
pub fn run(args: &DiffArgs, context: &Context) -> Result<ExitCode, CliError> {
    let diff = compare(args, |name| open_at(name, context))?;
    context.result(&diff, || render(&diff))?;
    Ok(ExitCode::Success)
}

pub(super) fn compare(
    args: &DiffArgs,
    open: impl Fn(&str) -> Result<(Book, Arc<Vocabulary>), CliError>,
) -> Result<Diff, CliError> {
    let ((from, from_words), (to, to_words)) = (open(&args.from)?, open(&args.to)?);
    Ok(ltlcrit_laws::diff((&from, &from_words), (&to, &to_words)))
}

pub(super) fn render(diff: &Diff) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{HEAD}{}{HEAD:#} -> {HEAD}{}{HEAD:#}", diff.books.from, diff.books.to);
    if let Some(vocabulary) = &diff.vocabulary {
        let _ = writeln!(out, "  vocabulary  {}", arrow(vocabulary));
    }
    for change in &diff.derived {
        let (from, to) = (change.definition.from.as_deref(), change.definition.to.as_deref());
        let definition = FromTo { from: from.unwrap_or("nothing").to_owned(), to: to.unwrap_or("nothing").to_owned() };
        let _ = writeln!(out, "  {}  {}", foreign(&change.name), arrow(&definition));
    }
    for law in &diff.removed {
        one_sided(&mut out, law, '-');
    }
    for law in &diff.added {
        one_sided(&mut out, law, '+');
    }
    for law in &diff.changed {
        changed(&mut out, law);
    }
    let (added, removed) = (diff.added.len(), diff.removed.len());
    let _ = writeln!(
        out,
        "{added} added, {removed} removed, {} changed, {} the same",
        diff.changed.len(),
        plural(diff.unchanged, "law")
    );
    out
}

fn arrow(change: &FromTo<String>) -> String {
    format!("{} {DIM}->{DIM:#} {}", foreign(&change.from), foreign(&change.to))
}

fn one_sided(out: &mut String, law: &OneSided, sign: char) {
    let style = if sign == '+' { GOOD } else { BAD };
    let _ = writeln!(
        out,
        "{style}{sign}{style:#} {LAW}{}{LAW:#} {DIM}{}, {}{DIM:#}",
        law.id,
        law.strength,
        foreign(&law.status)
    );
    let _ = writeln!(out, "    {}", law.formula);
    if let Some(same) = &law.same_as {
        let _ = writeln!(out, "    {DIM}means the same as{DIM:#} {LAW}{same}{LAW:#} {DIM}of the other book{DIM:#}");
    }
}

fn changed(out: &mut String, law: &Changed) {
    let _ = writeln!(out, "{WARNING}~{WARNING:#} {LAW}{}{LAW:#}", law.id);
    if let Some(formula) = &law.formula {
        let _ = writeln!(out, "    {BAD}-{BAD:#} {}\n    {GOOD}+{GOOD:#} {}", formula.from, formula.to);
    }
    let _ = match law.meaning {
        Some(Meaning::Same) => writeln!(out, "    the formulas mean the same"),
        Some(Meaning::Unknown) => {
            writeln!(out, "    {WARNING}not decided{WARNING:#} whether the formulas mean the same")
        }
        Some(Meaning::Different) | None => Ok(()),
    };
    for (what, change) in [("strength", &law.strength), ("status", &law.status), ("explanation", &law.explanation)] {
        if let Some(change) = change {
            let _ = writeln!(out, "    {what}: {}", arrow(change));
        }
    }
    if law.provenance {
        let _ = writeln!(out, "    its origin or note changed");
    }
}
