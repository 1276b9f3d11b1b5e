//! `ltlcrit laws explain`: the meaning and the origin of a law.

use std::borrow::Cow;

use ltlcrit_laws::{Book, Entry, Origin, shipped_names};
use ltlcrit_verifier::consistency::{DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{Formula, GuardedLaw, PropSet, Proposition, Vocabulary};
use serde::Serialize;

use super::list::{Line, line};
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
    let explanation = explain(args)?;
    let documents: Vec<_> = explanation.iter().map(Found::to_json).collect();
    context.result(&documents, || explanation.iter().map(render).collect::<Vec<_>>().join("\n"))?;
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

#[derive(Serialize)]
struct Json<'a> {
    book: &'a str,
    revision: u64,
    law: Line<'a>,
    prefix: String,
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

impl Found {
    fn entry(&self) -> &Entry {
        &self.book.entries()[self.position]
    }

    fn meanings(&self) -> Vec<Meaning<'_>> {
        let atoms = self.entry().formula.atoms();
        let mentioned = self.vocabulary.propositions().iter().filter(|one| atoms.contains(&one.name));
        let definition = |one: &Proposition| one.definition.as_ref().map(ToString::to_string);
        mentioned
            .map(|one| Meaning { name: &one.name, meaning: one.meaning_and_recipe(), definition: definition(one) })
            .collect()
    }

    fn effects(&self) -> Option<Vec<Effect>> {
        let laws = recognise_all(&self.entry().formula, &self.vocabulary).ok()?;
        laws.iter().map(|law| effect(law, &self.vocabulary)).collect()
    }

    fn to_json(&self) -> Json<'_> {
        Json {
            book: self.book.name(),
            revision: self.book.revision(),
            law: line(self.entry()),
            prefix: self.entry().formula.to_prefix(),
            form: self.effects(),
            propositions: self.meanings(),
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

pub(super) fn render(found: &Found) -> String {
    let (entry, book) = (found.entry(), &found.book);
    let (status, provenance) = (&entry.status, &entry.provenance);
    let mut rows = Rows::new(9);
    rows.line(format_args!("{LAW}{}{LAW:#} {} law, {status}", entry.id, entry.strength));
    rows.line(format_args!("  {}\n", foreign(&entry.explanation)));
    rows.row("formula", &entry.formula);
    rows.row("prefix", entry.formula.to_prefix());
    match found.effects() {
        Some(effects) => {
            for Effect { when, leaves, blocks } in effects {
                rows.row("when", if when == "true" { "always" } else { &when });
                let (what, actions) = if leaves.len() <= blocks.len() { ("only", leaves) } else { ("never", blocks) };
                let actions = if actions.is_empty() { "nothing at all".to_owned() } else { actions.join(", ") };
                rows.row("then", format_args!("{what} {actions}"));
            }
        }
        None => {
            let along = "not of the form G(phi_s -> X phi_a): the shield watches it along the whole run";
            rows.line(format_args!("  {DIM}{along}{DIM:#}"));
        }
    }
    let meanings = found.meanings();
    let width = meanings.iter().map(|one| one.name.len()).max().unwrap_or(0);
    rows.line("");
    for Meaning { name, meaning, definition } in &meanings {
        let definition = definition.as_ref().map(|text| format!(" := {text}")).unwrap_or_default();
        rows.line(format_args!("  {name:width$}  {DIM}{}{definition}{DIM:#}", foreign(meaning)));
    }
    rows.line("");
    rows.row("book", format_args!("{} revision {}, line {}", book.name(), book.revision(), entry.place.line));
    rows.row("from", origin(entry));
    rows.optional("sentence", provenance.sentence.as_deref().map(foreign));
    rows.optional("model", provenance.model.as_deref().map(foreign));
    let evidence: Vec<String> = provenance.evidence.iter().map(ToString::to_string).collect();
    rows.optional("evidence", (!evidence.is_empty()).then(|| evidence.join(", ")));
    rows.warning(status.as_str(), status.reason().map(foreign));
    rows.optional("trial", provenance.trial.as_deref().map(foreign));
    rows.warning("note", entry.note.as_deref().map(foreign));
    rows.text()
}

/// The origin of a law, with the model that wrote it.
pub(super) fn origin_and_model(entry: &Entry) -> String {
    let model = entry.provenance.model.as_deref().map(|model| format!(", {}", foreign(model)));
    origin(entry) + &model.unwrap_or_default()
}

fn origin(entry: &Entry) -> String {
    let what = match entry.provenance.origin {
        Origin::Hand => "written by hand",
        Origin::Paper => "a paper",
        Origin::Critic => "a critic",
        Origin::Translation => "a translation",
    };
    match &entry.provenance.reference {
        Some(reference) => format!("{what}: {}", foreign(reference)),
        None => what.to_owned(),
    }
}
