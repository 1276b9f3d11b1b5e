//! Reads a `[[law]]` table.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::{Formula, Vocabulary, syntax};
use strum::VariantNames as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fields::{At, Collector, MAX_TEXT, short};
use super::template::{self, Lifted};
use crate::book::Entry;
use crate::diagnostic::Code;
use crate::provenance::{Evidence, Origin, Provenance, Status};

const KEYS: [&str; 9] =
    ["id", "formula", "parameters", "strength", "explanation", "provenance", "status", "reason", "note"];
const PROVENANCE_KEYS: [&str; 9] =
    ["origin", "reference", "sentence", "model", "engine", "prompts", "decision", "trial", "evidence"];
const PROVENANCE_EXAMPLE: &str = "provenance = { origin = \"hand\" }";
const EVIDENCE_EXAMPLE: &str = "evidence = [{ run = 3, step = 12 }]";

/// Reads a law, with its parameters if it has some; `None` if any part of it is wrong.
pub(super) fn read(
    collector: &mut Collector<'_>,
    table: &DeTable<'_>,
    span: Range<usize>,
    vocabulary: Option<&Vocabulary>,
) -> Option<(Entry, Option<Lifted>)> {
    let before = collector.count;
    collector.law = None;
    let id = collector.id(table, "id", (&span, "the law"), |id| format!("`{id}` is not a valid id"));
    collector.law = id.as_ref().map(|id| id.value.clone());
    collector.only(table, &KEYS, "a law");
    let text = collector.required(table, "formula", syntax::MAX_LENGTH, &span, "the law");
    let template = text.as_ref().and_then(|text| template::read(collector, table, text));
    let formula = match (&text, &template) {
        (Some(text), None) => formula(collector, text, vocabulary),
        (_, template) => template.as_ref().map(|template| template.formula.clone()),
    };
    let strength = choice(collector, table, "strength", &["hard", "soft"], &span).map(|word| match word {
        "hard" => Strength::Hard,
        _ => Strength::Soft,
    });
    let explanation = collector.required(table, "explanation", MAX_TEXT, &span, "the law");
    let provenance = provenance(collector, table, &span, "the law");
    let status = status(collector, table, &span);
    let note = collector.text(table, "note", MAX_TEXT).map(|note| note.value.trim().to_owned());
    if collector.count > before {
        return None;
    }
    let text = text?;
    let entry = Entry {
        id: Arc::from(id?.value),
        formula: formula?,
        formula_text: Arc::from(text.value.as_str()),
        strength: strength?,
        explanation: Arc::from(explanation?.value),
        provenance: provenance?,
        status: status?,
        note,
        place: collector.place(span),
        formula_place: collector.place(collector.within(&text, 0..text.value.len())),
        template: None,
    };
    Some((entry, template))
}

fn formula(collector: &mut Collector<'_>, text: &At<String>, vocabulary: Option<&Vocabulary>) -> Option<Formula> {
    if collector.is_full() && vocabulary.is_some_and(|vocabulary| !syntax::reads_over(&text.value, vocabulary)) {
        collector.count += 1;
        return None;
    }
    let parsed = match vocabulary {
        Some(vocabulary) => syntax::parse_over(&text.value, vocabulary),
        None => syntax::parse(&text.value),
    };
    // A formula that parses without the vocabulary can only have unknown propositions.
    let syntactic = parsed.is_err() && syntax::parse(&text.value).is_err();
    collector.parsed(if syntactic { Code::Syntax } else { Code::UnknownProposition }, text, parsed)
}

/// Reads one of a few words.
fn choice<'w>(
    collector: &mut Collector<'_>,
    table: &DeTable<'_>,
    key: &str,
    words: &[&'w str],
    span: &Range<usize>,
) -> Option<&'w str> {
    let text = collector.required(table, key, MAX_TEXT, span, "the law")?;
    let found = words.iter().copied().find(|word| *word == text.value);
    if found.is_none() {
        let help = match collector.nearest(&text.value, words) {
            Some(meant) => format!("did you mean \"{meant}\"?"),
            None => format!("it is one of \"{}\"", words.join("\", \"")),
        };
        collector.wrong(text.span, format!("`{key}` is \"{}\"", short(&text.value)), help);
    }
    found
}

