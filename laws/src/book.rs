//! A book: laws over one vocabulary, each with its explanation, provenance and status.

use std::ops::Range;
use std::sync::Arc;

use ltlcrit_verifier::law::{Law, Strength};
use ltlcrit_verifier::syntax::PlacedName;
use ltlcrit_verifier::{Formula, Vocabulary};
use serde::Serialize;

use crate::derived::DerivedEntry;
use crate::provenance::{Provenance, Status};
use crate::source::{Place, Source, line};

/// Maximum size of a book, in bytes.
pub const MAX_BOOK: u64 = 8 * 1024 * 1024;

/// One law of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The id, unique in the book: letters, digits, `-`, `_` and `.`.
    pub id: Arc<str>,
    /// The formula that runs must satisfy.
    pub formula: Formula,
    /// The formula as the book writes it.
    #[serde(skip)]
    pub formula_text: Arc<str>,
    /// Hard or soft.
    pub strength: Strength,
    /// The reason for the law, in English.
    pub explanation: Arc<str>,
    /// The origin of the law.
    pub provenance: Provenance,
    /// Proposed, on trial, adopted or retired.
    #[serde(flatten)]
    pub status: Status,
    /// A remark for readers, such as a correction or a reconstruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The start of the law in the book's text.
    #[serde(rename = "line", serialize_with = "line")]
    pub place: Place,
    /// The place of the formula in the book's text.
    #[serde(skip)]
    pub formula_place: Place,
    /// The id of the law with parameters that this law is an instance of. Both have the same place and provenance.
    #[serde(skip)]
    pub template: Option<Arc<str>>,
}

/// A law with parameters, as a book over a domain writes it: `G(hot(?x) -> X !grab(?x))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The law, over propositions such as `grab(?x)`.
    pub law: Entry,
    /// Its parameters, if it declares them; otherwise each takes the types of its predicates and actions.
    pub parameters: Option<Vec<Parameter>>,
    /// Its propositions, each with its bytes in the text of the formula.
    pub(crate) atoms: Vec<PlacedName>,
    /// Its instances among the book's laws; 0 where the objects are not known.
    pub instances: usize,
}

/// A declared parameter: `?x - item`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, such as `?x`, with its bytes in the book's text.
    pub name: PlacedName,
    /// Its type, if one is written, with its bytes.
    pub type_name: Option<PlacedName>,
}

impl Template {
    /// Returns the bytes of the book's text that hold a part of the formula; the whole formula if it has escapes.
    pub(crate) fn in_formula(&self, part: &Range<usize>) -> Range<usize> {
        let Entry { formula_text, formula_place: Place { span, .. }, .. } = &self.law;
        if span.len() == formula_text.len() { span.start + part.start..span.start + part.end } else { span.clone() }
    }
}

impl Entry {
    /// Returns the law for the shield; the number of steps that support it is its weight.
    pub fn law(&self) -> Law {
        let law = Law::new(self.strength, self.id.clone(), self.formula.clone(), self.explanation.clone());
        Law { weight: self.provenance.evidence.len().try_into().unwrap_or(u32::MAX), ..law }
    }

    /// Returns whether the law is in force.
    pub fn in_force(&self) -> bool {
        self.status == Status::Adopted
    }
}

/// The vocabulary of a book.
#[derive(Clone, Debug)]
pub enum BookVocabulary {
    /// A vocabulary that the caller knows by name, such as `minecraft`.
    Named(Arc<str>),
    /// A vocabulary that the book defines.
    Inline(Arc<Vocabulary>),
}

impl BookVocabulary {
    /// The vocabulary's name.
    pub fn name(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Inline(vocabulary) => vocabulary.name(),
        }
    }
}

/// A book of laws, as read from its text.
#[derive(Clone, Debug)]
pub struct Book {
    pub(crate) name: Arc<str>,
    pub(crate) description: Option<String>,
    pub(crate) revision: u64,
    pub(crate) vocabulary: BookVocabulary,
    pub(crate) derived: Vec<DerivedEntry>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) templates: Vec<Template>,
    pub(crate) source: Source,
}

impl Book {
    /// The book's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Name and revision, such as `minecraft-hard@3`.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, self.revision)
    }

    /// The purpose of the book, in a sentence or two.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The revision; it rises with every change that a run may see.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The book's vocabulary, without the derived observations.
    pub fn vocabulary(&self) -> &BookVocabulary {
        &self.vocabulary
    }

    /// The observations that the book derives from the full observation, in the book's order.
    pub fn derived(&self) -> &[DerivedEntry] {
        &self.derived
    }

    /// All laws, in the book's order. If the objects are known, the instances of a law with parameters replace it.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The laws with parameters, in the book's order.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// The laws as the book writes them, each with its number of instances if it has parameters. Laws without
    /// parameters come first.
    pub fn written(&self) -> impl Iterator<Item = (&Entry, Option<usize>)> {
        let plain = self.entries.iter().filter(|entry| entry.template.is_none()).map(|entry| (entry, None));
        plain.chain(self.templates.iter().map(|template| (&template.law, Some(template.instances))))
    }

    /// The law with this id.
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| &*entry.id == id)
    }

    /// The adopted laws, in the book's order.
    pub fn laws_in_force(&self) -> Vec<Law> {
        self.entries.iter().filter(|entry| entry.in_force()).map(Entry::law).collect()
    }

    /// The book's text, exactly as read.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The book's text, with its name in diagnostics.
    pub fn source(&self) -> &Source {
        &self.source
    }
}
