//! Reads the parameters of a law, and reports the faults that prevent its instantiation.

use std::sync::Arc;

use ltlcrit_verifier::syntax::{self, PlacedName};
use ltlcrit_verifier::{Formula, Vocabulary};
use toml::de::DeTable;

use super::fields::{At, Collector, MAX_TEXT, short};
use crate::book::{Entry, Parameter, Template};
use crate::diagnostic::Code;
use crate::ground;
use crate::provenance::Status;

const EXAMPLE: &str = "parameters = \"?x - item ?y - room\"";

/// The formula, propositions and declared parameters of a law with parameters.
pub(super) struct Lifted {
    pub(super) formula: Formula,
    pub(super) atoms: Vec<PlacedName>,
    pub(super) parameters: Option<Vec<Parameter>>,
}

/// Reads the parameters of a law; `None` if it has none, or if its formula cannot be read.
pub(super) fn read(collector: &mut Collector<'_>, table: &DeTable<'_>, text: &At<String>) -> Option<Lifted> {
    let is_declared = table.get("parameters").is_some();
    if !is_declared && !text.value.contains('?') {
        return None;
    }
    let atoms = syntax::propositions(&text.value).ok()?;
    let has_parameters = |name: &str| name.contains("(?") || name.contains(", ?");
    if !is_declared && !atoms.iter().any(|(name, _)| has_parameters(name)) {
        return None;
    }
    let parameters = collector.text(table, "parameters", MAX_TEXT).and_then(|text| declared(collector, &text));
    Some(Lifted { formula: syntax::parse(&text.value).ok()?, atoms, parameters })
}

/// Returns the instances over a vocabulary; empty if the vocabulary is unknown or the law is retired. Reports a wrong law
/// and returns `None`.
pub(super) fn instances(
    template: &Template,
    collector: &mut Collector<'_>,
    vocabulary: Option<&Vocabulary>,
    left: &mut usize,
) -> Option<Vec<Entry>> {
    let Some(vocabulary) = vocabulary else { return Some(Vec::new()) };
    let instances = match ground::instances(template, vocabulary, left) {
        Ok(instances) => instances,
        Err(faults) => {
            for fault in faults {
                collector.report(fault.code, fault.span, fault.message).help = fault.help;
            }
            return None;
        }
    };
    if matches!(template.law.status, Status::Retired { .. }) {
        return Some(Vec::new());
    }
    let unseen = instances.iter().find_map(|instance| {
        let atoms = instance.formula.atoms();
        atoms.into_iter().find(|atom| vocabulary.id(atom).is_none()).map(|atom| (instance, atom))
    });
    if let Some((instance, atom)) = unseen {
        let message = format!("`{}` mentions `{atom}`, which the letters of this run leave out", instance.id);
        collector.report(Code::UnknownProposition, template.law.formula_place.span.clone(), message).help =
            Some("begin another run with this book: letters are made of what its laws mention then".to_owned());
        return None;
    }
    Some(instances)
}

/// Parses a declaration such as `?x ?y - item ?z - room`.
fn declared(collector: &mut Collector<'_>, text: &At<String>) -> Option<Vec<Parameter>> {
    let before = collector.count;
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut untyped = 0;
    let mut words = words(&text.value);
    while let Some((word, span)) = words.next() {
        let span = collector.within(text, span);
        if word != "-" {
            let good = word.strip_prefix('?').is_some_and(|name| {
                !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
            });
            if !good {
                let help = format!("parameters begin with `?`: {EXAMPLE}");
                collector.wrong(span.clone(), format!("`{}` is not a parameter", short(word)), help);
            }
            parameters.push(Parameter { name: (Arc::from(word), span), type_name: None });
            untyped += 1;
            continue;
        }
        let Some((type_name, type_span)) = words.next().filter(|_| untyped > 0) else {
            collector.wrong(span, "`-` stands between parameters and their type", format!("write {EXAMPLE}"));
            return None;
        };
        let type_name = (Arc::from(type_name.to_lowercase()), collector.within(text, type_span));
        for parameter in parameters.iter_mut().rev().take(untyped) {
            parameter.type_name = Some(type_name.clone());
        }
        untyped = 0;
    }
    if parameters.is_empty() {
        collector.wrong(text.span.clone(), "`parameters` is empty", format!("leave it out, or write {EXAMPLE}"));
    }
    (collector.count == before).then_some(parameters)
}

/// Splits a text into words with their bytes.
fn words(text: &str) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
    text.split_whitespace().map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (word, start..start + word.len())
    })
}
