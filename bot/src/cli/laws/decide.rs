//! `ltlcrit laws adopt` and `laws reject`: a person's decision on proposed laws. Either makes a new revision of the book, which
//! a running bot puts in force before its next step.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_engine::books::{fields, keep_revision, named};
use ltlcrit_laws::check::{ConsistencyReport, ConsistencyVerdict, RunSatisfiability};
use ltlcrit_laws::{Book, CheckOptions, Edit, EditError, LawRef, MAX_BOOK, Reading, Status, check_books};
use ltlcrit_store::{BookRecord, Store};
use ltlcrit_verifier::Vocabulary;
use serde::Serialize;

use super::open::{known_to, no_such_law, open, reading, wrong};
use super::stored::store_to_write;
use crate::cli::output::{CliError, Context, DIM, GOOD, HEAD, WARNING, law_ids};
use crate::exit::ExitCode;

/// Arguments of `laws adopt`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A law is adopted only if every state keeps an action under this book and those beside it; otherwise exit code 5."
)]
pub struct AdoptArgs {
    /// The book's file
    book: String,
    /// The laws to put in force
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// A book that is in force beside it; may be repeated [default: those of the configuration]
    #[arg(long, value_name = "BOOK")]
    with: Vec<String>,
}

/// Arguments of `laws reject`.
#[derive(Debug, clap::Args)]
pub struct RejectArgs {
    /// The book's file
    book: String,
    /// The laws to reject
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// The reason, kept in the book
    #[arg(long, value_name = "WHY", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    reason: String,
}

/// A decision as `--json` prints it.
#[derive(Default, Serialize)]
struct Decided<'a> {
    /// Name and revision of the book now.
    book: String,
    adopted: &'a [String],
    rejected: &'a [String],
    /// The books that it was checked with.
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<Vec<String>>,
    /// Laws in force that the proof does not cover.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beyond_proof: Vec<String>,
    /// The number of the revision in the store, if it was recorded there.
    recorded: Option<u64>,
}

impl Decided<'_> {
    fn text(&self) -> String {
        let (what, ids) = if self.adopted.is_empty() { ("rejected", self.rejected) } else { ("adopted", self.adopted) };
        let mut lines = vec![format!("{HEAD}{}{HEAD:#}: {what} {}", self.book, law_ids(ids))];
        if let Some(with) = &self.with {
            let with = if with.is_empty() { String::new() } else { format!(", together with {}", with.join(", ")) };
            lines.push(format!("{GOOD}proven{GOOD:#}: every state keeps an action{with}"));
        }
        if !self.beyond_proof.is_empty() {
            let laws = law_ids(&self.beyond_proof);
            lines.push(format!("{WARNING}not covered{WARNING:#}: {laws}: the proof says nothing of them"));
        }
        lines.join("\n")
    }
}

/// Puts laws in force, if every state keeps an action.
///
/// # Errors
/// Laws that are not proposed or that would over-constrain, or a file that cannot be changed. The file then stays as it
/// was.
pub fn adopt(args: &AdoptArgs, context: &Context) -> Result<ExitCode, CliError> {
    let revision = Revision::new(&args.book, &args.ids, &Status::Adopted, context)?;
    fields::check(&revision.new).map_err(|errors| wrong(&args.book, &errors))?;
    let names = if args.with.is_empty() { context.config()?.run.books() } else { args.with.clone() };
    let known = known_to(&[names.as_slice(), std::slice::from_ref(&args.book)].concat(), None)?;
    let beside = beside(args, &names, &revision, &known)?;
    let with: Vec<String> = beside.iter().map(|reading| reading.book.id()).collect();
    let own = Reading::parse(revision.new.text(), &args.book, &known);
    let readings: Vec<Reading> = [own].into_iter().chain(beside).collect();
    let report = check_books(&readings, &CheckOptions::default());
    let Some(consistency) = &report.consistency else {
        let findings = report.findings.iter().take(3).map(|finding| finding.message.clone());
        return Err(findings.fold(refused("the books cannot be checked together"), CliError::detail));
    };
    keeps_an_action(consistency, &revision.new, &args.ids)?;
    let beyond_proof = consistency.left_out.iter().map(|left| left.law.id.clone()).collect();
    revision.finish(Decided { adopted: &args.ids, with: Some(with), beyond_proof, ..Decided::default() }, context)
}

/// Rejects proposed laws.
///
/// # Errors
/// Laws that are not proposed, or a file that cannot be changed. The file then stays as it was.
pub fn reject(args: &RejectArgs, context: &Context) -> Result<ExitCode, CliError> {
    let status = Status::Retired { reason: args.reason.clone() };
    let revision = Revision::new(&args.book, &args.ids, &status, context)?;
    revision.finish(Decided { rejected: &args.ids, ..Decided::default() }, context)
}

/// The next revision of a book, before it is written.
struct Revision<'a> {
    path: &'a str,
    store: Option<Store>,
    old: Book,
    new: Book,
    vocabulary: Arc<Vocabulary>,
}

impl<'a> Revision<'a> {
    /// The next revision, with this status for these proposed laws.
    fn new(path: &'a str, ids: &[String], status: &Status, context: &Context) -> Result<Self, CliError> {
        let store = store_to_write(context, "the new revision will not be recorded")?;
        check_changeable(path)?;
        let (old, vocabulary) = open(path)?;
        let new = decide(&old, ids, status)?;
        Ok(Self { path, store, old, new, vocabulary })
    }

