//! Diagnostics of books, with their places and corrections.
//!
//! Reading a text, checking its laws and checking books together all report [`Diagnostic`]s. [`Diagnostic::render`]
//! prints one with the line at fault.

use std::fmt;

use annotate_snippets::{Group, Level, Origin};
use ltlcrit_verifier::law::Strength;
use serde::Serialize;
use strum::IntoStaticStr;
use thiserror::Error;

use crate::source::{Excerpt, Place, Source, render};

/// Maximum number of diagnostics for one book; further ones are only counted.
pub const MAX_DIAGNOSTICS: usize = 100;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Severity {
    /// The books cannot be relied on.
    Error,
    /// A law changes nothing.
    Warning,
    /// Information.
    Note,
}

impl Severity {
    /// Returns the word that reports use.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The kind of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Code {
    /// The file cannot be read, is not TOML, or is not a book.
    Book,
    /// A formula cannot be read.
    Syntax,
    /// A proposition is not in the vocabulary.
    UnknownProposition,
    /// The vocabulary is unknown, wrong, or not the same for all books.
    Vocabulary,
    /// A law is not guarded: it is not of the form `G(phi_s -> X phi_a)`.
    #[serde(rename = "form")]
    #[strum(serialize = "form")]
    NotGuarded,
    /// A law judges an action by observations of the action's own letter.
    SameLetter,
    /// Every run satisfies a law, which therefore changes nothing.
    Vacuous,
    /// No run satisfies a law.
    Unsatisfiable,
    /// A law that no shield accepts, because its monitor exceeds the bounds.
    TooIntricate,
    /// Other laws imply a law.
    Implied,
    /// No run can satisfy all laws.
    Contradiction,
    /// A state in which laws leave no action but stopping.
    OverConstrained,
    /// A law that can block no action in a world.
    BlocksNothing,
    /// Hard laws that leave no way to the goal of a world.
    NoWayToGoal,
    /// A derived observation of a field that the world's observations do not have.
    NoSuchField,
    /// A derived observation of a name that matches nothing in the world.
    MatchesNothing,
    /// A derived observation of a number that never falls during a run.
    OnlyGrows,
    /// A question exceeded its budget.
    Undecided,
}

impl Code {
    /// Returns the word that reports use.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A law that a diagnostic refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LawRef {
    /// The book's name.
    pub book: String,
    /// The law's id.
    pub id: String,
    /// Hard or soft.
    pub strength: Strength,
    /// Its formula, in infix syntax.
    pub formula: String,
    /// The start of the law in its source.
    pub place: Place,
}

/// A problem with a book or with several books together, or a note about them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// Its kind.
    #[serde(rename = "kind")]
    pub code: Code,
    /// The path or shipped name of the book; empty for a diagnostic about several books.
    pub source: String,
    /// The law it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<String>,
    /// The place in the source; `None` for a diagnostic about whole books.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The line with the place marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// The correction or the consequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The laws that imply this one, or that conflict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<LawRef>,
    /// The observations that hold in the witness state; all others are false in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Vec<String>>,
    /// The letters of a run that reaches the witness state, each as the names that hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<Vec<String>>,
}

impl Diagnostic {
    /// A diagnostic about no particular book.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            source: String::new(),
            law: None,
            place: None,
            excerpt: None,
            message: message.into(),
            help: None,
            laws: Vec::new(),
            witness: None,
            run: Vec::new(),
        }
    }

    /// An error about no particular book.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// Adds a place in a source.
    #[must_use]
    pub fn at(self, source: &Source, place: Place) -> Self {
        Self { source: source.name.to_string(), excerpt: Some(source.excerpt(&place)), place: Some(place), ..self }
    }

    /// Adds advice on the correction.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Renders the diagnostic as text of several lines, with carets below the faulty part. Control characters are
    /// replaced.
    pub fn render(&self) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let law = self.law.as_ref().map_or_else(String::new, |law| format!("{law}: "));
        let title = on_one_line(&format!("{law}{}", self.message));
        let mut group = Group::with_title(level.primary_title(title).id(self.code.as_str()));
        match (&self.place, &self.excerpt) {
            (Some(place), Some(excerpt)) => group = group.element(excerpt.snippet(place.line)),
            _ if self.source.is_empty() => {}
            _ => group = group.element(Origin::path(on_one_line(&self.source))),
        }
        let witness = self.witness.as_ref().map(|witness| match witness.as_slice() {
            [] => "where exactly this holds: no observation holds".to_owned(),
            names => format!("where exactly this holds: {}", names.join(", ")),
        });
        let law = |law: &LawRef| format!("{} {} in {}: {}", law.id, law.strength, law.book, law.formula);
        let run = (!self.run.is_empty()).then(|| {
            let letters = self.run.iter().map(|letter| format!("{{{}}}", letter.join(", ")));
            format!("a run that comes there: {}", letters.collect::<Vec<_>>().join(" "))
        });
        let notes = witness.into_iter().chain(run).chain(self.laws.iter().map(law));
        group = group.elements(notes.map(|note| Level::NOTE.message(on_one_line(&note))));
        let help = self.help.iter().map(|help| Level::HELP.message(on_one_line(help)));
        let rendered = render(group.elements(help));
        // The renderer would count the columns of a shortened line from the cut.
        match (&self.place, rendered.split_once('\n')) {
            (Some(Place { line, column, .. }), Some((title, rest))) => {
                let margin = " ".repeat(line.to_string().len());
                format!("{title}\n{margin}--> {}:{line}:{column}\n{rest}", on_one_line(&self.source))
            }
            _ => rendered,
        }
    }
}

/// Describes the number of problems that are not shown; `None` for 0.
pub(crate) fn more_problems(number: usize) -> Option<String> {
    (number > 0).then(|| format!("{number} more problem{}", if number == 1 { "" } else { "s" }))
}

/// Replaces line breaks, so that foreign text cannot begin a line.
fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// All problems of one book, in the order of the text.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct BookErrors {
    /// At least one diagnostic.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics beyond the first [`MAX_DIAGNOSTICS`], which are kept.
    pub more: usize,
}

impl BookErrors {
    /// A book that cannot be used as a whole.
    pub fn whole(name: &str, message: impl Into<String>, help: Option<&str>) -> Self {
        let diagnostic = Diagnostic {
            source: name.to_owned(),
            help: help.map(str::to_owned),
            ..Diagnostic::error(Code::Book, message)
        };
        Self { diagnostics: vec![diagnostic], more: 0 }
    }
}

/// Every diagnostic with its place and line; a diagnostic about the whole book takes one line.
impl fmt::Display for BookErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, diagnostic) in self.diagnostics.iter().enumerate() {
            let separator = if position == 0 { "" } else { "\n\n" };
            match diagnostic {
                Diagnostic { place: None, help: None, source, message, .. } => {
                    write!(f, "{separator}{source}: {message}")?
                }
                _ => write!(f, "{separator}{}", diagnostic.render())?,
            }
        }
        more_problems(self.more).map_or(Ok(()), |more| write!(f, "\n\nand {more}"))
    }
}
