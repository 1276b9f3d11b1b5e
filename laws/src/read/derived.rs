//! Reads a `[[proposition]]` table.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use ltlcrit_verifier::definition::{Definition, MAX_DEFINITION};
use ltlcrit_verifier::syntax::{self, MAX_NAME};
use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{Formula, Vocabulary};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fields::{Collector, MAX_TEXT, short};
use super::law::provenance;
use crate::derived::DerivedEntry;
use crate::diagnostic::Code;

/// The prefix of action names.
const ACTION: &str = "action_";

const KEYS: [&str; 4] = ["name", "definition", "meaning", "provenance"];

/// Reads the derived observations of a book; duplicates of a name are left out.
pub(super) fn read_all(collector: &mut Collector<'_>, tables: &[Spanned<DeValue<'_>>]) -> Vec<DerivedEntry> {
    let mut lines: HashMap<Arc<str>, usize> = HashMap::new();
    let mut found = Vec::new();
    for table in tables {
        let Some(inner) = collector.item(table, "a proposition", "write a [[proposition]] table") else { continue };
        let Some(entry) = read(collector, inner, table.span()) else { continue };
        match lines.get(&entry.name) {
            Some(line) => {
                let message = format!("`{}` is defined on line {line} already", short(&entry.name));
                collector.wrong(table.span(), message, "keep one of the definitions");
            }
            None => {
                lines.insert(entry.name.clone(), entry.place.line);
                found.push(entry);
            }
        }
    }
    found
}

fn read(collector: &mut Collector<'_>, table: &DeTable<'_>, span: Range<usize>) -> Option<DerivedEntry> {
    let before = collector.count;
    collector.only(table, &KEYS, "a proposition");
    let name = collector.required(table, "name", MAX_NAME, &span, "the proposition").and_then(|name| {
        // A proposition must parse in formulas.
        match syntax::parse_infix(&name.value) {
            Ok(Formula::Atom(atom)) if atom.starts_with(ACTION) => {
                let message = format!("`{ACTION}…` is for actions, and this defines an observation");
                collector.wrong(name.span, message, "write a name like `obs_has_5x_log`");
                None
            }
            Ok(Formula::Atom(atom)) => Some(atom),
            _ => {
                let help = "write a name like `obs_has_5x_log`";
                collector.wrong(name.span, "this cannot be the name of a proposition", help);
                None
            }
        }
    });
    // The text is parsed as it is written, so that places in it are exact.
    let written = collector
        .required(table, "definition", MAX_DEFINITION, &span, "the proposition")
        .and_then(|_| collector.text(table, "definition", MAX_DEFINITION));
    let definition =
        written.as_ref().and_then(|text| collector.parsed(Code::Syntax, text, text.value.parse::<Definition>()));
    let meaning = collector.text(table, "meaning", MAX_TEXT).map(|text| Arc::from(text.value.trim()));
    let provenance = table.get("provenance").and_then(|_| provenance(collector, table, &span, "the proposition"));
    if collector.count > before {
        return None;
    }
    let written = written?;
    Some(DerivedEntry {
        name: name?,
        definition: definition?,
        meaning,
        provenance,
        place: collector.place(span),
        definition_place: collector.place(collector.within(&written, 0..written.value.len())),
    })
}

/// Extends the vocabulary by these observations; reports those that it rejects.
pub(super) fn extend(
    collector: &mut Collector<'_>,
    vocabulary: Arc<Vocabulary>,
    entries: &[DerivedEntry],
) -> Arc<Vocabulary> {
    // Observations are added one by one, so that each error has its place.
    let mut extended = vocabulary;
    for entry in entries {
        match extended.extended([entry.proposition()]) {
            Ok(more) => extended = Arc::new(more),
            Err(error) => {
                let span = entry.definition_place.span.clone();
                let help = match error {
                    VocabularyError::Redefined { .. } => "choose another name",
                    _ => "leave out those that no law mentions",
                };
                let full = matches!(error, VocabularyError::TooLarge { .. });
                collector.report(Code::Vocabulary, span, error.to_string()).help = Some(help.to_owned());
                if full {
                    break;
                }
            }
        }
    }
    extended
}
