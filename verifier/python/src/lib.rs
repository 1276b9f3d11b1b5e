//! The extension module `ltlcrit._ltlcrit`: law books, proofs and the shield for Python.
//!
//! It holds no logic of its own: each class wraps one type of `ltlcrit-verifier` or `ltlcrit-laws`. The docstrings are
//! in `python/ltlcrit/_ltlcrit.pyi` and here; `README.md` shows the package in use.

mod book;
mod errors;
mod objects;
mod run;
mod vocabulary;

#[pyo3::pymodule]
mod _ltlcrit {
    #[pymodule_export]
    use crate::book::{Book, Diagnostic, Law};
    #[pymodule_export]
    use crate::errors::{BookError, FormulaError, LtlcritError, UnknownNameError};
    #[pymodule_export]
    use crate::objects::ObjectRun;
    #[pymodule_export]
    use crate::run::{Run, Verdict};
    #[pymodule_export]
    use crate::vocabulary::Vocabulary;
}
