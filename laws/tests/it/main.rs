//! Integration tests of law books: one binary.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // Helpers count as tests too.

mod after_break;
mod derived;
#[path = "../../benches/generated/mod.rs"]
mod generated;
mod ground;
mod growth;
mod reading;
