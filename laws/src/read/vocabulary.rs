//! Reads a book's own `[vocabulary]`, with which the shield works in any world.

use std::ops::Range;
use std::sync::Arc;

use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{Axiom, Formula, Proposition, Vocabulary, syntax};
use toml::de::{DeTable, DeValue};

use super::fields::{At, Collector, MAX_TEXT, kind};
use crate::diagnostic::Code;

const KEYS: [&str; 4] = ["name", "observations", "actions", "axioms"];
const AXIOM_KEYS: [&str; 2] = ["formula", "reason"];
const AXIOM_EXAMPLE: &str = "{ formula = \"at_home -> !at_work\", reason = \"one is in one place at a time\" }";
const EXAMPLE: &str = "{ at_home = \"the agent is at home\" }";

/// Reads a vocabulary; `None` if any part of it is wrong.
pub(super) fn read(collector: &mut Collector<'_>, table: &DeTable<'_>, span: Range<usize>) -> Option<Vocabulary> {
    let before = collector.count;
    collector.only(table, &KEYS, "a vocabulary");
    let wrong_name = "the vocabulary's name has other characters than a name needs";
    let name = collector.id(table, "name", (&span, "the vocabulary"), |_| wrong_name.to_owned());
    let observations = propositions(collector, table, "observations");
    let actions = propositions(collector, table, "actions");
    if observations.is_empty() && collector.count == before && !collector.damaged {
        collector.wrong(span.clone(), "the vocabulary has no observations", format!("add observations = {EXAMPLE}"));
    }
    let mut axioms = Vec::new();
    for item in collector.array(table, "axioms", "axioms = [\"at_home -> !at_work\"]") {
        match item.get_ref() {
            DeValue::String(text) => {
                let text = At { value: text.to_string(), span: item.span() };
                let formula = collector.parsed(Code::Syntax, &text, syntax::parse(&text.value));
                axioms.extend(formula.map(|formula| (Axiom::new(formula), text.span)));
            }
            DeValue::Table(table) => axioms.extend(axiom(collector, table, item.span())),
            other => {
                let help = format!("write a formula in quotes, or {AXIOM_EXAMPLE}");
                collector.wrong(item.span(), format!("an axiom is {}", kind(other)), help);
            }
        }
    }
    let name = name?;
    if collector.count > before {
        return None;
    }
    // Each axiom is tried alone first, so that every wrong axiom is reported at its place.
    for (axiom, place) in &axioms {
        let alone = Vocabulary::new(name.value.as_str(), observations.clone(), actions.clone(), vec![axiom.clone()]);
        if let Err(error @ VocabularyError::BadAxiom { .. }) = alone {
            collector.report(Code::Vocabulary, place.clone(), error.to_string());
        }
    }
    if collector.count > before {
        return None;
    }
    let axioms = axioms.into_iter().map(|(axiom, _)| axiom).collect();
    match Vocabulary::new(name.value.as_str(), observations, actions, axioms) {
        Ok(vocabulary) => Some(vocabulary),
        Err(error) => {
            collector.report(Code::Vocabulary, span, error.to_string());
            None
        }
    }
}

/// Reads an axiom with a reason, and the place of its formula.
fn axiom(collector: &mut Collector<'_>, table: &DeTable<'_>, span: Range<usize>) -> Option<(Axiom, Range<usize>)> {
    collector.only(table, &AXIOM_KEYS, "an axiom");
    let text = collector.required(table, "formula", syntax::MAX_LENGTH, &span, "the axiom");
    let reason = collector.text(table, "reason", MAX_TEXT);
    let text = text?;
    let axiom = Axiom::new(collector.parsed(Code::Syntax, &text, syntax::parse(&text.value))?);
    Some(match reason {
        Some(reason) => (axiom.because(reason.value.trim()), text.span),
        None => (axiom, text.span),
    })
}

/// Reads names and meanings, in the order of the text.
fn propositions(collector: &mut Collector<'_>, table: &DeTable<'_>, key: &str) -> Vec<Proposition> {
    let example = format!("{key} = {EXAMPLE}");
    let Some(At { value: inner, .. }) = collector.table(table, key, &example) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, meaning) in inner.iter() {
        let written = name.get_ref().trim();
        // A proposition must parse in formulas; predicates get the spacing that formulas use.
        let normal = match syntax::parse_infix(written) {
            Ok(Formula::Atom(atom)) => atom,
            _ => match syntax::parse_infix(&format!("\"{written}\"")) {
                Ok(Formula::Atom(atom)) => atom,
                _ => {
                    let help = "write a name like `at_home`, or a predicate like `is_on(book, book_shelf)`";
                    collector.wrong(name.span(), "this cannot be the name of a proposition", help);
                    continue;
                }
            },
        };
        match meaning.get_ref() {
            DeValue::String(text) => found.push(Proposition::new(normal, Arc::<str>::from(text.trim()))),
            other => {
                let found = kind(other);
                collector.wrong(meaning.span(), format!("the meaning of a proposition is {found}"), example.clone());
            }
        }
    }
    found
}
