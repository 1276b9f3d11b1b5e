//! End-to-end tests: the real binary, in fresh directories, as a user meets it.

// Everything here is a test, helpers included.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod config;
mod flags;
mod output;
mod sandbox;