fn status(collector: &mut Collector<'_>, table: &DeTable<'_>, span: &Range<usize>) -> Option<Status> {
    let word = choice(collector, table, "status", &["proposed", "on-trial", "adopted", "retired"], span)?;
    if let "retired" | "on-trial" = word {
        let what = if word == "retired" { "a retired law" } else { "a law on trial" };
        let reason = collector.required(table, "reason", MAX_TEXT, span, what)?.value;
        return Some(if word == "retired" { Status::Retired { reason } } else { Status::OnTrial { reason } });
    }
    if let Some(reason) = table.get("reason") {
        collector.wrong(
            reason.span(),
            format!("{word} laws have no `reason`"),
            "a retired law has one, and a law on trial; for anything else there is `note`",
        );
        return None;
    }
    Some(if word == "adopted" { Status::Adopted } else { Status::Proposed })
}

/// Reads the provenance of `what`.
pub(super) fn provenance(
    collector: &mut Collector<'_>,
    table: &DeTable<'_>,
    span: &Range<usize>,
    what: &str,
) -> Option<Provenance> {
    if table.get("provenance").is_none() {
        if !collector.damaged {
            let help = format!("add {PROVENANCE_EXAMPLE}");
            collector.wrong(span.clone(), format!("{what} has no `provenance`"), help);
        }
        return None;
    }
    let At { value: inner, span } = collector.table(table, "provenance", PROVENANCE_EXAMPLE)?;
    collector.only(inner, &PROVENANCE_KEYS, "a provenance");
    let origin = choice(collector, inner, "origin", Origin::VARIANTS, &span).and_then(|word| word.parse().ok());
    let mut text = |key: &str| collector.text(inner, key, MAX_TEXT).map(|text| text.value.trim().to_owned());
    let (reference, sentence, model) = (text("reference"), text("sentence"), text("model"));
    let (engine, prompts, decision) = (text("engine"), text("prompts"), text("decision"));
    let trial = text("trial");
    let mut evidence = Vec::new();
    for item in collector.array(inner, "evidence", EVIDENCE_EXAMPLE) {
        evidence.extend(one_evidence(collector, item));
    }
    Some(Provenance { origin: origin?, reference, sentence, model, engine, prompts, decision, trial, evidence })
}

fn one_evidence(collector: &mut Collector<'_>, item: &Spanned<DeValue<'_>>) -> Option<Evidence> {
    let table = collector.item(item, "a piece of evidence", &format!("write {EVIDENCE_EXAMPLE}"))?;
    collector.only(table, &["run", "step"], "a piece of evidence");
    for key in ["run", "step"] {
        if table.get(key).is_none() {
            collector.wrong(item.span(), format!("a piece of evidence has no `{key}`"), EVIDENCE_EXAMPLE);
        }
    }
    let (run, step) = (collector.number(table, "run"), collector.number(table, "step"));
    Some(Evidence { run: run?.value, step: step?.value })
}

/// Reports ids that several laws share, at each law but the first.
pub(super) fn report_duplicates(collector: &mut Collector<'_>, laws: &[Spanned<DeValue<'_>>]) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for law in laws {
        let DeValue::Table(table) = law.get_ref() else { continue };
        let Some(value) = table.get("id") else { continue };
        let DeValue::String(id) = value.get_ref() else { continue };
        let line = collector.place(value.span()).line;
        match seen.get(id.trim()) {
            None => {
                seen.insert(id.trim(), line);
            }
            Some(first) => {
                let message = format!("the id `{}` is taken by the law on line {first}", short(id.trim()));
                collector.law = Some(id.trim().to_owned());
                collector.wrong(value.span(), message, "give every law an id of its own");
            }
        }
    }
}
