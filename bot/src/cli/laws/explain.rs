//! `ltlcrit laws explain`: the meaning and the origin of a law.

use std::borrow::Cow;

use ltlcrit_laws::{Book, Entry, shipped_names};
use ltlcrit_verifier::consistency::{DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{Formula, GuardedLaw, PropSet, Proposition, Vocabulary};
use serde::Serialize;

use super::card;
use super::open::{no_such_law, open};
use crate::cli::output::{CliError, Context, DIM, LAW, Rows, foreign};
use crate::exit::ExitCode;

/// Arguments of `laws explain`.
#[derive(Debug, clap::Args)]
#[command(allow_missing_positional = true)]
pub struct ExplainArgs {
    /// The book it is in, a shipped one or a file [default: all shipped books]
    #[arg(conflicts_with = "laws")]
    book: Option<String>,
    /// The law's id
    id: String,
    /// The same as BOOK; may be repeated
    #[arg(long = "laws", value_name = "BOOK")]
    laws: Vec<String>,
}

/// Explains the law.
///
/// # Errors
/// An id that no law has, or a book that cannot be read.
pub fn run(args: &ExplainArgs, context: &Context) -> Result<ExitCode, CliError> {
    let found = explain(args)?;
    let explanations: Vec<Explanation<'_>> = found.iter().map(Explanation::of).collect();
    context.result(&explanations, || explanations.iter().map(render).collect::<Vec<_>>().join("\n"))?;
    Ok(ExitCode::Success)
}

/// A law, found in a book.
pub(super) struct Found {
    book: Book,
    vocabulary: std::sync::Arc<Vocabulary>,
    position: usize,
}

pub(super) fn explain(args: &ExplainArgs) -> Result<Vec<Found>, CliError> {
    let mut names: Vec<String> = args.book.iter().chain(&args.laws).cloned().collect();
    if names.is_empty() {
        names = shipped_names().map(str::to_owned).collect();
    }
    let mut found = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    for name in &names {
        let (book, vocabulary) = open(name)?;
        match book.entries().iter().position(|entry| *entry.id == *args.id) {
            Some(position) => found.push(Found { book, vocabulary, position }),
            None => ids.extend(book.entries().iter().map(|entry| entry.id.to_string())),
        }
    }
    if found.is_empty() {
        return Err(no_such_law(&args.id, &names.join(", "), ids.iter().map(String::as_str)));
    }
    Ok(found)
}

/// The effect of a guarded law on the actions.
#[derive(Serialize)]
struct Effect {
    when: String,
    /// The actions left then.
    leaves: Vec<String>,
    /// The actions blocked then.
    blocks: Vec<String>,
}

/// The explanation of a law.
#[derive(Serialize)]
pub(super) struct Explanation<'a> {
    book: &'a str,
    revision: u64,
    law: &'a Entry,
    prefix: String,
    /// `None` if it is not of the guarded form.
    form: Option<Vec<Effect>>,
    propositions: Vec<Meaning<'a>>,
}

#[derive(Serialize)]
struct Meaning<'a> {
    name: &'a str,
    meaning: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    definition: Option<String>,
}

impl<'a> Explanation<'a> {
    pub fn of(Found { book, vocabulary, position }: &'a Found) -> Self {
        let law = &book.entries()[*position];
        let guarded = recognise_all(&law.formula, vocabulary).ok();
        let mentioned = vocabulary.propositions().iter().filter(|one| law.formula.mentions(&one.name));
        let meaning = |one: &'a Proposition| Meaning {
            name: &one.name,
            meaning: one.meaning_and_recipe(),
            definition: one.definition.as_ref().map(ToString::to_string),
        };
        Self {
            book: book.name(),
            revision: book.revision(),
            law,
            prefix: law.formula.to_prefix(),
            form: guarded.and_then(|laws| laws.iter().map(|law| effect(law, vocabulary)).collect()),
            propositions: mentioned.map(meaning).collect(),
        }
    }
}

fn effect(law: &GuardedLaw, vocabulary: &Vocabulary) -> Option<Effect> {
    // Without its guard, the law leaves in every state the actions that the demand leaves.
    let always = GuardedLaw { guard: Formula::True, demand: law.demand.clone() };
    let system = LawSystem::new(vocabulary, &[vec![always]], DEFAULT_BUDGET).ok()?;
    let left = system.allowed_at(&PropSet::EMPTY);
    let name = |action| vocabulary.action_name(action).to_owned();
    let (leaves, blocks): (Vec<_>, Vec<_>) = vocabulary.action_ids().partition(|action| left.contains(action));
    Some(Effect {
        when: law.guard.simplified().to_string(),
        leaves: leaves.into_iter().map(name).collect(),
        blocks: blocks.into_iter().map(name).collect(),
    })
}

pub(super) fn render(explanation: &Explanation<'_>) -> String {
    let Explanation { book, revision, law, prefix, form, propositions } = explanation;
    let mut rows = Rows::new(9);
    rows.line(format_args!("{LAW}{}{LAW:#} {} law, {}", law.id, law.strength, law.status));
    rows.line(format_args!("  {}\n", foreign(&law.explanation)));
    rows.row("formula", &law.formula);
    rows.row("prefix", prefix);
    for Effect { when, leaves, blocks } in form.iter().flatten() {
        rows.row("when", if when == "true" { "always" } else { when });
        let (what, actions) = if leaves.len() <= blocks.len() { ("only", leaves) } else { ("never", blocks) };
        let actions = if actions.is_empty() { "nothing at all".to_owned() } else { actions.join(", ") };
        rows.row("then", format_args!("{what} {actions}"));
    }
    if form.is_none() {
        let along = "not of the form G(phi_s -> X phi_a): the shield watches it along the whole run";
        rows.line(format_args!("  {DIM}{along}{DIM:#}"));
    }
    let width = propositions.iter().map(|one| one.name.len()).max().unwrap_or(0);
    rows.line("");
    for Meaning { name, meaning, definition } in propositions {
        let definition = definition.as_ref().map(|text| format!(" := {text}")).unwrap_or_default();
        rows.line(format_args!("  {name:width$}  {DIM}{}{definition}{DIM:#}", foreign(meaning)));
    }
    rows.line("");
    rows.row("book", format_args!("{book} revision {revision}, line {}", law.place.line));
    card::provenance(&mut rows, law);
    let evidence: Vec<String> = law.provenance.evidence.iter().map(ToString::to_string).collect();
    rows.optional("evidence", (!evidence.is_empty()).then(|| evidence.join(", ")));
    rows.warning(law.status.as_str(), law.status.reason().map(foreign));
    rows.warning("note", law.note.as_deref().map(foreign));
    rows.text()
}
