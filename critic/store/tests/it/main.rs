//! Integration tests of the store: one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)] // Helpers count as tests too.

mod common;
mod damage;
mod growth;
mod in_use;
mod records;
mod translation;
mod trouble;
