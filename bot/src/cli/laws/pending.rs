//! `ltlcrit laws pending`: the proposed laws of a book, with evidence and effects in stored runs.

use std::sync::Arc;

use ltlcrit_critic::hindsight::{Hindsight, hindsight};
use ltlcrit_critic::law::Restriction;
use ltlcrit_engine::books::law_history::law_history;
use ltlcrit_laws::{Book, Entry};
use ltlcrit_store::{Store, Translator};
use ltlcrit_verifier::Vocabulary;
use serde::Serialize;

use super::card::{self, ByProposal, Cited, cited, in_short};
use super::open::open;
use super::stored::{happened, store_to_read};
use crate::cli::output::{CliError, Context, DIM, HEAD, LAW, Progress, Rows, foreign, plural, word};
use crate::exit::ExitCode;

/// Arguments of `laws pending`.
#[derive(Debug, clap::Args)]
pub struct PendingArgs {
    /// The book, a shipped one or a file
    book: String,
}

/// Shows the proposed laws.
///
/// # Errors
/// A book that cannot be read, or a named store that cannot be read.
pub fn run(args: &PendingArgs, context: &Context) -> Result<ExitCode, CliError> {
    let (book, vocabulary) = open(&args.book)?;
    let store = store_to_read(context)?;
    let pending = collect(&book, &vocabulary, store.as_ref(), context)?;
    let path = store.as_ref().map(|store| store.path().display().to_string());
    let document = Document { book: book.id(), source: &args.book, store: path, laws: &pending };
    context.result(&document, || render(&document, store.is_some()))?;
    Ok(ExitCode::Success)
}

/// The laws that wait, as `--json` prints them.
#[derive(Serialize)]
struct Document<'a> {
    book: String,
    source: &'a str,
    store: Option<String>,
    laws: &'a [Pending<'a>],
}

#[derive(Serialize)]
struct Pending<'a> {
    law: &'a Entry,
    /// The number of its instances, if it has parameters; 0 where the objects are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<usize>,
    /// The proposal that brought it into its book.
    proposal: Option<ByProposal>,
    evidence: Vec<Cited>,
    /// `None` without a store, or for a law that is not guarded.
    hindsight: Option<Hindsight>,
    #[serde(skip)]
    of_the_form: bool,
}

fn collect<'a>(
    book: &'a Book,
    vocabulary: &Arc<Vocabulary>,
    store: Option<&Store>,
    context: &Context,
) -> Result<Vec<Pending<'a>>, CliError> {
    let entries: Vec<(&Entry, Option<usize>)> = book.written().filter(|(entry, _)| entry.status.is_waiting()).collect();
    let restriction = |(entry, _): &(&Entry, _)| Restriction::of(&entry.formula, vocabulary).ok();
    let restrictions: Vec<Option<Restriction>> = entries.iter().map(restriction).collect();
    let of_form: Vec<&Restriction> = restrictions.iter().flatten().collect();
    let translator = Translator::new(vocabulary.clone());
    let mut said = match store {
        Some(store) if !of_form.is_empty() => {
            let progress = Progress::new(context, "reading runs", store.run_ids().count() as u64);
            let said = hindsight(store, &of_form, &translator, || progress.step())?;
            progress.end();
            said
        }
        _ => Vec::new(),
    }
    .into_iter();
    let one = |((entry, instances), restriction): ((&'a Entry, Option<usize>), &Option<Restriction>)| {
        let admission = match store {
            Some(store) => law_history(store, book.name(), entry)?.admission,
            None => None,
        };
        Ok(Pending {
            law: entry,
            instances,
            proposal: admission.map(ByProposal::from),
            evidence: cited(store, entry, restriction.as_ref(), &translator)?,
            hindsight: if restriction.is_some() { said.next() } else { None },
            of_the_form: restriction.is_some(),
        })
    };
    entries.iter().copied().zip(&restrictions).map(one).collect()
}

/// Adds the evidence of stored runs for a law.
fn render_hindsight(rows: &mut Rows, said: &Hindsight) {
    if said.applied == 0 {
        return rows.row("stored runs", "its condition held in none of their steps: nothing to show");
    }
    let steps = format!("the {} where its condition held", plural(said.applied, "stored step"));
    let failed = match said.blocked_failed {
        0 => String::new(),
        failed => format!("; {failed} of them failed"),
    };
    match said.blocked {
        0 => rows.row("would block", format_args!("none of {steps}")),
        blocked => rows.row("would block", format_args!("{blocked} of {steps}{failed}")),
    }
    said.blocks.iter().for_each(|step| rows.below(happened(step)));
    match said.applied - said.blocked {
        0 => rows.row("would allow", "none of them"),
        allowed => rows.row("would allow", format_args!("{allowed} of them")),
    }
    said.allows.iter().for_each(|step| rows.below(happened(step)));
}

fn render(document: &Document<'_>, has_store: bool) -> String {
    let mut rows = Rows::new(14);
    let waiting = match document.laws.len() {
        0 => "no law waits for a decision".to_owned(),
        1 => "1 law waits for a decision".to_owned(),
        number => format!("{number} laws wait for a decision"),
    };
    rows.line(format_args!("{HEAD}{}{HEAD:#}: {waiting}", document.book));
    for one in document.laws {
        let entry = one.law;
        rows.line(format_args!("\n{LAW}{}{LAW:#} {DIM}{}{DIM:#}", entry.id, entry.strength));
        rows.line(format_args!("  {}\n  {DIM}{}{DIM:#}", foreign(&entry.explanation), entry.formula));
        rows.optional("in short", in_short(entry));
        match one.proposal.as_ref().and_then(|by| Some((by.number, by.proposal.change.brought()?))) {
            Some((number, (law, replaced))) => {
                let instead = replaced.map(|law| format!(", in place of {LAW}{law}{LAW:#}"));
                let from = format!("{}, from {}{}", law.proposer, word(&law.source), instead.unwrap_or_default());
                rows.row("proposed by", format_args!("{from} {DIM}(proposal {number}){DIM:#}"));
            }
            None => rows.row("proposed by", card::origin(entry)),
        }
        rows.optional("on trial", entry.status.reason().map(foreign));
        rows.optional("trial", entry.provenance.trial.as_deref().map(foreign));
        card::evidence(&mut rows, &one.evidence, has_store, 3);
        match &one.hindsight {
            _ if one.instances.is_some() => {
                rows.row("instances", "a law over the domain: one for all objects that its parameters may stand for");
            }
            Some(said) => render_hindsight(&mut rows, said),
            None if !one.of_the_form => rows
                .row("stored runs", "it is not of the form G(phi_s -> X phi_a): `ltlcrit replay` shows what it does"),
            None => {}
        }
    }
    if let Some(first) = document.laws.first() {
        let (source, id) = (document.source, &first.law.id);
        rows.line(format_args!("\ndecide:  ltlcrit laws adopt {source} {id}"));
        rows.line(format_args!("         ltlcrit laws reject {source} {id} --reason WHY"));
    }
    rows.text()
}
