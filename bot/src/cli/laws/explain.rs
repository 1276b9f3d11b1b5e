//! `ltlcrit laws explain`: the meaning and the origin of a law.

use std::borrow::Cow;
use std::fmt::Write as _;

use ltlcrit_laws::{Book, Entry, Origin, shipped_names};
use ltlcrit_verifier::consistency::{DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{Formula, GuardedLaw, PropSet, Proposition, Vocabulary};
use serde::Serialize;

use super::list::{Line, line};
use super::open::{no_such_law, open};
use crate::cli::output::style::{DIM, HEAD, LAW, WARNING};
use crate::cli::output::terminal::foreign;
use crate::cli::output::{CliError, Context};
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
    if context.json() {
        context.print_json(&explanation.iter().map(Found::to_json).collect::<Vec<_>>())?;
    } else {
        let texts: Vec<String> = explanation.iter().map(render).collect();
        context.print(texts.join("\n").trim_end())?;
    }
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
    let entry = found.entry();
    let mut out = String::new();
    let (book, place) = (&found.book, entry.place.line);
    let _ = writeln!(out, "{LAW}{}{LAW:#} {} law, {}", entry.id, entry.strength, entry.status);
    let _ = writeln!(out, "  {}", foreign(&entry.explanation));
    let _ = writeln!(out, "\n  {HEAD}formula{HEAD:#}  {}", entry.formula);
    let _ = writeln!(out, "  {HEAD}prefix{HEAD:#}   {}", entry.formula.to_prefix());
    match found.effects() {
        Some(effects) => {
            for effect in effects {
                let _ = writeln!(
                    out,
                    "  {HEAD}when{HEAD:#}     {}",
                    if effect.when == "true" { "always" } else { &effect.when }
                );
                let few = effect.leaves.len() <= effect.blocks.len();
                let (what, actions) = if few { ("only", &effect.leaves) } else { ("never", &effect.blocks) };
                let actions = if actions.is_empty() { "nothing at all".to_owned() } else { actions.join(", ") };
                let _ = writeln!(out, "  {HEAD}then{HEAD:#}     {what} {actions}");
            }
        }
        None => {
            let _ = writeln!(
                out,
                "  {DIM}not of the form G(phi_s -> X phi_a): the shield watches it along the whole run{DIM:#}"
            );
        }
    }
    let meanings = found.meanings();
    let width = meanings.iter().map(|one| one.name.len()).max().unwrap_or(0);
    out.push('\n');
    for one in &meanings {
        let definition = one.definition.as_ref().map(|text| format!(" := {text}")).unwrap_or_default();
        let _ = writeln!(out, "  {:width$}  {DIM}{}{definition}{DIM:#}", one.name, foreign(&one.meaning));
    }
    let _ = writeln!(out, "\n  {HEAD}book{HEAD:#}     {} revision {}, line {place}", book.name(), book.revision());
    let _ = writeln!(out, "  {HEAD}from{HEAD:#}     {}", origin(entry));
    if let Some(sentence) = &entry.provenance.sentence {
        let _ = writeln!(out, "  {HEAD}sentence{HEAD:#} {}", foreign(sentence));
    }
    if let Some(model) = &entry.provenance.model {
        let _ = writeln!(out, "  {HEAD}model{HEAD:#}    {}", foreign(model));
    }
    if !entry.provenance.evidence.is_empty() {
        let evidence: Vec<String> = entry.provenance.evidence.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "  {HEAD}evidence{HEAD:#} {}", evidence.join(", "));
    }
    if let Some(reason) = entry.status.reason() {
        let status = entry.status.as_str();
        let _ = writeln!(out, "  {WARNING}{status:<8}{WARNING:#} {}", foreign(reason));
    }
    if let Some(trial) = &entry.provenance.trial {
        let _ = writeln!(out, "  {HEAD}trial{HEAD:#}    {}", foreign(trial));
    }
    if let Some(note) = &entry.note {
        let _ = writeln!(out, "  {WARNING}note{WARNING:#}     {}", foreign(note));
    }
    out
}

pub(super) fn origin(entry: &Entry) -> String {
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
