//! The critic over stored runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers count as tests too.

#[path = "../../store/tests/it/common.rs"]
mod common;
mod graph;
mod model_critic;
