//! Tests of the guard as agents and people meet it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod agent;
mod check;
mod docs;
mod hook;
mod hostile;
mod log;
mod mcp;
mod objects;
mod session;
mod walk;
