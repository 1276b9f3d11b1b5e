//! `ltlcrit laws pending`: the proposed laws of a book, with evidence and effects in stored runs.

use std::fmt::Write as _;
use std::sync::Arc;

use ltlcrit_critic::change::LawSource;
use ltlcrit_critic::hindsight::{Hindsight, Moment, hindsight};
use ltlcrit_critic::law::Restriction;
use ltlcrit_engine::books::law_history::law_history;
use ltlcrit_laws::{Book, Entry, Evidence};
use ltlcrit_store::{LawId, Store, Translator};
use ltlcrit_verifier::Vocabulary;
use serde::Serialize;

use super::explain::origin;
use super::list::{Line, in_short, line};
use super::open::{count, open};
use super::stored::{happened, held, store_to_read, word};
use crate::cli::output::progress::Progress;
use crate::cli::output::style::{DIM, HEAD, LAW};
use crate::cli::output::terminal::foreign;
use crate::cli::output::{CliError, Context};
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
    if context.json() {
        #[derive(Serialize)]
        struct Document<'a> {
            book: String,
            source: &'a str,
            store: Option<String>,
            laws: &'a [Pending<'a>],
        }
        let store = store.as_ref().map(|store| store.path().display().to_string());
        context.print_json(&Document { book: book.id(), source: &args.book, store, laws: &pending })?;
    } else {
        context.print(render(&book, &args.book, &pending, store.is_some()).trim_end())?;
    }
    Ok(ExitCode::Success)
}

/// The proposal that brought a law into its book.
#[derive(Serialize)]
pub(super) struct Proposed {
    /// The proposal's number in the store.
    pub number: u64,
    /// Name and revision of the book that it was proposed for.
    pub book: String,
    pub source: LawSource,
    pub proposer: String,
    /// The law that it replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<LawId>,
}

/// A step that a law cites.
#[derive(Serialize)]
pub(super) struct Cited {
    #[serde(flatten)]
    pub step: Evidence,
    /// The record of the step; `None` if the store does not have it.
    pub happened: Option<Moment>,
}

#[derive(Serialize)]
struct Pending<'a> {
    law: Line<'a>,
    /// The number of its instances, if it has parameters; 0 where the objects are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<usize>,
    proposal: Option<Proposed>,
    evidence: Vec<Cited>,
    /// `None` without a store, or for a law that is not guarded.
    hindsight: Option<Hindsight>,
    #[serde(skip)]
    entry: &'a Entry,
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
        Ok(Pending {
            law: line(entry),
            instances,
            proposal: proposed(store, book, entry)?,
            evidence: cited(store, entry, restriction.as_ref(), &translator)?,
            hindsight: if restriction.is_some() { said.next() } else { None },
            entry,
            of_the_form: restriction.is_some(),
        })
    };
    entries.iter().copied().zip(&restrictions).map(one).collect()
}

/// The proposal that brought a law into its book, if the store has it.
pub(super) fn proposed(store: Option<&Store>, book: &Book, entry: &Entry) -> Result<Option<Proposed>, CliError> {
    let Some(store) = store else { return Ok(None) };
    let Some((number, admission)) = law_history(store, book.name(), entry)?.admission else { return Ok(None) };
    Ok(admission.change.brought().map(|(proposal, replaces)| Proposed {
        number,
        book: admission.book.clone(),
        source: proposal.source,
        proposer: proposal.proposer.clone(),
        replaces: replaces.cloned(),
    }))
}

/// The steps that a law cites.
pub(super) fn cited(
    store: Option<&Store>,
    entry: &Entry,
    law: Option<&Restriction>,
    translator: &Translator,
) -> Result<Vec<Cited>, CliError> {
    let cited = entry.provenance.evidence.iter().map(|&step| {
        let happened = match store {
            Some(store) => Moment::read(store, step, law, translator)?,
            None => None,
        };
        Ok(Cited { step, happened })
    });
    cited.collect()
}

/// The evidence of a law, one or two lines for each of at most `most` steps.
pub(super) fn render_evidence(out: &mut String, evidence: &[Cited], has_store: bool, most: usize) {
    for (position, cited) in evidence.iter().take(most).enumerate() {
        let label = if position == 0 { "evidence" } else { "" };
        let _ = match &cited.happened {
            Some(moment) => {
                writeln!(out, "  {HEAD}{label:<12}{HEAD:#}  {}\n{:16}{}", happened(moment), "", held(moment))
            }
            None if has_store => {
                writeln!(out, "  {HEAD}{label:<12}{HEAD:#}  {} {DIM}is not in this store{DIM:#}", cited.step)
            }
            None => writeln!(out, "  {HEAD}{label:<12}{HEAD:#}  {}", cited.step),
        };
        if cited.happened.as_ref().is_some_and(|moment| moment.condition_held == Some(false)) {
            let _ = writeln!(out, "{:16}{DIM}its condition did not hold there{DIM:#}", "");
        }
    }
    if evidence.len() > most {
        let _ =
            writeln!(out, "{:16}{DIM}and {} (--json lists all){DIM:#}", "", count(evidence.len() - most, "more step"));
    }
}

