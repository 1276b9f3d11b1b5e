//! End-to-end tests of the `ltlcrit` binary and of the workspace; see `tests/`.
//!
//! This package compiles the binary's own `main.rs` under the name `ltlcrit-under-test`. Cargo therefore always builds
//! the tested program, for any selection of packages.

#![allow(clippy::disallowed_methods)]

pub mod bots_process;
pub mod client_process;
pub mod mineflayer;
pub mod usage;
