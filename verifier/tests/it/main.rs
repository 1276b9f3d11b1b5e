//! Integration tests of the verifier: one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)] // Helpers count as tests too.

mod bounded;
mod brute;
mod causes;
mod corpora;
mod difference;
mod edges;
mod example;
mod formulas;
mod joint;
mod lift;
mod million;
mod monitors;
mod objects;
mod passing;
mod projection;
mod robust;
mod shield;
mod stack;