/// The evidence of stored runs for a law.
fn render_hindsight(out: &mut String, said: &Hindsight) {
    let row = |out: &mut String, label: &str, text: &str| {
        let _ = writeln!(out, "  {HEAD}{label:<12}{HEAD:#}  {text}");
    };
    if said.applied == 0 {
        return row(out, "stored runs", "its condition held in none of their steps: nothing to show");
    }
    let steps =
        format!("the {} where its condition held", count(usize::try_from(said.applied).unwrap_or(0), "stored step"));
    let failed = match said.blocked_failed {
        0 => String::new(),
        failed => format!("; {failed} of them failed"),
    };
    match said.blocked {
        0 => row(out, "would block", &format!("none of {steps}")),
        blocked => row(out, "would block", &format!("{blocked} of {steps}{failed}")),
    }
    if let Some(step) = &said.blocks {
        let _ = writeln!(out, "{:16}{}", "", happened(step));
    }
    match said.applied - said.blocked {
        0 => row(out, "would allow", "none of them"),
        allowed => row(out, "would allow", &format!("{allowed} of them")),
    }
    if let Some(step) = &said.allows {
        let _ = writeln!(out, "{:16}{}", "", happened(step));
    }
}

fn render(book: &Book, source: &str, pending: &[Pending<'_>], has_store: bool) -> String {
    let mut out = String::new();
    let waiting = match pending.len() {
        0 => "no law waits for a decision".to_owned(),
        1 => "1 law waits for a decision".to_owned(),
        number => format!("{number} laws wait for a decision"),
    };
    let _ = writeln!(out, "{HEAD}{}{HEAD:#}: {waiting}", book.id());
    for one in pending {
        let entry = one.entry;
        let _ = writeln!(out, "\n{LAW}{}{LAW:#} {DIM}{}{DIM:#}", entry.id, entry.strength);
        let _ = writeln!(out, "  {}\n  {DIM}{}{DIM:#}", foreign(&entry.explanation), entry.formula);
        if let Some(short) = in_short(entry) {
            let _ = writeln!(out, "  {HEAD}{:<12}{HEAD:#}  {short}", "in short");
        }
        let from = match &one.proposal {
            Some(proposal) => {
                let Proposed { number, source, proposer, replaces, .. } = proposal;
                let instead =
                    replaces.as_ref().map(|law| format!(", in place of {LAW}{law}{LAW:#}")).unwrap_or_default();
                format!("{proposer}, from {}{instead} {DIM}(proposal {number}){DIM:#}", word(source))
            }
            None => match &entry.provenance.model {
                Some(model) => format!("{}, {}", origin(entry), foreign(model)),
                None => origin(entry),
            },
        };
        let _ = writeln!(out, "  {HEAD}{:<12}{HEAD:#}  {from}", "proposed by");
        for (label, text) in [("on trial", entry.status.reason()), ("trial", entry.provenance.trial.as_deref())] {
            if let Some(text) = text {
                let _ = writeln!(out, "  {HEAD}{label:<12}{HEAD:#}  {}", foreign(text));
            }
        }
        render_evidence(&mut out, &one.evidence, has_store, 3);
        if one.instances.is_some() {
            let it = "a law over the domain: one for all objects that its parameters may stand for";
            let _ = writeln!(out, "  {HEAD}{:<12}{HEAD:#}  {it}", "instances");
            continue;
        }
        match &one.hindsight {
            Some(said) => render_hindsight(&mut out, said),
            None if !one.of_the_form => {
                let _ = writeln!(
                    out,
                    "  {HEAD}{:<12}{HEAD:#}  it is not of the form G(phi_s -> X phi_a): `ltlcrit replay` shows what it does",
                    "stored runs"
                );
            }
            None => {}
        }
    }
    if let Some(first) = pending.first() {
        let id = &first.entry.id;
        let _ = writeln!(out, "\ndecide:  ltlcrit laws adopt {source} {id}");
        let _ = writeln!(out, "         ltlcrit laws reject {source} {id} --reason WHY");
    }
    out
}
