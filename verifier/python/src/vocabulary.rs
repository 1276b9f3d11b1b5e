//! Vocabularies, and lists of names as Python passes them.

use std::sync::Arc;

use ltlcrit_verifier::syntax;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::{error, formula_error};

/// The names of observations and actions, with axioms over the observations.
///
/// `action_stop`, which ends a run, is added if it is missing. Axioms are formulas over the observations that every
/// reachable state satisfies. A book may refer to the vocabulary by its name. A vocabulary has at most 256 names.
#[pyclass(frozen, module = "ltlcrit")]
pub(crate) struct Vocabulary(pub Arc<ltlcrit_verifier::Vocabulary>);

#[pymethods]
impl Vocabulary {
    #[new]
    #[pyo3(signature = (observations, actions, *, axioms = Names::default(), name = "vocabulary"))]
    fn new(observations: Names, actions: Names, axioms: Names, name: &str) -> PyResult<Self> {
        let mut formulas = Vec::new();
        for text in axioms.0 {
            formulas.push(syntax::parse(&text).map_err(|fault| formula_error(&format!("axiom `{text}`"), &fault))?);
        }
        let builder = ltlcrit_verifier::Vocabulary::builder(name).observations(observations.0).actions(actions.0);
        Ok(Self(Arc::new(builder.axioms(formulas).build().map_err(error)?)))
    }

    /// The observations, in order.
    #[getter]
    fn observations(&self) -> Vec<&str> {
        self.0.observations().iter().map(|one| &*one.name).collect()
    }

    /// The actions, in order, `action_stop` among them.
    #[getter]
    fn actions(&self) -> Vec<&str> {
        self.0.actions().iter().map(|one| &*one.name).collect()
    }
}

/// Names from any iterable of strings, but not from one string: its letters are no names.
#[derive(Default)]
pub(crate) struct Names(pub Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Names {
    type Error = PyErr;

    fn extract(names: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = names.cast::<PyString>() {
            return Err(PyTypeError::new_err(format!("expected several names, such as [{}]", name.repr()?)));
        }
        Ok(Self(names.try_iter()?.map(|name| name?.extract()).collect::<PyResult<_>>()?))
    }
}
