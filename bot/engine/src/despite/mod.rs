//! Planning tasks with danger: by the names of their worlds, and as DESPITE released them, their danger in Python alone.

mod child;
mod import;
mod named;
mod python;

pub use import::{ImportError, Imported, import, released};
pub use named::task_of_world;
pub use python::{Python, PythonError};
