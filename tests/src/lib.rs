//! End-to-end tests of the `ltlcrit` binary and of the rooms together; see `tests/`.
//!
//! This package compiles the binary's own `main.rs` under the name `ltlcrit-under-test`, so that cargo always builds
//! what is tested, whichever packages are selected.

#![allow(clippy::disallowed_methods)]

pub mod bots_process;
pub mod client_process;
pub mod mineflayer;
pub mod usage;