    /// Writes and records it, and prints what was decided.
    fn finish(&self, decided: Decided<'_>, context: &Context) -> Result<ExitCode, CliError> {
        save(&self.old, &self.new, self.path)?;
        let recorded = keep(self.store.as_ref(), &self.new, self.path)?;
        let decided = Decided { book: self.new.id(), recorded, ..decided };
        context.result(&decided, || decided.text())?;
        if recorded.is_none() {
            context.note(format_args!("{DIM}the revision is in the file alone; no store has it{DIM:#}"));
        }
        Ok(ExitCode::Success)
    }
}

/// Refuses to change a book that comes with the program.
pub(super) fn check_changeable(source: &str) -> Result<(), CliError> {
    if named::is_shipped(source) {
        return Err(CliError::input(format!("the book `{source}` comes with the program and cannot be changed"))
            .help("keep laws of your own in a file of your own, beside it"));
    }
    Ok(())
}

/// The next revision of the book, with this status for these proposed laws.
fn decide(book: &Book, ids: &[String], status: &Status) -> Result<Book, CliError> {
    let mut edit = Edit::new(book)?;
    for id in ids {
        let Some((entry, _)) = book.written().find(|(entry, _)| *entry.id == **id) else {
            return Err(no_such_law(id, book.name(), book.written().map(|(entry, _)| &*entry.id)));
        };
        let why = match &entry.status {
            Status::Proposed | Status::OnTrial { .. } => {
                edit.set_status(id, status)?;
                continue;
            }
            Status::Adopted => "is in force".to_owned(),
            Status::Retired { reason } => format!("is retired ({reason})"),
        };
        return Err(CliError::input(format!("the law `{id}` waits for no decision: it {why}"))
            .help("`ltlcrit laws pending BOOK` shows those that do"));
    }
    edit.bump_revision()?;
    edit.finish().map_err(|errors| wrong(book.name(), &errors))
}

/// The books in force beside this one.
fn beside(
    args: &AdoptArgs,
    names: &[String],
    revision: &Revision<'_>,
    known: &[Arc<Vocabulary>],
) -> Result<Vec<Reading>, CliError> {
    let (given, vocabulary) = (!args.with.is_empty(), revision.vocabulary.name());
    let mut readings: Vec<Reading> = Vec::new();
    for name in names {
        let reading = reading(name, known)?;
        let speaks = reading.vocabulary.as_ref().is_some_and(|own| own.name() == vocabulary);
        // Books of another vocabulary cannot be in force beside it; the configuration may name books for other worlds.
        if reading.book.name() != revision.old.name() && (given || speaks) {
            readings.push(reading);
        }
    }
    Ok(readings)
}

fn refused(why: impl Into<String>) -> CliError {
    CliError::new(ExitCode::Findings, why).help("nothing was changed")
}

/// Refuses laws that are not proved to leave an action in every state, and some run.
fn keeps_an_action(consistency: &ConsistencyReport, book: &Book, ids: &[String]) -> Result<(), CliError> {
    let is_new = |law: &LawRef| law.book == book.name() && ids.contains(&law.id);
    let of_new = consistency.conflicts.iter().find(|conflict| conflict.laws.iter().any(is_new));
    let message = match (consistency.all, consistency.begins) {
        (ConsistencyVerdict::Consistent | ConsistencyVerdict::NoLaws, RunSatisfiability::Yes) => return Ok(()),
        (ConsistencyVerdict::OverConstrained, _) if of_new.is_none() && !consistency.conflicts.is_empty() => {
            "some state has no action left as it is; that has to be resolved before laws are adopted"
        }
        (ConsistencyVerdict::OverConstrained, _) => "with what is to be adopted, some state would have no action left",
        (ConsistencyVerdict::Undecided, _) => {
            "it could not be proved within the bounds that every state keeps an action"
        }
        (_, RunSatisfiability::Never | RunSatisfiability::OnlyToStop) => {
            "together no run could satisfy the laws and do anything"
        }
        (_, _) => "it could not be proved within the bounds that a run can satisfy the laws and do anything",
    };
    let Some(conflict) = of_new.or(consistency.conflicts.first()) else { return Err(refused(message)) };
    let state = match conflict.witness.as_slice() {
        [] => "where no observation holds".to_owned(),
        names => format!("where exactly this holds: {}", names.join(", ")),
    };
    let law = |law: &LawRef| format!("{} ({} in {}): {}", law.id, law.strength, law.book, law.formula);
    Err(conflict.laws.iter().map(law).fold(refused(message).detail(state), CliError::detail))
}

/// Writes the book, unless the file was changed since it was read.
pub(super) fn save(old: &Book, new: &Book, path: &str) -> Result<(), CliError> {
    let cannot = |error: &dyn std::error::Error| {
        CliError::from_error(ExitCode::Failure, "the book cannot be written", error).at(path)
    };
    let now = ltlcrit_files::read(Path::new(path), MAX_BOOK).map_err(|error| cannot(&error))?;
    if now != old.text().as_bytes() {
        return Err(CliError::new(ExitCode::Failure, "the book was changed meanwhile; nothing was written").at(path));
    }
    new.save(path).map_err(|error| cannot(&error))
}

/// Records the revision in the store, if there is one; returns its number there.
pub(super) fn keep(store: Option<&Store>, book: &Book, source: &str) -> Result<Option<u64>, CliError> {
    let Some(store) = store else { return Ok(None) };
    Ok(Some(keep_revision(store, &BookRecord::of(book, source), Timestamp::now())?))
}

impl From<EditError> for CliError {
    fn from(error: EditError) -> Self {
        Self::input(error.to_string())
    }
}
