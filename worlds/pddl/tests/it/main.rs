//! Tests of the crate as its users meet it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers count as tests too.

mod data;
mod made;
mod vectors;
mod ways;
mod world;
