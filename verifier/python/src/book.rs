//! Law books, their laws and diagnostics.

use std::path::PathBuf;
use std::sync::Arc;

use ltlcrit_laws::check::ConsistencyVerdict;
use ltlcrit_laws::{BookErrors, Code, Reading, Severity};
use ltlcrit_verifier::law;
use pyo3::prelude::*;

use crate::errors::book_error;
use crate::vocabulary::Vocabulary;

/// A law: a formula with a name, an explanation and a strength.
///
/// A soft law gives way in a state where the laws together leave no action but stopping. A hard one, the default, never
/// does. The formula is read when a `Run` is made.
#[pyclass(frozen, get_all, module = "ltlcrit")]
pub(crate) struct Law {
    pub id: String,
    pub formula: String,
    pub explanation: String,
    pub soft: bool,
}

#[pymethods]
impl Law {
    #[new]
    #[pyo3(signature = (id, formula, explanation = String::new(), *, soft = false))]
    fn new(id: String, formula: String, explanation: String, soft: bool) -> Self {
        Self { id, formula, explanation, soft }
    }
}

/// Laws over one vocabulary, from a TOML file. `Book.load` reads one.
#[pyclass(frozen, module = "ltlcrit")]
pub(crate) struct Book {
    pub book: ltlcrit_laws::Book,
    pub vocabulary: Arc<ltlcrit_verifier::Vocabulary>,
}

#[pymethods]
impl Book {
    /// Reads a book from a file.
    ///
    /// A book that names its vocabulary, instead of defining it, needs the vocabulary of that name. Raises BookError with
    /// every problem of the file, each with line and column.
    #[staticmethod]
    #[pyo3(signature = (path, *, vocabulary = None))]
    fn load(path: PathBuf, vocabulary: Option<PyRef<'_, Vocabulary>>) -> PyResult<Self> {
        Self::from_reading(Reading::load(&path, &known(vocabulary)))
    }

    /// Reads a book from its text, as `load` does; diagnostics call it by the name given.
    #[staticmethod]
    #[pyo3(signature = (text, *, vocabulary = None, name = "book"))]
    fn parse(text: &str, vocabulary: Option<PyRef<'_, Vocabulary>>, name: &str) -> PyResult<Self> {
        Self::from_reading(Ok(Reading::parse(text, name, &known(vocabulary))))
    }

    /// The name of the book.
    #[getter]
    fn name(&self) -> &str {
        self.book.name()
    }

    /// The vocabulary of the laws, derived observations included.
    #[getter]
    fn vocabulary(&self) -> Vocabulary {
        Vocabulary(self.vocabulary.clone())
    }

    /// The adopted laws, in the order of the book.
    #[getter]
    fn laws(&self) -> Vec<Law> {
        let law = |law: law::Law| Law {
            id: law.id.to_string(),
            formula: law.formula.to_string(),
            explanation: law.explanation.to_string(),
            soft: !law.is_hard(),
        };
        self.book.laws_in_force().into_iter().map(law).collect()
    }

    /// Proves that in every state the laws leave an action besides stopping. Returns warnings and notes.
    ///
    /// Raises BookError if that is refuted, not decided within the budget, or proved without some laws. The diagnostics
    /// name the laws, their lines and columns, and a state where no action is left.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<Diagnostic>> {
        let report = py.detach(|| ltlcrit_laws::check(&self.book, &self.vocabulary));
        let is_error = |finding: &ltlcrit_laws::Diagnostic| finding.severity == Severity::Error;
        let (mut errors, rest): (Vec<_>, Vec<_>) = report.findings.into_iter().partition(is_error);
        let undecided = |text: String| ltlcrit_laws::Diagnostic {
            source: self.book.source().name.to_string(),
            ..ltlcrit_laws::Diagnostic::error(Code::Undecided, text)
        };
        let left_out = report.consistency.iter().flat_map(|consistency| &consistency.left_out);
        errors.extend(left_out.map(|one| undecided(format!("the proof leaves out {}: {}", one.law.id, one.why))));
        let verdict = report.consistency.map(|consistency| consistency.all);
        let is_proved = matches!(verdict, Some(ConsistencyVerdict::Consistent | ConsistencyVerdict::NoLaws));
        if !is_proved && errors.is_empty() {
            errors.push(undecided("it is not proved that every state leaves an action".to_owned()));
        }
        match errors.is_empty() {
            true => Ok(rest.into_iter().map(Diagnostic::from).collect()),
            false => Err(book_error(BookErrors { diagnostics: errors, more: 0 })),
        }
    }
}

impl Book {
    fn from_reading(reading: Result<Reading, BookErrors>) -> PyResult<Self> {
        let (book, vocabulary) = reading.and_then(Reading::into_known).map_err(book_error)?;
        Ok(Self { book, vocabulary })
    }
}

fn known(vocabulary: Option<PyRef<'_, Vocabulary>>) -> Vec<Arc<ltlcrit_verifier::Vocabulary>> {
    vocabulary.map(|known| known.0.clone()).into_iter().collect()
}

/// A problem of a book, or a note about it. `str` gives the text with the line at fault.
///
/// `severity` is "error", "warning" or "note"; `line` and `column` count from 1; `laws` are those that imply this one or
/// that conflict.
#[pyclass(frozen, get_all, module = "ltlcrit")]
pub(crate) struct Diagnostic {
    severity: &'static str,
    code: &'static str,
    law: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    help: Option<String>,
    laws: Vec<String>,
    text: String,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.text
    }
}

impl From<ltlcrit_laws::Diagnostic> for Diagnostic {
    fn from(one: ltlcrit_laws::Diagnostic) -> Self {
        Self {
            severity: one.severity.as_str(),
            code: one.code.as_str(),
            text: one.render(),
            line: one.place.as_ref().map(|place| place.line),
            column: one.place.as_ref().map(|place| place.column),
            law: one.law,
            message: one.message,
            help: one.help,
            laws: one.laws.into_iter().map(|law| law.id).collect(),
        }
    }
}
