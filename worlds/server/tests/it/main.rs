//! Tests of the loopback server over the protocol.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)] // Helpers count as tests too.

mod digging;
mod health;
mod joining;
mod moving;
mod nonsense;
mod players;
mod saving;
mod windows;
mod wire;
