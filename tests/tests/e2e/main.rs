//! End-to-end tests: the real binary, in fresh directories, as a user meets it.

mod config;
mod flags;
mod output;
mod sandbox;
