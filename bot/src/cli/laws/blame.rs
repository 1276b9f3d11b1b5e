//! `ltlcrit laws blame`: the origin, evidence and history of a law.

use ltlcrit_critic::change::GateRuling;
use ltlcrit_critic::law::Restriction;
use ltlcrit_engine::books::law_history::{LawHistory, law_history};
use ltlcrit_engine::books::revisions::{Revision, StatusChange, revisions, status_changes};
use ltlcrit_laws::{Book, Entry};
use ltlcrit_store::{Store, Translator};
use serde::Serialize;

use super::card::{self, ByProposal, Cited, cited, in_short};
use super::open::{no_such_law, open};
use super::stored::{read, store_to_read};
use crate::cli::output::{CliError, Context, DIM, LAW, Rows, foreign, when, word};
use crate::exit::ExitCode;

/// Arguments of `laws blame`.
#[derive(Debug, clap::Args)]
pub struct BlameArgs {
    /// The book, a shipped one or a file
    book: String,
    /// The law's id
    id: String,
}

/// The change of the law in a revision.
#[derive(Serialize)]
struct BookChange {
    /// Name and revision.
    book: String,
    /// The time of its first record in the store; `None` for the text of the file.
    known_since: Option<jiff::Timestamp>,
    #[serde(flatten)]
    what: StatusChange,
}

#[derive(Serialize)]
struct Blame<'a> {
    book: String,
    law: &'a Entry,
    /// The proposal that introduced the law.
    proposal: Option<ByProposal>,
    /// The proposal that retired or replaced the law.
    #[serde(skip_serializing_if = "Option::is_none")]
    retirement: Option<ByProposal>,
    evidence: Vec<Cited>,
    changes: Vec<BookChange>,
    #[serde(skip)]
    has_store: bool,
}

/// Prints the origin and history of a law.
///
/// # Errors
/// A book that cannot be read, an id no law has, or a store that is named and cannot be read.
pub fn run(args: &BlameArgs, context: &Context) -> Result<ExitCode, CliError> {
    let (book, vocabulary) = open(&args.book)?;
    // A law over a domain, or one of its instances.
    let written = || book.written().map(|(entry, _)| entry).find(|entry| *entry.id == *args.id);
    let Some(entry) = book.entry(&args.id).or_else(written) else {
        return Err(no_such_law(&args.id, &args.book, book.entries().iter().map(|entry| &*entry.id)));
    };
    let store = store_to_read(context)?;
    let restriction = Restriction::of(&entry.formula, &vocabulary).ok();
    let changes = changes(store.as_ref(), &book, entry)?;
    let LawHistory { admission, retirement } = match &store {
        Some(store) => law_history(store, book.name(), entry)?,
        None => LawHistory::default(),
    };
    let blame = Blame {
        book: book.id(),
        law: entry,
        proposal: admission.map(ByProposal::from),
        retirement: retirement.map(ByProposal::from),
        evidence: cited(store.as_ref(), entry, restriction.as_ref(), &Translator::new(vocabulary))?,
        changes,
        has_store: store.is_some(),
    };
    context.result(&blame, || render(&blame))?;
    Ok(ExitCode::Success)
}

/// The changes of a law, revision by revision.
fn changes(store: Option<&Store>, book: &Book, law: &Entry) -> Result<Vec<BookChange>, CliError> {
    let mut known: Vec<Revision> = match store {
        Some(store) => revisions(store)?,
        None => Vec::new(),
    };
    known.retain(|one| one.book.name == book.name() && one.book.revision <= book.revision());
    let mut past: Vec<(Book, Option<jiff::Timestamp>)> = Vec::new();
    for revision in &known {
        past.push((read(revision)?.0, Some(revision.known_since)));
    }
    // The file may be ahead of the store.
    if past.last().is_none_or(|(last, _)| last.text() != book.text()) {
        past.push((book.clone(), None));
    }
    let mut changes = Vec::new();
    for (position, (after, known_since)) in past.iter().enumerate() {
        let before = position.checked_sub(1).map(|before| &past[before].0);
        for one in status_changes(before, after).into_iter().filter(|one| *one.id == *law.id) {
            changes.push(BookChange { book: after.id(), known_since: *known_since, what: one.what });
        }
    }
    Ok(changes)
}

fn render(blame: &Blame<'_>) -> String {
    let entry = blame.law;
    let mut rows = Rows::new(14);
    let heading = format!("{} law, {} in {}", entry.strength, entry.status, blame.book);
    rows.line(format_args!("{LAW}{}{LAW:#} {DIM}{heading}{DIM:#}", entry.id));
    rows.line(format_args!("  {}\n", foreign(&entry.explanation)));
    rows.row("formula", &entry.formula);
    rows.optional("in short", in_short(entry));
    card::provenance(&mut rows, entry);
    match &blame.proposal {
        Some(ByProposal { number, proposal }) => {
            let brought = proposal.change.brought();
            rows.optional("learned from", brought.map(|(law, _)| word(&law.source)));
            let when = when(proposal.created);
            let ruling = match &proposal.ruling {
                GateRuling::OnTrial { .. } => "admitted on trial by the gate",
                _ => "admitted by the gate",
            };
            rows.row("proposal", format_args!("{number}, to {}, {ruling} {DIM}{when}{DIM:#}", proposal.book));
            rows.optional("replaced", brought.and_then(|(_, old)| old).map(|old| format!("{LAW}{old}{LAW:#}")));
        }
        None if blame.has_store => rows.row("proposal", format_args!("{DIM}none in this store{DIM:#}")),
        None => {}
    }
    card::evidence(&mut rows, &blame.evidence, blame.has_store, usize::MAX);
    for (position, BookChange { book, known_since, what }) in blame.changes.iter().enumerate() {
        let since = known_since.map_or_else(|| "in the file".to_owned(), when);
        let label = if position == 0 { "history" } else { "" };
        rows.row(label, format_args!("{book} {DIM}{since}{DIM:#}  {}", describe(what)));
    }
    if let Some(ByProposal { number, proposal }) = &blame.retirement {
        let what = match &proposal.ruling {
            GateRuling::Admitted { law } => format!("replaced by {LAW}{law}{LAW:#}, proposal"),
            _ => "retired by the gate, proposal".to_owned(),
        };
        let when = when(proposal.created);
        rows.row("went", format_args!("{what} {number}, to {} {DIM}{when}{DIM:#}", proposal.book));
    }
    rows.warning("note", entry.note.as_deref().map(foreign));
    rows.text()
}

/// A status change in words.
pub(super) fn describe(what: &StatusChange) -> String {
    match what {
        StatusChange::Proposed => "proposed".to_owned(),
        StatusChange::OnTrial { reason } => format!("on trial: {}", foreign(reason)),
        StatusChange::Adopted => "adopted".to_owned(),
        StatusChange::Retired { reason } => format!("retired: {}", foreign(reason)),
        StatusChange::Rewritten => "rewritten".to_owned(),
        StatusChange::Removed => "removed".to_owned(),
    }
}
