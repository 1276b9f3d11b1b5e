//! The shielded loop, its actors, books, learning and replay.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)] // Helpers count as tests too.

mod agent;
mod axioms;
mod books;
mod common;
mod derived;
mod effects;
mod kill;
mod learning;
mod personas;
mod prompt_sizes;
mod replay;
