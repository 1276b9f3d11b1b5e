//! Reading tasks as DESPITE released them: their danger is written in Python alone.

mod child;
mod import;
mod python;

pub use import::{ImportError, Imported, import, released};
pub use python::{Python, PythonError};
