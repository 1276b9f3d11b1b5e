//! The errors of the verifier and of law books as Python exceptions.

use std::fmt::Display;

use ltlcrit_laws::BookErrors;
use ltlcrit_verifier::{SyntaxError, UnknownProposition};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyTypeInfo, create_exception};

use crate::book::Diagnostic;

create_exception!(ltlcrit, LtlcritError, PyValueError, "Any error of this package; a ValueError.");
create_exception!(ltlcrit, FormulaError, LtlcritError, "A formula cannot be read. It has `line` and `column`, from 1.");
create_exception!(ltlcrit, BookError, LtlcritError, "A book has problems: `diagnostics` lists them.");
create_exception!(
    ltlcrit,
    UnknownNameError,
    LtlcritError,
    "The vocabulary lacks `name`; `suggestion` is the nearest known name, or None."
);

/// Creates an error from a text of the verifier.
pub(crate) fn error(text: impl Display) -> PyErr {
    LtlcritError::new_err(text.to_string())
}

/// Creates an error about a formula; `owner` names the law or axiom.
pub(crate) fn formula_error(owner: &str, error: &SyntaxError) -> PyErr {
    raised::<FormulaError>(format!("{owner}: {}", error.render()), |raised| {
        raised.setattr("line", error.line)?;
        raised.setattr("column", error.column)
    })
}

pub(crate) fn unknown_name(error: &UnknownProposition) -> PyErr {
    raised::<UnknownNameError>(error.to_string(), |raised| {
        raised.setattr("name", &*error.name)?;
        raised.setattr("suggestion", error.suggestion.as_deref())
    })
}

pub(crate) fn book_error(errors: BookErrors) -> PyErr {
    let text = errors.to_string();
    let diagnostics: Vec<Diagnostic> = errors.diagnostics.into_iter().map(Diagnostic::from).collect();
    raised::<BookError>(text, |raised| raised.setattr("diagnostics", diagnostics))
}

/// Creates an exception and sets its attributes.
fn raised<E: PyTypeInfo>(text: String, attributes: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>) -> PyErr {
    Python::attach(|py| {
        let raised = PyErr::from_type(E::type_object(py), text);
        match attributes(raised.value(py)) {
            Ok(()) => raised,
            Err(other) => other,
        }
    })
}
